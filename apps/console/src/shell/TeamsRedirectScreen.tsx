import { permissions, staffPermissions, isPermission } from '@masthead/contract/kernel/permission'
import { Undo2 } from 'lucide-react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { grantedPermissions } from '../api/may.ts'
import { safeRedirect } from '../api/redirect.ts'
import { useSession } from '../api/session.ts'
import { menu, screens } from '../screens.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { allowedEntries, lackedFor } from './allowed-screens.ts'
import { useChangeAccount } from './change-account.ts'

/** Where a team member lands who lacks a permission, and after a switch of account (spec §2): says what they may do there. */
export default function TeamsRedirectScreen() {
  const user = useSession((session) => session.user)
  const [params] = useSearchParams()
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
          You are no longer in the team {ended}. Only an invitation of theirs brings you back.
        </Notice>
      )}
      <Wanted address={safeRedirect(params.get('wanted'))} />
      <Panel title={granted ? `You work on the account ${team?.team_name ?? user.acting_as}` : 'You work on your own account'}>
        {granted?.length === 0 && (
          <p className="text-fg-2">Nothing has been granted to you here yet. Ask {user.acting_as} to give you permissions.</p>
        )}
        {granted && granted.length > 0 && (
          <>
            <p className="mb-3 text-fg-2 text-pretty">
              You can do the following here. If you miss something, ask {user.acting_as} to grant it.
            </p>
            <ul className="grid list-disc gap-1 pl-4 @sm:grid-cols-2">
              {granted.filter(isPermission).map((name) => (
                <li key={name}>{permissions[name]}</li>
              ))}
            </ul>
          </>
        )}
        {!granted && <p className="text-fg-2">You may do everything on it.</p>}
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

const inWords: Record<string, string> = { ...permissions, ...staffPermissions }

/** What was asked for and could not be shown, and what is missing for it; or that nothing is missing any more. */
function Wanted({ address }: { address: string }) {
  const user = useSession((session) => session.user)
  const [params] = useSearchParams()
  const wanted = user && params.has('wanted') ? lackedFor(screens, address, user) : null
  if (!wanted) return null
  const { title, lacked } = wanted
  if (lacked.length === 0)
    return (
      <Notice
        tone="ok"
        action={
          <Link className="link" to={address}>
            Open {title}
          </Link>
        }
      >
        You may open {title} now.
      </Notice>
    )
  return (
    <Notice tone="warn">
      {lacked.includes('backoffice') ? (
        'The backoffice cannot be used while working on the account of a team. Go back to your own account first.'
      ) : (
        <>
          “{title}” needs a permission that you do not have on this account: {lacked.map((name) => inWords[name] ?? name).join(', ')}.
        </>
      )}
    </Notice>
  )
}
