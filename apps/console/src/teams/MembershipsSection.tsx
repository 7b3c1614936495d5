import { useQuery } from '@tanstack/react-query'
import { leaveTeam, listMemberships } from '@masthead/contract/teams/operations'
import type { Membership } from '@masthead/contract/teams/team'
import { LogOut } from 'lucide-react'
import { q } from '../api/query.ts'
import { refreshUser } from '../api/session.ts'
import { ConfirmButton } from '../kit/ConfirmCall.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import { plain } from '../ui/toast.ts'
import { Rights } from './rights-words.tsx'

/** Accounts of others that one is a member of, and the way out of them. One switches between them in the bar at the top. */
export function MembershipsSection() {
  const { data, error, refetch } = useQuery(q(listMemberships, {}))
  return (
    <Panel title="Your teams" note="Accounts of others that you can work on. Switch between them in the bar at the top." flush>
      {error && !data ? (
        <ErrorState title="Your teams could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <PlainTable
          label="Your teams"
          columns={columns}
          rows={data?.items}
          skeletonRows={2}
          rowId={(row) => row.email}
          empty={
            <EmptyState title="No data found">
              You are not in any other team. When somebody invites you, you find the invitation under the bell.
            </EmptyState>
          }
        />
      )}
    </Panel>
  )
}

const columns: readonly Column<Membership>[] = [
  {
    id: 'team',
    header: 'Team',
    list: 'title',
    cell: ({ team_name, email }) => <TwoLines first={<span className="font-medium">{team_name}</span>} second={email} />,
  },
  { id: 'rights', header: 'Permissions', width: 150, list: 'below', cell: ({ permissions }) => <Rights granted={permissions} /> },
  {
    id: 'seen',
    header: 'Assets',
    width: 190,
    list: 'below',
    cell: ({ limited, tags }) => (limited ? tags.join(', ') || <span className="text-warn-fg">No assets</span> : 'All assets'),
  },
  { id: 'joined', header: 'Joined', width: 116, drop: 1, cell: ({ joined_at }) => <RelativeTime at={joined_at} /> },
  { id: 'leave', header: 'Actions', width: 110, list: 'aside', cell: (row) => <Leave {...row} /> },
]

function Leave({ email, team_name }: Membership) {
  return (
    <ConfirmButton
      operation={leaveTeam}
      input={{ body: { owner_email: email } }}
      label="Leave"
      icon={LogOut}
      size="small"
      title="Leave this team?"
      confirm="Leave the team"
      confirmColor="danger"
      done={`Left the team ${plain(team_name)}`}
      onDone={() => void refreshUser()}
    >
      <p>
        You can no longer work on the account of <b className="font-medium text-fg wrap-anywhere">{team_name}</b>, and invitations you sent
        for it are revoked.
      </p>
      <p>To return, you need a new invitation.</p>
    </ConfirmButton>
  )
}
