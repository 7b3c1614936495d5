import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router'
import { openLive } from '../api/live.ts'
import { useSession } from '../api/session.ts'
import type { Screen } from '../screens.ts'
import { later } from '../kit/later.tsx'
import { Banner } from '../ui/Banner.tsx'
import { whenIdle } from '../ui/when-idle.ts'
import { Floating } from './Floating.tsx'
import { Footer } from './Footer.tsx'
import { paths } from './guard.ts'
import { Navbar } from './Navbar.tsx'
import { narrow, routeChanged, toggleSidebar, useShell } from './shell-state.ts'
import { Sidebar } from './Sidebar.tsx'
import { Admitted } from './Admitted.tsx'
import { Suspension } from './Suspension.tsx'
import { Switching } from './Switching.tsx'

/** Few addresses have it. */
const Wanted = later(() => import('./Wanted.tsx').then((file) => file.Wanted))
const SupportRibbon = later(() => import('../terminal/support/SupportRibbon.tsx').then((file) => file.SupportRibbon), null, whenIdle)

/** Everything around a screen that needs signing in. */
export function Shell({ children }: { children?: ReactNode }) {
  const { sidebarOpen, switchingAccount } = useShell()
  const { pathname, search, key } = useLocation()
  const covered = sidebarOpen && narrow.matches
  // Another account is another stream.
  const account = useSession(({ user }) => user && (user.acting_as ?? user.email))
  const { handle, params = {} } = useMatches().at(-1) ?? {}
  const screen = handle as Screen | undefined
  const main = useRef<HTMLElement>(null)
  const seen = useRef({ pathname, key })

  useEffect(() => {
    if (account === null) return
    return openLive()
  }, [account])

  useEffect(() => void routeChanged(), [key])

  useEffect(() => {
    if (!covered) return
    const content = main.current
    // The row that was chosen is gone: its screen is what one goes on with.
    return () => {
      const at = document.activeElement
      if (!at || at === document.body || at.closest('#sidebar')) content?.focus({ preventScroll: true })
    }
  }, [covered])

  useEffect(() => {
    const before = seen.current
    seen.current = { pathname, key }
    // A field that the screen begins with keeps the focus that it took.
    const readOn = () => main.current?.querySelector('input:focus, textarea:focus') ?? main.current?.focus({ preventScroll: true })
    // A new screen is read from its beginning, also by a screen reader.
    if (before.pathname !== pathname) readOn()
    // So is what took the place of a list, unless a dialog that closed knows a better one.
    else if (before.key !== key) requestAnimationFrame(() => document.activeElement === document.body && readOn())
  }, [pathname, key])

  return (
    <>
      <div
        className="shell"
        data-sidebar={sidebarOpen ? 'open' : 'closed'}
        inert={switchingAccount}
        onKeyDown={covered ? escape : undefined}
      >
        <a href="#main" className="skip-link" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
          Skip to content
        </a>
        <Navbar />
        <Sidebar />
        <div className="main @container" inert={covered}>
          <main id="main" ref={main} tabIndex={-1} className="flex flex-1 flex-col outline-none">
            <Suspension />
            <div className="page">
              {screen && !screen.ownBanner && <Banner key={screen.path} title={screen.title} subtitle={screen.subtitle} />}
              {screen?.path === paths.overview && <div className="pb-4 empty:hidden">{/wanted/.test(search) && <Wanted />}</div>}
              <Admitted title={screen?.ownBanner ? screen.title : null}>
                {children ?? <Outlet key={Object.values(params).join()} />}
              </Admitted>
            </div>
          </main>
          <SupportRibbon />
          <Footer />
        </div>
        <ScrollRestoration />
      </div>
      <Floating />
      {switchingAccount && <Switching />}
    </>
  )
}

/** Escape leaves a sidebar that covers the window, unless it is meant for what floats above. */
function escape(event: KeyboardEvent) {
  if (event.key !== 'Escape' || (event.target as HTMLElement).closest('[popover]')) return
  toggleSidebar()
  document.querySelector<HTMLElement>('[aria-controls=sidebar]')?.focus()
}
