import { createBrowserRouter, createHashRouter, Outlet, redirect, replace, type MiddlewareFunction, type RouteObject } from 'react-router'
import { getAccount } from '@masthead/contract/account/operations'
import { leaveBackoffice } from '@masthead/contract/backoffice/operations'
import { call, surroundings } from '../api/client.ts'
import { q, queries } from '../api/query.ts'
import { backofficeToken, carried, clearSession, fetchUser, refreshUser, setBackofficeToken, standing, useSession } from '../api/session.ts'
import { backofficeRedirect } from '../api/redirect.ts'
import { screens, type Screen } from '../screens.ts'
import { Mark } from '../ui/Mark.tsx'
import { basePath, settings } from '../api/settings.ts'
import { toast } from '../ui/toast.ts'
import { Toaster } from '../ui/Toaster.tsx'
import { whenIdle } from '../ui/when-idle.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { guard, leavesBackoffice, paths, type GuardedRoute } from './guard.ts'
import { loadScreen } from './load-screen.ts'
import { Loading, LoadingBar } from './LoadingBar.tsx'
import { numberEntries } from './number-entries.ts'
import { useShell } from './shell-state.ts'
import { Shell } from './Shell.tsx'

/** Hash addresses unless the build says `VITE_ROUTER=history` (spec §2). */
const byHistory = import.meta.env.VITE_ROUTER === 'history'
/** What stands before the path of a screen in addresses that the router shows and asks about, and not in those that it takes. */
const basename = byHistory ? basePath : ''
const below = (pathname: string) => pathname.slice(basename.length) || '/'

/** An address that the browser shows already, typed or gone back to, has its entry in the history: the new one takes its place. */
const isShown = ({ pathname, search }: URL) => {
  const shown = byHistory ? location : new URL(location.hash.slice(1) || '/', location.origin)
  return shown.pathname === pathname && shown.search === search
}
const turnTo = (from: URL, to: string) => (isShown(from) ? replace : redirect)(to)

const tabKey = 'masthead-tab-in-backoffice'
/** The backoffice, where this tab showed it before the page was loaded: in the history form each typed address loads it. A tab that was opened out of the backoffice has no history. */
const shownBefore = (): GuardedRoute | undefined =>
  history.length > 1 && sessionStorage.getItem(tabKey) !== null ? { backofficeToken: true } : undefined
/** The screen that one comes from while another is entered. */
let shown = shownBefore()

/** An access token goes on in memory: where it leads to has none in its address. */
function carryToken(to: string) {
  carried.accessToken = new URLSearchParams(to.split('?')[1]).get('access_token')
  return carried.accessToken ? paths.login : to
}

/** Carries out what the guard says before a screen's route is entered. */
const guarded =
  (screen: Pick<Screen, 'public'> & Partial<Screen>): MiddlewareFunction =>
  async ({ request }, next) => {
    const url = new URL(request.url)
    const pathname = below(url.pathname)
    const ask = () => {
      const { status, user } = useSession.getState()
      return guard(
        {
          // With hash addresses the path is what stands behind the #; the address bar still shows where one comes from.
          hash: byHistory ? location.hash : `#${pathname}${url.search}`,
          intended: pathname + url.search,
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
    if ('go' in verdict) throw turnTo(url, carryToken(verdict.go))
    if ('back' in verdict) {
      // Not entered yet, it is one step back where one is. Opened as the first address there is nothing of ours behind it.
      if (!isShown(url)) throw redirect(here())
      const { navigation } = window as { navigation?: { canGoBack: boolean } }
      if (!(navigation?.canGoBack ?? history.length > 1)) throw replace(backofficeRedirect(url.searchParams.get('redirect_url')))
      history.back()
      return
    }
    // Who leaves the backoffice finds all assets (spec §4).
    if (screen.path === '/assets' && url.search && leavesBackoffice(shown, screen)) throw turnTo(url, '/assets')
    return next()
  }

const account = q(getAccount, {})
const longestWait = 5000 // ms

/**
 * Before the first screen in the shell is shown: what stands above it, as that the account is suspended, would move it, and whoever lacks a second factor
 * would see it. The question is on its way since before the console is. Without an answer, or with one that is late, the screen is shown all the same: the
 * shell asks as well, and a shell that asks holds up no other screen.
 */
const accountKnown: MiddlewareFunction = async (_, next) => {
  await next()
  if (queries.isFetching({ queryKey: account.queryKey, type: 'active' }) > 0) return
  const late = new Promise((resolve) => setTimeout(resolve, longestWait))
  await Promise.race([queries.ensureQueryData({ ...account, retry: false }).catch(() => {}), late])
}

const route = (screen: Screen): RouteObject => ({
  path: screen.path,
  handle: screen,
  middleware: [guarded(screen)],
  lazy: async () => ({ Component: await loadScreen(screen.load) }),
})

const Root = () => (
  <>
    <LoadingBar />
    <Outlet />
    <Toaster />
  </>
)

/** Before it is known who is signed in. */
const Starting = () => (
  <>
    <Loading on />
    <div role="status" className="switching starting">
      <Mark size={24} />
      <span>Loading Masthead</span>
    </div>
  </>
)

/** A screen without the shell that failed, or the shell itself. */
const Alone = () => (
  <main className="grid min-h-dvh">
    <h1 className="sr-only">Masthead</h1>
    <ErrorScreen />
  </main>
)

const InShell = () => (
  <Shell>
    <ErrorScreen />
  </Shell>
)

const routes: RouteObject[] = [
  {
    Component: Root,
    HydrateFallback: Starting,
    ErrorBoundary: Alone,
    children: [
      ...screens.filter((screen) => screen.bare).map(route),
      {
        Component: Shell,
        ErrorBoundary: InShell,
        middleware: [accountKnown],
        children: [{ ErrorBoundary: ErrorScreen, children: screens.filter((screen) => !screen.bare).map(route) }],
      },
      // One of the backoffice leads to its first screen: staff who mistype keep their token.
      { path: '/masa/*', middleware: [guarded({})], loader: ({ request }) => turnTo(new URL(request.url), paths.backoffice) },
      // Any other unknown path is the overview (spec §2).
      { path: '*', middleware: [guarded({})], loader: ({ request }) => turnTo(new URL(request.url), paths.overview) },
    ],
  },
]

// Before the router listens.
const entryShown = numberEntries(window)
export const router = byHistory ? createBrowserRouter(routes, { basename: basename || '/' }) : createHashRouter(routes)

/** Where one is, or is on the way to: what is asked for meanwhile belongs to that screen already. */
const here = () => {
  const { pathname, search } = router.state.navigation.location ?? router.state.location
  return below(pathname) + search
}
const screenHere = () => router.state.matches.at(-1)?.route.handle as Screen | undefined

surroundings.onBackofficeRoute = () => Boolean(screenHere()?.backofficeToken)
surroundings.signedOut = () => {
  if (useSession.getState().status === 'success') clearSession()
}
/** Ends the session in the backoffice, there and here (spec §4). */
function endBackoffice() {
  if (backofficeToken() !== null) void call(leaveBackoffice, {})
  setBackofficeToken(null)
}
surroundings.backofficeRefused = () => {
  const onRoute = screenHere()?.backofficeToken
  endBackoffice()
  // Who signs out goes to the sign-in, and to nothing else on the way.
  if (useSession.getState().leaving) return
  // The refusal of the logout itself comes here again: then there is nothing left to do.
  if (!onRoute || here().startsWith(paths.access)) return
  // Who is staff no longer has nothing to confirm: the guard knows it by then.
  void refreshUser().then(() => {
    const address = here()
    if (!screenHere()?.backofficeToken || address.startsWith(paths.access)) return
    return router.navigate(`${paths.access}?redirect_url=${encodeURIComponent(address)}`, { state: { over: true } })
  })
}
// Everything shown is of the account, or of the rights, from before. Who switches in this tab is on the way already.
standing.changed = async (moved, ended) => {
  if (useShell.getState().switchingAccount || standing.moving) return
  standing.moving = true
  // On another account there is no backoffice.
  if (moved) endBackoffice()
  if (moved) await router.navigate(paths.team, { state: ended && { ended } })
  location.reload()
}
standing.unanswered = () =>
  void toast.error('You are signed out in this window, but the server did not answer. Sign in and out once more when it does.', {
    timeout: 0,
  })
function screenShown() {
  const screen = screenHere()
  if (leavesBackoffice(shown, screen)) endBackoffice()
  shown = screen
  if (screen?.backofficeToken) sessionStorage.setItem(tabKey, '')
  else sessionStorage.removeItem(tabKey)
}
router.subscribe(({ navigation }) => {
  if (navigation.state !== 'idle') return
  screenShown()
  entryShown()
})
// A page that the browser had kept whole does not know what the tab showed since.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  shown = shownBefore()
  screenShown()
})
// Who is no longer signed in goes to the sign-in, and can come back to where they were.
useSession.subscribe((session, before) => {
  if (before.status !== 'success' || session.status !== 'error' || screenHere()?.public) return
  const intended = here()
  if (intended.startsWith(paths.login)) return
  void router.navigate(intended === '/' || session.left ? paths.login : `${paths.login}?redirect=${encodeURIComponent(intended)}`, {
    replace: isShown(new URL(basename + intended, location.origin)),
  })
})

if (settings.tag_manager) {
  const { tag_manager } = settings
  void import('./track-routes.ts').then(({ trackRoutes }) => trackRoutes(router, tag_manager))
}
// Its code is none of the first screen's either.
if (settings.card_provider) whenIdle(() => void import('../billing/start-cards.ts').then(({ startCards }) => startCards(router)))
