import type { UserInfo } from '@masthead/contract/auth/user-info'
import { getUserInfo, logout } from '@masthead/contract/auth/operations'
import type { Operation } from '@masthead/contract/kernel/operation'
import { create } from 'zustand'
import { call, surroundings } from './client.ts'
import { queries } from './query.ts'
import { grantedPermissions, lacking } from './may.ts'

const tokenKey = 'masthead-backoffice-token'

export type Session = {
  /** `idle`: nobody has asked yet who is signed in. */
  status: 'idle' | 'loading' | 'success' | 'error'
  user: UserInfo | null
  /** One went by oneself: there is nothing to come back to. */
  left: boolean
  /** One is going: the server was asked to end the session. */
  leaving: boolean
  /** The session ended by itself or from elsewhere while it was in use. */
  ended: boolean
  /** Why it is not known who is signed in, in words: the question was not answered. Null where it was, with yes or no. */
  unknown: string | null
}

/** Who is signed in (spec §4). Changed only by the functions below. */
export const useSession = create<Session>(() => ({ status: 'idle', user: null, left: false, leaving: false, ended: false, unknown: null }))

let asking: Promise<UserInfo | null> | null = null

/** Asks who is signed in; calls at the same time share one question. Null when nobody is, or no answer came. */
export const fetchUser = (): Promise<UserInfo | null> =>
  (asking ??= (async () => {
    useSession.setState({ status: 'loading' })
    const result = await call(getUserInfo, {})
    asking = null
    if (result.ok) useSession.setState({ status: 'success', user: result.data, ended: false, unknown: null })
    else {
      const { status, detail } = result.failure
      useSession.setState({ status: 'error', user: null, unknown: status === 401 ? null : detail })
      console.error('Could not read who is signed in:', detail)
    }
    return result.ok ? result.data : null
  })())

/** What the shell does when one may do other things than before or stands on another account (`ended`: since the team of that name let one go), and when the server did not receive that one went. Set once by the shell. `moving`: this tab is on its way to another account by itself. `mayLeave` asks whoever would lose something (kit/LeaveQuestion.tsx). */
export const standing = {
  changed: async (_moved: boolean, _ended?: string) => {},
  unanswered: () => {},
  mayLeave: async () => true,
  moving: false,
}

/** Asks again who is signed in, since a team, or another tab, has changed that. Without an answer all stays as it was. */
export async function refreshUser() {
  const before = useSession.getState().user
  const result = await call(getUserInfo, {})
  if (!before || !result.ok || standing.moving) return
  const user = result.data
  useSession.setState({ user })
  const moved = user.acting_as !== before.acting_as
  const { email, team_name } = before.member_of.find((team) => team.email === before.acting_as) ?? {}
  const ended = user.member_of.some((team) => team.email === email) ? undefined : team_name
  if (moved || String(grantedPermissions(user)) !== String(grantedPermissions(before))) await standing.changed(moved, ended)
}

/** Forgets who is signed in and everything that was shown to them, in this tab. `left`: they signed out, so nothing waits for them. */
export function clearSession({ left = useSession.getState().leaving } = {}) {
  setBackofficeToken(null)
  queries.clear()
  useSession.setState(({ user, ended }) => ({ status: 'error', user: null, left, ended: !left && (user !== null || ended) }))
}

/** Ends the session at the server, here whatever the server says, and then at the identity provider by which it began (spec §7). */
export async function signOut() {
  useSession.setState({ leaving: true })
  const result = await call(logout, {})
  clearSession()
  useSession.setState({ leaving: false })
  if (!result.ok && result.failure.status >= 500) standing.unanswered()
  if (result.ok && result.data.provider_logout_url) location.assign(result.data.provider_logout_url)
}

/** An identity provider's access token on its way from the address to the sign-in: in memory, so that it stays in no address or history. */
export const carried = { accessToken: null as string | null }

export const backofficeToken = () => localStorage.getItem(tokenKey)

export function setBackofficeToken(token: string | null) {
  if (token) localStorage.setItem(tokenKey, token)
  else localStorage.removeItem(tokenKey)
}
surroundings.backofficeToken = backofficeToken

/** Whether the person signed in may call this (spec §6); renders again when that changes. */
export const useMay = (operation: Pick<Operation, 'access'>) => useSession((session) => lacking(session.user, operation) === null)
