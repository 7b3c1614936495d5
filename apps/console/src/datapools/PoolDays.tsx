import type { DataPool } from '@masthead/contract/datapools/pool'
import { Bytes } from '../kit/Bytes.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PlainTable, type Column } from '../ui/Table.tsx'
import { shortDay } from './pool-words.ts'

type Day = DataPool['days'][number] & { sum: number }

const columns: Column<Day>[] = [
  { id: 'day', header: 'Day (UTC)', list: 'title', cell: ({ day }) => shortDay(day) },
  { id: 'used', header: 'Used', width: 110, numeric: true, list: 'aside', cell: ({ bytes }) => <Bytes of={bytes} /> },
  { id: 'over', header: 'Over', width: 110, numeric: true, drop: 1, cell: ({ overage_bytes }) => <Bytes of={overage_bytes} /> },
  { id: 'sum', header: 'In all', width: 110, numeric: true, list: 'below', listHead: true, cell: ({ sum }) => <Bytes of={sum} /> },
]

/** What was taken on each day of the term, the latest first, and in all until its end. */
export function PoolDays({ pool }: { pool: DataPool }) {
  const days = withSums(pool)
  return days.length === 0 ? (
    <EmptyState title="No data found">Nothing was taken from the pool in this term.</EmptyState>
  ) : (
    <div className="rounded-lg border border-line">
      <PlainTable label="Usage by day" columns={columns} rows={days} rowId={({ day }) => day} />
    </div>
  )
}

function withSums({ days }: DataPool): Day[] {
  let sum = 0
  return days.map((day) => ({ ...day, sum: (sum += day.bytes) })).toReversed()
}
