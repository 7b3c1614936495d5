import { backofficePermission, isStaff } from '@masthead/contract/kernel/permission'
import { grantedPermissions, inGroups, type Permitted } from '../api/may.ts'

/** What the guard reads of a screen. */
export type GuardedRoute = {
  /** Open without signing in. */
  public?: boolean
  /** All of them are needed (spec §5). */
  groups?: string | readonly string[]
  /** Needed of the membership while acting on a team's account. */
  teamPermissions?: readonly string[]
  /** Needed of the user: staff permissions. */
  permissions?: readonly string[]
  backofficeToken?: boolean
  /** The screen where the backoffice token is got. */
  backofficeAccess?: boolean
}

export type GuardState = {
  /** Of the address as the browser has it, with `#`. */
  hash: string
  /** Where one wants to go: path and query below the router's root. */
  intended: string
  /** `undefined`: nobody asked yet. `null`: nobody is signed in. */
  user: Permitted | null | undefined
  backofficeToken: string | null
  /** Seconds since 1970. */
  now: number
}

/** Stay, go to a path, go back in the history, or first ask who is signed in and come again. */
export type Verdict = { stay: true } | { go: string } | { back: 1 } | { ask: 'user_info' }

/** The claim `exp` (seconds) of a signed token; null when it cannot be read. */
export function tokenExpiry(token: string): number | null {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')
    const { exp } = JSON.parse(atob(payload)) as { exp?: unknown }
    return typeof exp === 'number' ? exp : null
  } catch {
    return null
  }
}

/** Valid only while the time is below its expiry (spec §4). */
export const tokenValid = (token: string | null, now: number) => token !== null && now < (tokenExpiry(token) ?? 0)

const carried = (hash: string) => /(?:^#\/?|[#&?/])(access_token=.*)$/.exec(hash)?.[1]
const withIntended = (path: string, key: string, intended: string) =>
  intended === '/' ? path : `${path}?${key}=${encodeURIComponent(intended)}`

export const paths = { login: '/login', overview: '/', team: '/teams-redirect', backoffice: '/masa', access: '/masa/access' }

/** Whether a way from one screen to another ends the session in the backoffice (spec §4). Where its token is got still belongs to it. */
export const leavesBackoffice = (from: GuardedRoute | undefined, to: GuardedRoute | undefined) =>
  Boolean(from?.backofficeToken && !to?.backofficeToken && !to?.backofficeAccess)

/** The seven steps before a screen is shown, in the order of spec §5. */
export function guard(state: GuardState, route: GuardedRoute): Verdict {
  if (route.public) return { stay: true }
  // 1. An access token in the address is carried to the sign-in.
  const token = carried(state.hash)
  if (token) return { go: `${paths.login}?${token}` }
  // 2. Somebody must be signed in.
  if (state.user === undefined) return { ask: 'user_info' }
  if (state.user === null) return { go: withIntended(paths.login, 'redirect', state.intended) }
  const { user } = state
  // 3. All groups.
  if (route.groups && !inGroups(user, route.groups)) return { go: paths.overview }
  // What is missing there is said on the screen that one is led to; the backoffice is named to staff alone.
  const team: Verdict = { go: withIntended(paths.team, 'wanted', state.intended) }
  const overview: Verdict = {
    go: isStaff(user.permissions) ? withIntended(paths.overview, 'wanted', state.intended) : paths.overview,
  }
  // 4. On a team's account: all permissions of the membership.
  const granted = grantedPermissions(user)
  if (granted && route.teamPermissions && !route.teamPermissions.every((name) => granted.includes(name))) return team
  // 5. All permissions of the user; no backoffice on a team's account.
  if (route.permissions && !route.permissions.every((name) => user.permissions.includes(name))) return overview
  if (route.permissions?.includes(backofficePermission) && granted) return team
  // 6. A valid backoffice token.
  const valid = tokenValid(state.backofficeToken, state.now)
  if (route.backofficeToken && !valid) return { go: withIntended(paths.access, 'redirect_url', state.intended) }
  // 7. Nothing to confirm where it is confirmed already.
  if (route.backofficeAccess && valid) return { back: 1 }
  return { stay: true }
}
