import type { Asset } from '@masthead/contract/assets/asset'
import { runsContainers } from '@masthead/contract/devices/agent/application'
import { CardSim } from 'lucide-react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SessionPanel } from '../page/SessionPanel.tsx'
import { SessionsPanel } from '../page/SessionsPanel.tsx'
import { DeviceNetwork } from './device/DeviceNetwork.tsx'
import { GroupPanel } from './GroupPanel.tsx'
import { HeldPanel } from './HeldPanel.tsx'
import { NetworksPanel } from './NetworksPanel.tsx'
import { TimelinePanel } from './TimelinePanel.tsx'

/** The asset's network tab (domain §1.4): where it is and was attached, by what, and what happened on the way. */
export function AssetNetwork({ asset }: { asset: Asset }) {
  if (!runsContainers(asset.type)) return <SimNetwork asset={asset} />
  return (
    <div className="grid gap-5">
      <DeviceNetwork asset={asset} />
      <SimNetwork asset={asset} />
    </div>
  )
}

function SimNetwork({ asset }: { asset: Asset }) {
  const { sim } = asset
  if (!sim)
    return (
      <Panel flush>
        <EmptyState icon={CardSim} title="This asset has no SIM">
          Operators, sessions and what happens on the network are shown once a SIM is in it.
        </EmptyState>
      </Panel>
    )
  return (
    <div className="grid items-start gap-5 @lg:grid-cols-[minmax(0,1fr)_316px]">
      <div className="grid min-w-0 gap-5">
        <NetworksPanel asset={asset} />
        <TimelinePanel asset={asset} />
        <SessionsPanel asset={asset} />
      </div>
      <div className="grid min-w-0 gap-5 @max-lg:-order-1">
        <SessionPanel asset={asset} sim={sim} />
        <GroupPanel asset={asset} sim={sim} />
        <HeldPanel asset={asset} />
      </div>
    </div>
  )
}
