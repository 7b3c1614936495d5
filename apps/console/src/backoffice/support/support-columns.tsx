import type { StaffSupport } from '@masthead/contract/backoffice/support-operations'
import { supportEnds, supportWords } from '@masthead/contract/terminal/support'
import { CellLink } from '../../kit/CellLink.tsx'
import { lastedWords } from '../../kit/lasted-words.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { StatusDot } from '../../ui/StatusDot.tsx'
import type { Status } from '../../ui/status.ts'
import { TwoLines, type Column } from '../../ui/Table.tsx'

function supportLook({ state, end_reason }: Pick<StaffSupport, 'state' | 'end_reason'>): { status: Status; label: string } {
  if (state === 'asked') return { status: 'busy', label: 'Asked' }
  if (state === 'allowed') return { status: 'active', label: 'Allowed' }
  if (end_reason === 'refused') return { status: 'failed', label: 'Refused' }
  return { status: 'none', label: 'Over' }
}

/** Letters that have room beside a name on a telephone. */
const aside = 18

/** What stands under the state. */
function stateWords({ state, end_reason, standing, allowed_by, minutes, words, ended_by }: StaffSupport): string {
  if (state === 'asked') return `for ${supportWords(minutes)}; nobody has answered`
  if (state === 'allowed') return standing ? 'by standing consent' : `by ${allowed_by}`
  if (end_reason === 'refused') return words ? `“${words}”` : `by ${ended_by}`
  return end_reason ? supportEnds[end_reason] : ''
}

export const staffSupportColumns: Column<StaffSupport>[] = [
  {
    id: 'device',
    header: 'Account, device',
    fixed: true,
    list: 'title',
    shape: 'two',
    cell: ({ account, asset_id, asset_name }) => (
      <TwoLines
        first={<CellLink to={`/masa/accounts/${encodeURIComponent(account.email)}`}>{account.team_name}</CellLink>}
        second={<CellLink to={`/masa/assets/${asset_id}`}>{asset_name}</CellLink>}
      />
    ),
  },
  {
    id: 'staff',
    header: 'Who, why',
    width: 230,
    list: 'below',
    shape: 'two',
    cell: ({ staff, mine, reason }) => (
      <TwoLines
        first={
          <span className="truncate">
            {staff}
            {mine && ', you'}
          </span>
        }
        second={
          <span className="truncate" title={reason}>
            {reason}
          </span>
        }
      />
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: 210,
    list: 'aside',
    shape: 'two',
    cell: (access) => (
      <TwoLines
        className={stateWords(access).length > aside ? 'long-aside' : ''}
        first={<StatusDot {...supportLook(access)} />}
        second={<span className="truncate">{stateWords(access)}</span>}
      />
    ),
  },
  {
    id: 'asked',
    header: 'Asked',
    width: 110,
    list: 'below',
    listHead: true,
    drop: 1,
    cell: ({ asked_at }) => <RelativeTime at={asked_at} />,
  },
  {
    id: 'long',
    header: 'How long',
    width: 140,
    shape: 'two',
    drop: 3,
    cell: ({ state, allowed_at, ended_at, until, terminals }) => (
      <TwoLines
        first={
          state === 'allowed' ? (
            <span>
              until <RelativeTime at={until} />
            </span>
          ) : (
            (lastedWords(allowed_at, ended_at) ?? '—')
          )
        }
        second={terminals.length === 0 ? 'no terminal' : `${terminals.length} terminal${terminals.length === 1 ? '' : 's'}`}
      />
    ),
  },
]
