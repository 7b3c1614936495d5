import { formatDay } from '@masthead/contract/kernel/time'
import type { Team, TeamInvitation, TeamMember } from '@masthead/contract/teams/team'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { TwoLines, type Column } from '../ui/Table.tsx'
import { Tooltip } from '../ui/Tooltip.tsx'
import { Rights, SeenAssets } from './rights-words.tsx'

export type TeamRow =
  | { kind: 'owner'; email: string; of: Team['owner'] }
  | { kind: 'member'; email: string; of: TeamMember }
  | { kind: 'invitation'; email: string; of: TeamInvitation }

/** The owner, then members, then invitations, each by e-mail. */
export const teamRows = ({ owner, members, invitations }: Team): TeamRow[] => [
  { kind: 'owner', email: owner.email, of: owner },
  ...members.map((of) => ({ kind: 'member' as const, email: of.email, of })),
  ...invitations.map((of) => ({ kind: 'invitation' as const, email: of.email, of })),
]

/** `demanded`: without a second factor one is shut out; null where it is not known who has one. */
export const teamColumns = (own: string | undefined, demanded: boolean | null): readonly Column<TeamRow>[] => [
  {
    id: 'email',
    header: 'Person',
    list: 'title',
    cell: (row) => {
      const name = row.kind === 'invitation' ? null : row.of.name
      const said = row.email === own ? 'You' : row.kind !== 'owner' && row.of.invited_by ? `Invited by ${row.of.invited_by}` : null
      return (
        <TwoLines
          first={<span className="font-medium">{name ?? row.email}</span>}
          second={name === null ? said : [row.email, said].filter(Boolean).join(' · ')}
        />
      )
    },
  },
  {
    id: 'rights',
    header: 'Permissions',
    width: 124,
    list: 'below',
    cell: (row) => (row.kind === 'owner' ? 'All permissions' : <Rights granted={row.of.permissions} />),
  },
  {
    id: 'seen',
    header: 'Assets',
    width: 128,
    list: 'below',
    cell: (row) => (row.kind === 'owner' ? 'All assets' : <SeenAssets {...row.of} />),
  },
  ...(demanded === null ? [] : [factorColumn]),
  { id: 'state', header: 'State', width: 108, list: 'aside', cell: (row) => <State row={row} demanded={demanded === true} /> },
  {
    id: 'invited',
    header: 'Invited',
    width: 116,
    drop: 1,
    cell: (row) => <RelativeTime at={row.kind === 'owner' ? null : row.of.invited_at} />,
  },
  {
    id: 'active',
    header: 'Last active',
    width: 104,
    drop: 2,
    cell: (row) => <RelativeTime at={row.kind === 'invitation' ? null : row.of.last_active_at} />,
  },
]

const factorColumn: Column<TeamRow> = {
  id: 'factor',
  header: 'Second factor',
  width: 108,
  list: 'below',
  cell: (row) =>
    row.kind !== 'invitation' && (
      <span className="flex items-center gap-1.5">
        <span className="only-list">Second factor</span>
        {row.of.second_factor ? (
          'On'
        ) : (
          <Badge tone="warn" shape="triangle">
            None
          </Badge>
        )}
      </span>
    ),
}

function State({ row, demanded }: { row: TeamRow; demanded: boolean }) {
  if (demanded && row.kind !== 'invitation' && row.of.second_factor === false)
    return (
      <Tooltip content="Has no access to this account until a second factor is set up">
        <span tabIndex={0} className="rounded-sm">
          <Badge tone="idle" shape="octagon">
            No access
          </Badge>
        </span>
      </Tooltip>
    )
  if (row.kind === 'owner') return <Badge>Owner</Badge>
  if (row.kind === 'member')
    return (
      <Badge tone="ok" shape="done">
        Active
      </Badge>
    )
  return row.of.expired ? (
    <Badge tone="idle" shape="octagon">
      Expired
    </Badge>
  ) : (
    <span title={`Until ${formatDay(row.of.expires_at)}`}>
      <Badge tone="info" shape="diamond">
        Invited
      </Badge>
    </span>
  )
}
