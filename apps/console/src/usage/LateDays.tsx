import { formatBytes, formatSteadyBytes } from '@masthead/contract/usage/bytes'
import { formatDay } from '@masthead/contract/kernel/time'
import type { LateDay } from '@masthead/contract/usage/operations'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Table, TableFrame, type Column } from '../ui/Table.tsx'

/** Days whose figures changed after they were over. */
export function LateDays({ days }: { days: readonly LateDay[] }) {
  const bytes = days.reduce((sum, day) => sum + day.bytes, 0)
  return (
    <div className="mt-6">
      <Panel title="Reported late" note={`${formatBytes(bytes)} came after the day was over`}>
        <TableFrame plain>
          <Table label="Days with usage that was reported late" columns={columns} rows={days} rowId={({ day }) => day} empty={null} />
        </TableFrame>
      </Panel>
    </div>
  )
}

const columns: Column<LateDay>[] = [
  { id: 'day', header: 'Day, UTC', fixed: true, list: 'title', cell: ({ day }) => <span className="font-medium">{formatDay(day)}</span> },
  {
    id: 'bytes',
    header: 'Reported late',
    numeric: true,
    width: 120,
    list: 'aside',
    cell: ({ bytes }) => formatSteadyBytes(bytes),
  },
  { id: 'sims', header: 'SIMs', numeric: true, width: 96, cell: ({ sims }) => sims.toLocaleString('en') },
  { id: 'last', header: 'Last report', numeric: true, width: 140, cell: ({ last_at }) => <RelativeTime at={last_at} /> },
]
