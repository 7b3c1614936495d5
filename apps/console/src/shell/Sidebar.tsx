import { ChevronRight, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useMatches } from 'react-router'
import { mayUser } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { settings } from '../api/settings.ts'
import type { Screen } from '../screens.ts'
import { cx } from '../ui/cx.ts'
import { Icon } from '../ui/Icon.tsx'
import { isCurrent, visibleMenu, type MenuEntry } from './menu.ts'
import { useShell } from './shell-state.ts'
import { useAccount } from './use-account.ts'
import { useMenu } from './use-menu.ts'

export function Sidebar() {
  const user = useSession((session) => session.user)
  const account = useAccount()
  const { pathname } = useLocation()
  const screen = useMatches().at(-1)?.handle as Screen | undefined
  const backoffice = Boolean(screen?.backofficeToken)
  const groups = visibleMenu(useMenu(backoffice, pathname), {
    may: (permission) => mayUser(user, permission),
    // On unless staff switched it off: a row that came with the account would move those below it.
    flags: account?.feature_flags ?? { network_groups: true },
    backoffice,
  })
  return (
    <nav id="sidebar" className="sidebar" aria-label="Main">
      {groups.map((group) => (
        <div
          key={group.title}
          ref={group.backoffice ? show : null}
          className="sidebar-group"
          role="group"
          aria-labelledby={`group-${group.title}`}
        >
          <div id={`group-${group.title}`} className="sidebar-title">
            {group.title}
          </div>
          <ul>
            {group.entries.map((entry) => (
              <li key={entry.label}>
                {entry.children ? <Branch entry={entry} pathname={pathname} /> : <Leaf entry={entry} pathname={pathname} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** The group of the backoffice comes last, below what fits most windows. */
const show = (group: HTMLElement | null) => group?.scrollIntoView({ block: 'nearest' })

function Leaf({ entry, pathname }: { entry: MenuEntry; pathname: string }) {
  const outside = entry.link && settings.links?.[entry.link]
  if (outside)
    return (
      <a href={outside} target="_blank" rel="noreferrer" className="sidebar-item">
        <span>{entry.label}</span>
        <Icon of={ExternalLink} size={14} className="ml-auto" />
        <span className="sr-only">(opens in a new window)</span>
      </a>
    )
  return (
    <Link
      to={entry.to!}
      className="sidebar-item"
      aria-current={isCurrent(entry, pathname) ? 'page' : undefined}
      title={entry.icon && entry.label}
    >
      {entry.icon && <Icon of={entry.icon} />}
      <span>{entry.label}</span>
    </Link>
  )
}

/** A parent: starts open. In the rail it opens the sidebar, since its children need the room. */
function Branch({ entry, pathname }: { entry: MenuEntry; pathname: string }) {
  const [open, setOpen] = useState(true)
  const rail = useShell((shell) => !shell.sidebarOpen)
  const holds = entry.children!.some((child) => isCurrent(child, pathname))
  const id = `sub-${entry.label}`
  return (
    <>
      <button
        type="button"
        className={cx('sidebar-item', holds && 'holds')}
        title={entry.label}
        aria-expanded={open && !rail}
        aria-controls={id}
        onClick={() => {
          if (rail) useShell.setState({ sidebarOpen: true })
          setOpen(rail || !open)
        }}
      >
        {entry.icon && <Icon of={entry.icon} />}
        <span>{entry.label}</span>
        <Icon of={ChevronRight} size={14} className="chevron" />
      </button>
      <ul id={id} className="sidebar-sub" hidden={!open}>
        {entry.children!.map((child) => (
          <li key={child.label}>
            <Leaf entry={child} pathname={pathname} />
          </li>
        ))}
      </ul>
    </>
  )
}
