import { useQuery } from '@tanstack/react-query'
import { getDataPool } from '@masthead/contract/datapools/operations'
import { Database } from 'lucide-react'
import { q } from '../api/query.ts'
import { useAddressState } from '../kit/use-address-state.ts'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { TabPanel, Tabs } from '../ui/Tabs.tsx'
import { PoolDays } from './PoolDays.tsx'
import { PoolLine } from './PoolLine.tsx'
import { PoolSettings } from './PoolSettings.tsx'
import { PoolSims } from './PoolSims.tsx'
import { PoolTerms } from './PoolTerms.tsx'
import { wholePoolWords, zoneWords } from './pool-words.ts'

const tabs = [
  { id: 'sims', label: 'SIMs' },
  { id: 'days', label: 'By day' },
  { id: 'settings', label: 'Settings' },
  { id: 'terms', label: 'Earlier terms' },
] as const
type TabId = (typeof tabs)[number]['id']
const defaults = { of: 'sims' }

/** One pool: which SIMs draw from it, what was taken on each day, what happens after it, and how its terms before went. */
export function PoolSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const [place, change] = useAddressState(defaults)
  const { data: pool, error, refetch } = useQuery(q(getDataPool, { params: { pool_id: id } }))
  const tab: TabId = tabs.find((each) => each.id === place.of)?.id ?? 'sims'
  return (
    <Sheet open onClose={onClose} title={pool?.name ?? 'Data pool'} note={pool && `Package ${pool.package.name}. ${zoneWords(pool)}`}>
      {error?.status === 404 && !pool ? (
        <EmptyState icon={Database} title="Data pool not found">
          No data pool of this account has the id <span className="mono wrap-anywhere">{id}</span>.
        </EmptyState>
      ) : error && !pool ? (
        <ErrorState title="The data pool could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !pool ? (
        <SkeletonLines />
      ) : (
        <>
          {/* Whoever comes from a SIM without service reads here whether that is why. */}
          <PoolLine pool={pool} />
          <Tabs<TabId> label="Data pool" current={tab} onChange={(of) => change({ of })} tabs={tabs} />
          <TabPanel id={tab}>
            {(tab === 'days' || tab === 'terms') && pool.limited && <p className="pb-3 text-pretty text-fg-2">{wholePoolWords(pool)}</p>}
            {tab === 'sims' && <PoolSims pool={pool} />}
            {tab === 'days' && <PoolDays pool={pool} />}
            {tab === 'settings' && <PoolSettings pool={pool} />}
            {tab === 'terms' && <PoolTerms pool={pool} />}
          </TabPanel>
        </>
      )}
    </Sheet>
  )
}
