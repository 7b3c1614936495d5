import { endReasons, type TerminalSession } from '@masthead/contract/terminal/session'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { CellLink } from '../../kit/CellLink.tsx'
import { lastedWords } from '../../kit/lasted-words.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { sessionLooks } from './session-words.ts'

export const sessionColumns: Column<TerminalSession>[] = [
  {
    id: 'asset',
    header: 'Device',
    fixed: true,
    list: 'title',
    cell: ({ asset_id, asset_name }) => <CellLink to={`/assets/${asset_id}/device`}>{asset_name}</CellLink>,
  },
  {
    id: 'by',
    header: 'Opened by',
    width: 200,
    list: 'below',
    listHead: true,
    shape: 'two',
    cell: ({ opened_by, support_id, client_ip }) => (
      <TwoLines
        first={<span className="truncate">{opened_by}</span>}
        second={support_id === null ? client_ip : 'support, as it was allowed'}
      />
    ),
  },
  {
    id: 'others',
    header: 'Others there',
    width: 180,
    shape: 'two',
    drop: 1,
    cell: ({ participants }) => <Participants of={participants} />,
  },
  { id: 'at', header: 'Opened', width: 110, list: 'below', listHead: true, cell: ({ requested_at }) => <RelativeTime at={requested_at} /> },
  {
    id: 'state',
    header: 'State',
    width: 220,
    list: 'aside',
    shape: 'two',
    cell: ({ state, end_reason, ended_by }) => (
      <TwoLines
        className={end_reason ? 'long-aside' : ''}
        first={<StatusDot {...sessionLooks[state]} />}
        second={
          end_reason && (
            <span className="truncate" title={endReasons[end_reason]}>
              {endReasons[end_reason]}
              {ended_by && ` by ${ended_by}`}
            </span>
          )
        }
      />
    ),
  },
  {
    id: 'lasted',
    header: 'Lasted',
    width: 90,
    numeric: true,
    drop: 2,
    cell: ({ opened_at, ended_at }) => lastedWords(opened_at, ended_at) ?? '—',
  },
  { id: 'shown', header: 'Shown', width: 90, numeric: true, drop: 1, cell: ({ bytes_out }) => formatBytes(bytes_out) },
]

function Participants({ of }: { of: TerminalSession['participants'] }) {
  const [first, ...more] = of
  if (!first) return <span className="text-fg-3">—</span>
  const words = ({ email, typed }: typeof first) => `${email} ${typed ? 'typed' : 'watched'}`
  return (
    <TwoLines
      first={
        <span className="truncate" title={of.map(words).join('\n')}>
          {first.email}
        </span>
      }
      second={more.length > 0 ? `and ${more.length} more` : first.typed ? 'typed' : 'watched'}
    />
  )
}
