import { permissions as words, isPermission } from '@masthead/contract/kernel/permission'
import { Link } from 'react-router'
import { grantedPermissions } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { menu } from '../screens.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { Panel } from '../ui/Panel.tsx'
import { entryPermission } from './menu.ts'

/** Where a team member lands who lacks a permission, and after a switch of account (spec §2): says what they may do there. */
export default function TeamsRedirectScreen() {
  const user = useSession((session) => session.user)
  if (!user) return null
  const granted = grantedPermissions(user)
  const team = user.member_of.find((one) => one.email === user.acting_as)
  const first = menu
    .flatMap((group) => group.entries)
    .flatMap((entry) => entry.children ?? [entry])
    .find((entry) => !granted || granted.includes(entryPermission(entry)))
  return (
    <Panel title={team ? `You work on the account ${team.team_name}` : 'You work on your own account'}>
      {granted && granted.length === 0 && (
        <p className="text-fg-2">Nothing has been granted to you here yet. Ask {user.acting_as} to give you permissions.</p>
      )}
      {granted && granted.length > 0 && (
        <>
          <p className="mb-3 text-fg-2 text-pretty">
            You can do the following here. If you miss something, ask {user.acting_as} to grant it.
          </p>
          <ul className="grid gap-1 @sm:grid-cols-2">
            {granted.filter(isPermission).map((name) => (
              <li key={name}>{words[name]}</li>
            ))}
          </ul>
        </>
      )}
      {!granted && <p className="text-fg-2">You may do everything on it.</p>}
      {first && (
        <Link to={first.to!} className={`${buttonClass('primary-solid')} mt-5`}>
          Go to {first.label}
        </Link>
      )}
    </Panel>
  )
}
