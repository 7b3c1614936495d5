import { useQuery } from '@tanstack/react-query'
import { listEmptySessions, type EmptySessions as Row } from '@masthead/contract/usage/network-operations'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import { CircleCheck } from 'lucide-react'
import { q } from '../api/query.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Table, TableFrame, type Column } from '../ui/Table.tsx'
import { useSeen } from '../ui/use-seen.ts'
import { assetColumn } from './asset-column.tsx'
import { periodWords, type Period } from './period.ts'

/** Sessions that ended without a byte, and the SIMs that have the most of them. It comes when it is looked at. */
export function EmptySessions({ dates, interval }: { dates: Period; interval: UsageInterval }) {
  const [place, seen] = useSeen<HTMLDivElement>({ onlySeen: true })
  return (
    <div ref={place} className="mt-6 min-h-40">
      {seen && <Sessions dates={dates} interval={interval} />}
    </div>
  )
}

const count = (n: number) => n.toLocaleString('en')

function Sessions({ dates, interval }: { dates: Period; interval: UsageInterval }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(q(listEmptySessions, { query: { ...dates, interval } }))
  const note =
    data && data.sessions > 0
      ? `${count(data.empty_sessions)} of ${count(data.sessions)} that began in ${periodWords(dates)}`
      : periodWords(dates)
  return (
    <Panel title="Sessions without data" note={note} flush>
      {error && !data ? (
        <ErrorState title="Sessions could not be counted" failure={error} onRetry={() => void refetch()} />
      ) : (
        <TableFrame plain>
          <Table
            label="SIMs by sessions without data"
            columns={columns}
            rows={data?.items}
            stale={isPlaceholderData}
            skeletonRows={3}
            rowId={({ iccid }) => iccid}
            empty={
              <EmptyState icon={CircleCheck} title="No data found">
                {data?.sessions === 0 ? 'No session began in this period.' : 'Every session that ended in this period carried data.'}
              </EmptyState>
            }
          />
        </TableFrame>
      )}
      {data && data.sims > data.items.length && (
        <p className="px-4 py-2 text-xs text-fg-3">
          The {data.items.length} SIMs with the most of them, of {count(data.sims)}.
        </p>
      )}
    </Panel>
  )
}

const columns: Column<Row>[] = [
  assetColumn,
  { id: 'empty', header: 'Without data', numeric: true, width: 120, list: 'aside', cell: ({ empty_sessions }) => count(empty_sessions) },
  { id: 'sessions', header: 'Sessions', numeric: true, width: 110, drop: 2, cell: ({ sessions }) => count(sessions) },
  {
    id: 'last',
    header: 'Last one',
    numeric: true,
    width: 140,
    drop: 2,
    cell: ({ last_at }) => (last_at ? <RelativeTime at={last_at} /> : '—'),
  },
]
