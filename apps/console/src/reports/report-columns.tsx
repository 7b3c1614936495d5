import { exportReport } from '@masthead/contract/reports/operations'
import type { Report, ReportSchedule } from '@masthead/contract/reports/report'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { urlOf } from '../api/client.ts'
import { DownloadLink } from '../kit/DownloadLink.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { StatusDot } from '../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { everyWords, kindWords, periodWords, reportLook, rowsWords, scheduleLooks, stateWords } from './report-words.ts'

/** Once it is made, its name fetches it. */
const ReportName = ({ of: { id, name, state } }: { of: Report }) =>
  state === 'complete' ? (
    <DownloadLink href={urlOf(exportReport, { params: { report_id: id } })} name={name} className="truncate font-medium hover:underline">
      {name}
    </DownloadLink>
  ) : (
    <span className="truncate font-medium">{name}</span>
  )

export const reportColumns: Column<Report>[] = [
  {
    id: 'name',
    header: 'Report',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: (report) => <TwoLines first={<ReportName of={report} />} second={kindWords(report)} />,
  },
  {
    id: 'period',
    header: 'Period',
    width: 205,
    list: 'below',
    drop: 4,
    cell: (report) => <span className="truncate">{periodWords(report)}</span>,
  },
  {
    id: 'by',
    header: 'Requested by',
    width: 170,
    drop: 1,
    cell: ({ requested_by }) => <span className="truncate">{requested_by}</span>,
  },
  { id: 'created', header: 'Created', width: 100, drop: 2, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  {
    id: 'state',
    header: 'State',
    width: 210,
    list: 'aside',
    shape: 'two',
    cell: (report) => (
      <TwoLines
        first={<StatusDot {...reportLook(report)} />}
        second={
          <span className="truncate" title={report.failure ?? undefined}>
            {stateWords(report)}
          </span>
        }
      />
    ),
  },
  {
    id: 'size',
    header: 'Size',
    width: 110,
    numeric: true,
    drop: 3,
    shape: 'two',
    cell: ({ bytes, rows }) => (bytes === null ? '—' : <TwoLines first={formatBytes(bytes)} second={rowsWords(rows)} />),
  },
]

export const scheduleColumns: Column<ReportSchedule>[] = [
  {
    id: 'name',
    header: 'Report',
    list: 'title',
    shape: 'two',
    cell: (schedule) => <TwoLines first={<span className="truncate font-medium">{schedule.name}</span>} second={kindWords(schedule)} />,
  },
  {
    id: 'runs',
    header: 'Runs',
    width: 230,
    list: 'below',
    shape: 'two',
    drop: 2,
    cell: ({ every, hour, timezone }) => <TwoLines first={everyWords[every]} second={`at ${hour}:00, ${timezone}`} />,
  },
  {
    id: 'to',
    header: 'Goes to',
    width: 190,
    drop: 1,
    cell: ({ recipients }) => <span className="truncate">{recipients.length > 0 ? recipients.join(', ') : '—'}</span>,
  },
  {
    id: 'state',
    header: 'State',
    width: 210,
    list: 'aside',
    shape: 'two',
    cell: ({ state, stopped_because, next_at }) => (
      <TwoLines first={<StatusDot {...scheduleLooks[state]} />} second={stopped_because ?? (next_at && <RelativeTime at={next_at} />)} />
    ),
  },
]
