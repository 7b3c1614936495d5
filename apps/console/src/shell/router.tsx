import { createBrowserRouter, createHashRouter, Outlet, redirect, type MiddlewareFunction, type RouteObject } from 'react-router'
import { leaveBackoffice } from '@masthead/contract/backoffice/operations'
import { call, surroundings } from '../api/client.ts'
import { backofficeToken, clearSession, fetchUser, setBackofficeToken, useSession } from '../api/session.ts'
import { screens, type Screen } from '../screens.tsx'
import { Toaster } from '../ui/Toaster.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { guard, paths } from './guard.ts'
import { loadScreen } from './load-screen.ts'
import { Loading } from './LoadingBar.tsx'
import { Shell } from './Shell.tsx'

/** Hash addresses unless the build says `VITE_ROUTER=history` (spec §2). */
const byHistory = import.meta.env.VITE_ROUTER === 'history'

/** Carries out what the guard says before a screen's route is entered. */
const guarded =
  (screen: Pick<Screen, 'public'> & Partial<Screen>): MiddlewareFunction =>
  async ({ request }, next) => {
    const url = new URL(request.url)
    const ask = () => {
      const { status, user } = useSession.getState()
      return guard(
        {
          // With hash addresses the path is what stands behind the #; the address bar still shows where one comes from.
          hash: byHistory ? location.hash : `#${url.pathname}${url.search}`,
          intended: url.pathname + url.search,
          user: status === 'idle' || status === 'loading' ? undefined : user,
          backofficeToken: backofficeToken(),
          now: Date.now() / 1000,
        },
        screen
      )
    }
    let verdict = ask()
    if ('ask' in verdict) {
      await fetchUser()
      verdict = ask()
    }
    if ('go' in verdict) throw redirect(verdict.go)
    if ('back' in verdict) {
      window.history.back()
      return
    }
    return next()
  }

const route = (screen: Screen): RouteObject => ({
  path: screen.path,
  handle: screen,
  middleware: [guarded(screen)],
  lazy: async () => ({ Component: await loadScreen(screen.load) }),
})

const Root = () => (
  <>
    <Outlet />
    <Toaster />
  </>
)

const InShell = () => (
  <Shell>
    <ErrorScreen />
  </Shell>
)

const routes: RouteObject[] = [
  {
    Component: Root,
    HydrateFallback: () => <Loading on />,
    ErrorBoundary: ErrorScreen,
    children: [
      ...screens.filter((screen) => screen.bare).map(route),
      {
        Component: Shell,
        ErrorBoundary: InShell,
        children: [{ ErrorBoundary: ErrorScreen, children: screens.filter((screen) => !screen.bare).map(route) }],
      },
      // Any unknown path is the overview (spec §2).
      { path: '*', middleware: [guarded({})], loader: () => redirect(paths.overview) },
    ],
  },
]

export const router = byHistory ? createBrowserRouter(routes) : createHashRouter(routes)

/** Where one is, or is on the way to: what is asked for meanwhile belongs to that screen already. */
const here = () => {
  const { pathname, search } = router.state.navigation.location ?? router.state.location
  return pathname + search
}
const screenHere = () => router.state.matches.at(-1)?.route.handle as Screen | undefined

surroundings.onBackofficeRoute = () => Boolean(screenHere()?.backofficeToken)
surroundings.signedOut = () => {
  if (useSession.getState().status === 'success') clearSession()
}
surroundings.backofficeRefused = () => {
  // The refusal of the logout itself comes here again: then there is nothing left to do.
  if (backofficeToken() === null && here().startsWith(paths.access)) return
  if (backofficeToken() !== null) void call(leaveBackoffice, {})
  setBackofficeToken(null)
  void router.navigate(`${paths.access}?redirect_url=${encodeURIComponent(here())}`)
}
// Who is no longer signed in goes to the sign-in, and can come back to where they were.
useSession.subscribe((session, before) => {
  if (before.status !== 'success' || session.status !== 'error' || screenHere()?.public) return
  const intended = here()
  if (intended.startsWith(paths.login)) return
  void router.navigate(intended === '/' || session.left ? paths.login : `${paths.login}?redirect=${encodeURIComponent(intended)}`)
})
