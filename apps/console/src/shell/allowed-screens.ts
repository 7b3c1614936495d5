import { matchPath } from 'react-router'
import { mayUser, type Permitted } from '../api/may.ts'
import { isStaffPermission } from '@masthead/contract/kernel/permission'
import type { GuardedRoute } from './guard.ts'
import { entryPermission, type MenuEntry, type MenuGroup } from './menu.ts'

type Titled = GuardedRoute & { path: string; title: string }

/** The rows of the menu that lead to a screen of this console one may see, in their order. Backoffice rows are none of them. */
export const allowedEntries = (groups: readonly MenuGroup[], user: Permitted): (MenuEntry & { to: string })[] =>
  groups
    .filter((group) => !group.backoffice)
    .flatMap((group) => group.entries)
    .flatMap((entry) => entry.children ?? [entry])
    .filter((entry): entry is MenuEntry & { to: string } => entry.to !== undefined && mayUser(user, entryPermission(entry)))

/** The screen behind an address inside the console, and the permissions for it that one lacks. Null when there is no such screen. */
export function lackedFor(screens: readonly Titled[], address: string, user: Permitted): { title: string; lacked: string[] } | null {
  const path = address.split('?')[0]!
  const screen = screens.find((one) => matchPath(one.path, path))
  if (!screen) return null
  const needed = [...(screen.teamPermissions ?? []), ...(screen.permissions ?? []).filter(isStaffPermission)]
  return { title: screen.title, lacked: needed.filter((name) => !mayUser(user, name)) }
}
