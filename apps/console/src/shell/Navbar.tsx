import { backofficePermission } from '@masthead/contract/kernel/permission'
import { Bell, Building2, ChevronsUpDown, LogOut, Monitor, Moon, PanelLeft, Search, Sun, UserRound } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useMatches, useNavigate } from 'react-router'
import { mayUser } from '../api/may.ts'
import { queries } from '../api/query.ts'
import { signOut, useSession } from '../api/session.ts'
import { screens, type Screen } from '../screens.ts'
import { Count } from '../ui/Badge.tsx'
import { Button, buttonClass, IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { Popover } from '../ui/Popover.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { lackedFor } from './allowed-screens.ts'
import { teamsOf, useChangeAccount } from './change-account.ts'
import { commandKey } from './keys.ts'
import { toggleSidebar, useShell } from './shell-state.ts'
import { chooseTheme, useThemeChoice, type ThemeChoice } from '../kit/theme-choice.ts'

export function Navbar() {
  const open = useShell((shell) => shell.sidebarOpen)
  const narrow = useShell((shell) => shell.narrow)
  const user = useSession((session) => session.user)
  const leaving = useSession((session) => session.leaving)
  const accounts = useAccounts()
  const choice = useThemeChoice((theme) => theme.choice)
  const theme = useThemeItems()
  const navigate = useNavigate()
  const screen = useMatches().at(-1)?.handle as Screen | undefined
  // The way in for who has it; inside, the sidebar has its rows.
  const toBackoffice = mayUser(user, backofficePermission) && !screen?.backofficeToken
  const logout: MenuItem = { label: 'Logout', icon: LogOut, onSelect: () => void signOut() }
  if (!user) return <header className="navbar" />
  const logo = (
    <Link key="logo" to="/" className="flex items-center gap-[9px] rounded-sm text-[15px] font-semibold tracking-[-0.02em]">
      <Mark />
      Masthead
    </Link>
  )
  const toggle = (
    <IconButton
      key="toggle"
      label={open ? 'Close the sidebar' : 'Open the sidebar'}
      icon={PanelLeft}
      className="ml-auto max-side:ml-0"
      aria-expanded={open}
      aria-controls="sidebar"
      onClick={toggleSidebar}
    />
  )
  const avatar = <Avatar name={accounts.current} />
  return (
    <header className="navbar">
      {/* Tab goes as the eye does: where there is little room the toggle comes first. */}
      <div className="navbar-brand">{narrow ? [toggle, logo] : [logo, toggle]}</div>
      <button type="button" className="omni" aria-haspopup="dialog" onClick={() => useShell.setState({ floating: 'palette' })}>
        <Icon of={Search} />
        <span>Find anything</span>
        <kbd className="kbd" aria-hidden>
          {commandKey} K
        </kbd>
      </button>
      <div className="ml-auto flex items-center gap-1 max-side:ml-0">
        <Invitations />
        <span className="mx-2 h-5 w-px bg-line-2 max-nav:hidden" />
        <div className="flex items-center gap-1 max-nav:hidden">
          {accounts.items.length > 0 ? (
            <Menu
              trigger={
                <Button color="ghost">
                  {avatar}
                  <span className="max-w-48 truncate leading-normal">{accounts.current}</span>
                  <ChevronsUpDown size={14} strokeWidth={1.75} aria-hidden />
                </Button>
              }
              label="Account"
              align="end"
              header={<Who />}
              items={accounts.items}
            />
          ) : (
            <span className="flex items-center gap-1.5 px-3 font-medium text-fg-2" title={`Signed in as ${user.email}`}>
              {avatar}
              <span className="max-w-48 truncate">{accounts.current}</span>
            </span>
          )}
          <Menu
            trigger={<IconButton label="Theme" icon={themes.find(([value]) => value === choice)![2]} />}
            label="Theme"
            align="end"
            items={theme}
          />
          {toBackoffice && (
            <Link to="/masa" className={buttonClass('ghost')}>
              Backoffice
            </Link>
          )}
          {user.acting_as === null && (
            <Link to="/profile" className={buttonClass('ghost')}>
              Profile
            </Link>
          )}
          <Button color="ghost" loading={leaving} onClick={() => void signOut()}>
            Logout
          </Button>
        </div>
        <Menu
          trigger={
            <button type="button" className="grid size-8 place-items-center rounded-md hover:bg-active nav:hidden coarse:size-10">
              <span className="sr-only">Account menu</span>
              {avatar}
            </button>
          }
          label="Account menu"
          align="end"
          header={<Who />}
          items={[
            ...accounts.items,
            ...(accounts.items.length > 0 ? [{ separator: true } as const] : []),
            ...theme,
            { separator: true },
            ...(toBackoffice ? [{ label: 'Backoffice', icon: Building2, onSelect: () => void navigate('/masa') }] : []),
            ...(user.acting_as === null ? [{ label: 'Profile', icon: UserRound, onSelect: () => void navigate('/profile') }] : []),
            logout,
          ]}
        />
      </div>
    </header>
  )
}

const initials = (name: string) =>
  name
    .split(/[\s._@-]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')

const Avatar = ({ name }: { name: string }) => (
  <span
    aria-hidden
    className="inline-grid size-5 flex-none place-items-center rounded-sm bg-fg text-[10px] font-semibold tracking-normal text-bg"
  >
    {initials(name)}
  </span>
)

function Who() {
  const user = useSession((session) => session.user)
  return <p className="mb-1 max-w-72 truncate border-b border-line px-2 pt-1 pb-2 text-xs text-fg-3">Signed in as {user?.email}</p>
}

/** The account one works on, and the others one may switch to (spec §4). */
function useAccounts(): { current: string; items: MenuItem[] } {
  const user = useSession((session) => session.user)
  const change = useChangeAccount()
  if (!user) return { current: '', items: [] }
  const teams = teamsOf(user)
  return {
    current: teams.find((team) => team.current)?.team_name ?? user.acting_as ?? '',
    items:
      teams.length < 2
        ? []
        : [
            { heading: 'Work on the account of' },
            ...teams.map(({ email, team_name, current }) => ({
              label: team_name,
              checked: current,
              onSelect: () => void (!current && change(email)),
            })),
          ],
  }
}

const themes = [
  ['system', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const satisfies readonly (readonly [ThemeChoice, string, typeof Sun])[]

function useThemeItems(): MenuItem[] {
  const choice = useThemeChoice((theme) => theme.choice)
  return [
    { heading: 'Theme' },
    ...themes.map(([value, label, icon]) => ({ label, icon, checked: choice === value, onSelect: () => chooseTheme(value) })),
  ]
}

const CountCritical = lazy(() =>
  import('../notifications/CountCritical.tsx').then(
    ({ CountCritical }) => ({ default: CountCritical }),
    // Without it the bell has no mark; the screen stands.
    () => ({ default: (_: { onCount: (count: number) => void }) => null })
  )
)
const setCritical = (critical: number) => useShell.setState({ critical })

/** True once the first screen has what it asked for: what is not of it must not take its time. */
function useLater() {
  const [later, setLater] = useState(false)
  useEffect(() => {
    if (later) return
    const timer = setInterval(() => setLater(queries.isFetching() === 0), 2000)
    return () => clearInterval(timer)
  }, [later])
  return later
}

const BellContent = lazy(() => import('../notifications/BellContent.tsx').then(({ BellContent }) => ({ default: BellContent })))

const countWords = (count: number, what: string) => (count === 0 ? '' : `, ${count} ${what}${count > 1 ? 's' : ''}`)

/** The bell with the number of pending invitations (spec §2). While a critical alert is open it has a mark. */
function Invitations() {
  const later = useLater()
  const critical = useShell((shell) => shell.critical)
  const allowed = useSession(({ user }) => user !== null && lackedFor(screens, '/notifications', user)?.lacked.length === 0)
  const pending = useSession((session) => session.user?.pending_invitations_from ?? [])
  if (!allowed) return null
  return (
    <Popover
      trigger={
        <IconButton
          label={`Notifications${countWords(pending.length, 'pending invitation')}${countWords(critical, 'open critical alert')}`}
          icon={Bell}
          className="relative"
        >
          <span className="absolute -top-px -right-[3px] rounded-full ring-2 ring-chrome empty:hidden">
            {pending.length > 0 && <Count of={pending.length} />}
          </span>
          {critical > 0 && (
            <span className="absolute right-0 bottom-0 grid rounded-full bg-chrome">
              <StateShape shape="octagon" tone="bad" />
            </span>
          )}
          {later && (
            <Suspense>
              <CountCritical onCount={setCritical} />
            </Suspense>
          )}
        </IconButton>
      }
      label="Notifications"
      align="end"
      className="w-72"
    >
      {(close) => (
        <Suspense>
          <BellContent close={close} />
        </Suspense>
      )}
    </Popover>
  )
}
