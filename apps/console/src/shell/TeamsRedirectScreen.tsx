import { permissions, isPermission } from '@masthead/contract/kernel/permission'
import { Undo2 } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { grantedPermissions } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { menu } from '../menu.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { allowedEntries } from './allowed-screens.ts'
import { useChangeAccount } from './change-account.ts'
import { Wanted } from './Wanted.tsx'

/** Where a team member lands who lacks a permission, and after a switch of account (spec §2): says what they may do there. */
export default function TeamsRedirectScreen() {
  const user = useSession((session) => session.user)
  const { ended } = (useLocation().state ?? {}) as { ended?: string }
  const change = useChangeAccount()
  if (!user) return null
  const granted = grantedPermissions(user)
  const team = user.member_of.find((one) => one.email === user.acting_as)
  const first = allowedEntries(menu, user)[0]
  return (
    <div className="grid max-w-[72ch] gap-4">
      {ended && !granted && (
        <Notice
          tone="warn"
          action={
            <Link className="link" to="/activities?category=teams">
              See when
            </Link>
          }
        >
          You are no longer in the team {ended}. To return, you need a new invitation.
        </Notice>
      )}
      <Wanted />
      <Panel title={granted ? `You work on the account ${team?.team_name ?? user.acting_as}` : 'You work on your own account'}>
        {granted?.length === 0 && <p className="text-fg-2">You have no permissions here yet. Ask {user.acting_as} to grant you some.</p>}
        {granted && granted.length > 0 && (
          <>
            <p className="mb-3 text-fg-2 text-pretty">
              You have the following permissions here. If you need more, ask {user.acting_as} to grant them.
            </p>
            <ul className="grid list-disc gap-1 pl-4 @sm:grid-cols-2">
              {granted.filter(isPermission).map((name) => (
                <li key={name}>{permissions[name]}</li>
              ))}
            </ul>
          </>
        )}
        {!granted && <p className="text-fg-2">You have all permissions on it.</p>}
        <div className="mt-5 flex flex-wrap gap-2 empty:hidden">
          {first && (
            <Link to={first.to} className={buttonClass('primary-solid')}>
              Go to {first.label}
            </Link>
          )}
          {granted && (
            <Button icon={Undo2} onClick={() => void change(user.email)}>
              Back to your own account
            </Button>
          )}
        </div>
      </Panel>
    </div>
  )
}
