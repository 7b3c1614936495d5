import { listSilentSims, type SilentSim } from '@masthead/contract/usage/network-operations'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import { CircleCheck } from 'lucide-react'
import { QueryTable } from '../kit/QueryTable.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import type { Column } from '../ui/Table.tsx'
import { assetColumn } from './asset-column.tsx'
import { periodWords, type Period } from './period.ts'

export const silentPlace = 'without-data'

/** Active SIMs that used nothing in the period. */
export function SilentSims({ dates, interval }: { dates: Period; interval: UsageInterval }) {
  return (
    <div id={silentPlace} className="mt-6 scroll-mt-4">
      <Panel title="Active without data" note={periodWords(dates)}>
        <QueryTable
          operation={listSilentSims}
          input={{ query: { ...dates, interval } }}
          label="Active SIMs without data"
          columns={columns}
          rowId={({ asset_id, iccid }) => `${asset_id} ${iccid}`}
          rowName={({ name }) => name}
          prefix="silent_"
          plain
          empty={
            <EmptyState icon={CircleCheck} title="No data found">
              Every SIM that is meant to be active used data in this period.
            </EmptyState>
          }
        />
      </Panel>
    </div>
  )
}

const columns: Column<SilentSim>[] = [
  assetColumn,
  {
    id: 'sent_at',
    header: 'Last data',
    cell: ({ sent_at }) => (sent_at ? <RelativeTime at={sent_at} /> : <span className="text-fg-3">not in 30 days</span>),
    width: 140,
    list: 'aside',
  },
  {
    id: 'seen_at',
    header: 'Last seen',
    cell: ({ seen_at }) => (seen_at ? <RelativeTime at={seen_at} /> : <span className="text-fg-3">never</span>),
    width: 140,
    drop: 2,
  },
  {
    id: 'blocked',
    header: 'Why',
    cell: ({ blocked, seen_at }) =>
      blocked ? (
        <span className="inline-flex items-center gap-1.5">
          <StateShape shape="octagon" tone="bad" /> blocked
        </span>
      ) : (
        <span className="text-fg-3">{seen_at ? 'connected, sent nothing' : 'never on a network'}</span>
      ),
    width: 200,
    list: 'below',
  },
]
