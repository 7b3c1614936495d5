import type { Asset } from '@masthead/contract/assets/asset'
import { CardSim } from 'lucide-react'
import { later } from '../../kit/later.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton, SkeletonLines } from '../../ui/Skeleton.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import { EventsPanel } from './EventsPanel.tsx'
import { IdentityPanel } from './IdentityPanel.tsx'
import { PlacesPanel } from './PlacesPanel.tsx'
import { ServicePanel } from './ServicePanel.tsx'
import { SessionPanel } from './SessionPanel.tsx'
import { SessionsPanel } from './SessionsPanel.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { SimUsagePanel } from './SimUsagePanel.tsx'

// Most have none of them, and show nothing.
const CorrectionsPanel = later(async () => (await import('../../corrections/index.ts')).CorrectionsPanel, null, whenIdle)
const WhatIfPanel = later(
  async () => (await import('../past/WhatIfPanel.tsx')).WhatIfPanel,
  <Panel title="What if">
    <div className="h-60" />
  </Panel>,
  whenIdle
)

const columns = 'grid items-start gap-5 @lg:grid-cols-[minmax(0,1fr)_316px]'

/** Under each other in a narrow place the session comes first: it says how the asset is now. */
const stack = 'contents min-w-0 gap-5 @lg:grid'

/** The asset's overview tab (domain §1.4). */
export function AssetOverview({ asset }: { asset: Asset }) {
  const { sim } = asset
  return (
    <div className="grid gap-5">
      {sim ? (
        <ServicePanel asset={asset} sim={sim} />
      ) : (
        <Panel flush>
          <EmptyState icon={CardSim} title="This asset has no SIM">
            Service, usage and sessions are shown once a SIM is in it.
          </EmptyState>
        </Panel>
      )}
      <div className={columns}>
        <div className={stack}>
          {sim && <SimUsagePanel asset={asset} sim={sim} />}
          {sim && sim.state !== 'terminated' && <WhatIfPanel asset={asset} sim={sim} />}
          <CorrectionsPanel asset={asset} />
          {sim && <SessionsPanel asset={asset} />}
          <EventsPanel asset={asset} />
        </div>
        <div className={stack}>
          {sim && (
            <div className="@max-lg:-order-1">
              <SessionPanel asset={asset} sim={sim} />
            </div>
          )}
          <PlacesPanel asset={asset} />
          {sim && <SettingsPanel asset={asset} sim={sim} />}
          <IdentityPanel asset={asset} />
        </div>
      </div>
    </div>
  )
}

/** The same in the size of what comes. */
export function OverviewSkeleton() {
  return (
    <div role="group" className="grid gap-5" aria-busy aria-label="Loading the asset">
      <Panel>
        <Skeleton className="h-24" />
      </Panel>
      <div className={columns}>
        <div className="grid gap-5">
          <Panel>
            <Skeleton className="h-72" />
          </Panel>
          <Panel>
            <SkeletonLines lines={8} />
          </Panel>
        </div>
        <div className="grid gap-5">
          <Panel>
            <SkeletonLines lines={5} />
          </Panel>
          <Panel>
            <SkeletonLines lines={7} />
          </Panel>
        </div>
      </div>
    </div>
  )
}
