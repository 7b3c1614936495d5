import { useQuery } from '@tanstack/react-query'
import {
  endOtherSessions,
  getSecurity,
  listSessions,
  removeSession,
  type PersonSession,
} from '@masthead/contract/account/security-operations'
import { q } from '../api/query.ts'
import { signOut } from '../api/session.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PlainTable, TwoLines, type Column } from '../ui/Table.tsx'
import { ProvedButton } from './ProvedButton.tsx'
import { useRowPages } from './use-row-pages.tsx'

/** Where one is signed in, and the way to sign out there. */
export function SessionsPanel() {
  const { data, error, refetch } = useQuery(q(listSessions, {}))
  const { data: security } = useQuery(q(getSecurity, {}))
  const others = (data?.items.length ?? 1) - 1
  const { shown, foot } = useRowPages(data?.items)
  return (
    <Panel
      title="Sessions"
      note="Where you are signed in"
      flush
      end={
        <ProvedButton
          operation={endOtherSessions}
          input={{}}
          security={security}
          label="Sign out everywhere else"
          disabled={others < 1 && 'You are signed in nowhere else'}
          title="Sign out everywhere else?"
          done="You are signed out everywhere else"
        >
          {others === 1 ? 'One other session ends' : `${others} other sessions end`} at once. You stay signed in here.
        </ProvedButton>
      }
    >
      {error && !data ? (
        <ErrorState title="Your sessions could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <PlainTable label="Sessions" columns={columns} rows={shown} skeletonRows={2} rowId={(row) => row.id} />
          {foot}
        </>
      )}
    </Panel>
  )
}

const columns: readonly Column<PersonSession>[] = [
  {
    id: 'device',
    header: 'Device',
    list: 'title',
    cell: ({ device, this_one, acting_as }) => (
      <TwoLines
        first={
          <span className="flex items-center gap-2">
            {device}
            {this_one && <Badge tone="ok">This one</Badge>}
          </span>
        }
        second={acting_as ? `Working on the account of ${acting_as}` : 'On your own account'}
      />
    ),
  },
  { id: 'ip', header: 'Address', drop: 2, list: 'below', cell: ({ ip }) => <span className="mono text-xs">{ip ?? '—'}</span> },
  { id: 'created_at', header: 'Signed in', drop: 1, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
  { id: 'seen_at', header: 'Last seen', list: 'below', listHead: true, cell: ({ seen_at }) => <RelativeTime at={seen_at} /> },
  { id: 'end', header: 'Actions', width: 110, list: 'aside', cell: (session) => <EndSession session={session} /> },
]

function EndSession({ session: { id, device, this_one } }: { session: PersonSession }) {
  const { data: security } = useQuery(q(getSecurity, {}))
  if (this_one)
    return (
      <Button size="small" color="ghost" onClick={() => void signOut()}>
        Sign out
      </Button>
    )
  return (
    <ProvedButton
      operation={removeSession}
      input={{ params: { session_id: id } }}
      security={security}
      color="ghost"
      label="Sign out"
      title={`Sign out ${device}?`}
      done={`Signed out ${device}`}
    >
      Whoever uses it has to sign in again.
    </ProvedButton>
  )
}
