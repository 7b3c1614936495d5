import { backofficePermission, permissions, staffPermissions } from '@masthead/contract/kernel/permission'
import { Link, useSearchParams } from 'react-router'
import { safeRedirect } from '../api/redirect.ts'
import { useSession } from '../api/session.ts'
import { screens } from '../screens.ts'
import { Notice } from '../ui/Notice.tsx'
import { lackedFor } from './allowed-screens.ts'

const inWords: Record<string, string> = { ...permissions, ...staffPermissions }

/** What was asked for and could not be shown (`wanted` in the address), and what is missing for it; or that nothing is missing any more. */
export function Wanted() {
  const user = useSession((session) => session.user)
  const [params] = useSearchParams()
  const address = safeRedirect(params.get('wanted'))
  const wanted = user && params.has('wanted') ? lackedFor(screens, address, user) : null
  if (!user || !wanted) return null
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
  const names = lacked.map((name) => `“${inWords[name] ?? name}”`).join(' and ')
  return (
    <Notice tone="warn">
      {user.acting_as === null
        ? `“${title}” needs the permission ${names}, which you do not have. Ask a colleague who has the permission “${inWords.manage_staff}”.`
        : lacked.includes(backofficePermission)
          ? 'The backoffice cannot be used while working on the account of a team. Go back to your own account first.'
          : `“${title}” needs the permission ${names}, which you do not have on this account. Ask ${user.acting_as} for it.`}
    </Notice>
  )
}
