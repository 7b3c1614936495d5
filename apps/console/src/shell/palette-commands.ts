import { useQuery } from '@tanstack/react-query'
import { listAssets } from '@masthead/contract/assets/operations'
import { ArrowRight, CardSim, Keyboard, LogOut, PanelLeft, SunMoon, Terminal, Users } from 'lucide-react'
import { useNavigate } from 'react-router'
import { mayUser } from '../api/may.ts'
import { q } from '../api/query.ts'
import { signOut, useMay, useSession } from '../api/session.ts'
import { settings } from '../api/settings.ts'
import { copyNextAsCurl } from '../kit/copy-as-curl.ts'
import { menu } from '../menu.ts'
import { screens } from '../screens.ts'
import { toast } from '../ui/toast.ts'
import { lackedFor } from './allowed-screens.ts'
import { teamsOf, useChangeAccount } from './change-account.ts'
import { visibleMenu } from './menu.ts'
import { matchCommands, type Command } from './palette-match.ts'
import { toggleSidebar, useShell } from './shell-state.ts'
import { chooseTheme, useThemeChoice } from '../kit/theme-choice.ts'
import { useAccount } from './use-account.ts'

/** The screens one may open: the rows of the menu, then those without a row. */
function useScreens(): Command[] {
  const user = useSession((session) => session.user)
  const flags = useAccount()?.feature_flags ?? {}
  const navigate = useNavigate()
  if (!user) return []
  const rows = visibleMenu(menu, { may: (name) => mayUser(user, name), flags, backoffice: false }).flatMap((group) =>
    group.entries.flatMap((entry) =>
      (entry.children ?? [entry]).map((leaf): Command => {
        const outside = leaf.link && settings.links?.[leaf.link]
        return {
          id: leaf.to!,
          group: 'Screens',
          label: leaf.label,
          note: entry.children ? entry.label : group.title,
          icon: entry.icon,
          run: () => (outside ? window.open(outside, '_blank', 'noreferrer') : void navigate(leaf.to!)),
        }
      })
    )
  )
  const known = new Set(menu.flatMap((group) => group.entries.flatMap((entry) => [entry, ...(entry.children ?? [])])).map(({ to }) => to))
  const others = screens.filter(
    ({ path, bare, backofficeToken }) =>
      !bare &&
      !backofficeToken &&
      !path.includes(':') &&
      path !== '/teams-redirect' &&
      !known.has(path) &&
      lackedFor(screens, path, user)?.lacked.length === 0
  )
  return [
    ...rows,
    ...others.map(({ path, title }): Command => ({
      id: path,
      group: 'Screens',
      label: title,
      icon: ArrowRight,
      run: () => void navigate(path),
    })),
  ]
}

const themes = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' } as const

function useActions(): Command[] {
  const user = useSession((session) => session.user)
  const choice = useThemeChoice((theme) => theme.choice)
  const open = useShell((shell) => shell.sidebarOpen)
  const change = useChangeAccount()
  const action = (id: string, label: string, icon: Command['icon'], run: () => void, note?: string): Command => ({
    id,
    group: 'Actions',
    label,
    icon,
    note,
    run,
  })
  const others = user ? teamsOf(user).filter((team) => !team.current) : []
  return [
    ...others.map(({ email, team_name }) =>
      action(`team ${email}`, `Work on ${team_name}`, Users, () => void change(email), 'Switch account')
    ),
    ...(['light', 'dark', 'system'] as const)
      .filter((value) => value !== choice)
      .map((value) => action(`theme ${value}`, themes[value], SunMoon, () => chooseTheme(value))),
    action('sidebar', open ? 'Close the sidebar' : 'Open the sidebar', PanelLeft, toggleSidebar),
    action('keys', 'Show keyboard shortcuts', Keyboard, () => useShell.setState({ floating: 'keys' }), '?'),
    action('curl', 'Copy the next action as curl', Terminal, () => {
      copyNextAsCurl()
      toast.info('Carry it out as usual: the call is copied to the clipboard and not sent.', { title: 'Copy the next action as curl' })
    }),
    action('logout', 'Logout', LogOut, () => void signOut(), 'Sign out'),
  ]
}

/** Fewer letters than this would find everything. */
const enough = 2

/** What the palette offers for what was typed; assets are looked up by the API. `searching` while their answer is on its way, `failed` when none came. */
export function useCommands(wanted: string, rested: string): { commands: Command[]; searching: boolean; failed: boolean } {
  const navigate = useNavigate()
  const mayAssets = useMay(listAssets)
  const search = rested.trim()
  const enabled = mayAssets && search.length >= enough
  const { data, isFetching, isError } = useQuery({ ...q(listAssets, { query: { search, page_size: 6 } }), enabled })
  const found = enabled && wanted.trim().length >= enough ? (data?.items ?? []) : []
  const assets = found.map((asset): Command => ({
    id: asset.id,
    group: 'Assets',
    label: asset.name,
    note: asset.serial,
    icon: CardSim,
    run: () => void navigate(`/assets/${asset.id}`),
  }))
  const others = matchCommands([...useScreens(), ...useActions()], wanted)
  const searching = mayAssets && wanted.trim().length >= enough && (isFetching || wanted !== rested)
  return { commands: [...others, ...assets], searching, failed: enabled && isError }
}
