import { endReasons, type TerminalSession } from '@masthead/contract/terminal/session'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { CellLink } from '../../kit/CellLink.tsx'
import { lastedWords } from '../../kit/lasted-words.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { TwoLines, type Column } from '../../ui/Table.tsx'
import { sessionLooks } from './session-words.ts'

/** From where it was opened, and who else was there. */
const whoElse = ({ support_id, client_ip, participants }: TerminalSession): string[] => [
  ...(support_id === null ? (client_ip === null ? [] : [client_ip]) : ['support, as it was allowed']),
  ...participants.map(({ email, typed }) => `${email} ${typed ? 'typed' : 'watched'}`),
]

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
    cell: (session) => (
      <TwoLines
        first={<span className="truncate">{session.opened_by}</span>}
        second={
          <span className="truncate" title={whoElse(session).join('\n')}>
            {whoElse(session).join(', ')}
          </span>
        }
      />
    ),
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
