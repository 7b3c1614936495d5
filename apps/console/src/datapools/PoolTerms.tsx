import type { PoolDetails } from '@masthead/contract/datapools/operations'
import { formatDay } from '@masthead/contract/kernel/time'
import { Bytes } from '../kit/Bytes.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PlainTable, type Column } from '../ui/Table.tsx'

type Term = PoolDetails['terms'][number]

const columns: Column<Term>[] = [
  { id: 'term', header: 'Term', list: 'title', cell: ({ starts_at, ends_at }) => `${formatDay(starts_at)} to ${formatDay(ends_at)}` },
  { id: 'size', header: 'Size', width: 110, numeric: true, list: 'below', cell: ({ size_bytes }) => <Bytes of={size_bytes} /> },
  { id: 'used', header: 'Used', width: 110, numeric: true, list: 'aside', cell: ({ used_bytes }) => <Bytes of={used_bytes} /> },
  { id: 'over', header: 'Over', width: 110, numeric: true, drop: 1, cell: ({ overage_bytes }) => <Bytes of={overage_bytes} /> },
]

/** How the terms before went. */
export const PoolTerms = ({ pool }: { pool: PoolDetails }) =>
  pool.terms.length === 0 ? (
    <EmptyState title="No data found">This is the first term of the pool.</EmptyState>
  ) : (
    <div className="rounded-lg border border-line">
      <PlainTable label="Earlier terms" columns={columns} rows={pool.terms} rowId={(row) => row.starts_at} />
    </div>
  )
