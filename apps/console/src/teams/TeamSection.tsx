import { useQuery } from '@tanstack/react-query'
import { listMail } from '@masthead/contract/demo/operations'
import { getTeam, updateInvitation } from '@masthead/contract/teams/operations'
import { Ellipsis, UserPlus } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { settings } from '../api/settings.ts'
import { useSession } from '../api/session.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { Menu } from '../ui/Menu.tsx'
import { Panel } from '../ui/Panel.tsx'
import { PlainTable } from '../ui/Table.tsx'
import { TableFoot, showingWords } from '../ui/TableFoot.tsx'
import { InvitationLink } from './InvitationLink.tsx'
import { MemberForm } from './MemberForm.tsx'
import { teamColumns, teamRows } from './team-rows.tsx'
import { useTeamActions } from './use-team-actions.tsx'

// spec §9
const rowsOnPage = 10

/** The team of the account: who may do what, who is invited; invite, change, remove. `children` stand below it. */
export function TeamSection({ children }: { children?: ReactNode }) {
  const { data: team, error, refetch } = useQuery(q(getTeam, {}))
  const own = useSession((session) => session.user?.email)
  const [inviting, setInviting] = useState(false)
  const [linking, setLinking] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const demanded = !team || team.owner.second_factor === null ? null : team.second_factor_demanded
  const columns = useMemo(() => teamColumns(own, demanded), [own, demanded])
  const { items, dialog } = useTeamActions(team)
  const rows = team && teamRows(team)
  const last = Math.max(1, Math.ceil((rows?.length ?? 0) / rowsOnPage))
  const now = Math.min(page, last)
  const alone = rows?.length === 1
  return (
    <Panel
      title="Team"
      flush
      end={
        <>
          <DemoMailLink />
          <ActionButton operation={updateInvitation} size="small" icon={UserPlus} disabled={!team} onClick={() => setInviting(true)}>
            Invite
          </ActionButton>
        </>
      }
    >
      {error && !team ? (
        <ErrorState title="The team could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : alone ? (
        <EmptyState
          title="No data found"
          actions={
            <ActionButton operation={updateInvitation} icon={UserPlus} onClick={() => setInviting(true)}>
              Invite somebody
            </ActionButton>
          }
        >
          Nobody else works on this account. Invite colleagues by e-mail and choose their permissions and the assets they can see. They sign
          in as themselves.
        </EmptyState>
      ) : (
        <>
          <PlainTable
            label="Team"
            columns={columns}
            rows={rows?.slice((now - 1) * rowsOnPage, now * rowsOnPage)}
            skeletonRows={3}
            rowId={(row) => row.email}
            more={(row) =>
              items(row).length > 0 && (
                <Menu
                  trigger={<IconButton label={`Actions for ${row.email}`} icon={Ellipsis} size="small" />}
                  label={`Actions for ${row.email}`}
                  align="end"
                  items={items(row)}
                />
              )
            }
          />
          {rows && rows.length > rowsOnPage && (
            <TableFoot
              words={showingWords(
                (now - 1) * rowsOnPage + 1,
                Math.min(rowsOnPage, rows.length - (now - 1) * rowsOnPage),
                rows.length,
                false
              )}
              onBack={now > 1 ? () => setPage(now - 1) : null}
              onNext={now < last ? () => setPage(now + 1) : null}
            />
          )}
        </>
      )}
      {children}
      {dialog}
      {inviting && team && (
        <MemberForm team={team} onClose={() => setInviting(false)} {...(settings.mail === false && { onInvited: setLinking })} />
      )}
      {linking && <InvitationLink email={linking} onClose={() => setLinking(null)} />}
    </Panel>
  )
}

/** The demo sends no mail, and shows it. */
function DemoMailLink() {
  const shown = useQuery(q(listMail, {})).data?.shown
  if (!shown) return null
  return (
    <Link to="/mail" className="link text-xs">
      Demo mailbox
    </Link>
  )
}
