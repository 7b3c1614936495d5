import type { LucideIcon } from 'lucide-react'

/** A row of the sidebar. One with children opens; one with an address leads there. */
export type MenuEntry = {
  label: string
  icon?: LucideIcon
  to?: string
  /** Shown only with this permission; without one its lowercased label is it (spec §6). */
  permission?: string
  /** For everybody: its screen shows each what they may see. */
  everyone?: true
  /** Also current on addresses below its own. */
  below?: boolean
  /** Leads to the installation's own address of that name instead, when it has one. */
  link?: 'community' | 'contact'
  /** Shown only when the account's flag is on. */
  flag?: string
  children?: MenuEntry[]
}
export type MenuGroup = { title: string; entries: MenuEntry[]; backoffice?: boolean }

type Reader = { may: (permission: string) => boolean; flags: Record<string, boolean>; backoffice: boolean }

/** spec §6: an item's permission, else its lowercased name. */
export const entryPermission = (entry: MenuEntry) => entry.permission ?? entry.label.toLowerCase()

function visibleEntries(entries: MenuEntry[], reader: Reader): MenuEntry[] {
  return entries.flatMap((entry) => {
    if (entry.flag && !reader.flags[entry.flag]) return []
    if (!entry.children) return entry.everyone || reader.may(entryPermission(entry)) ? [entry] : []
    const children = visibleEntries(entry.children, reader)
    return children.length > 0 ? [{ ...entry, children }] : []
  })
}

/** What one may see of the menu: items by permission and flag, parents with a child, groups with an item (spec §6). Backoffice groups only there. */
export const visibleMenu = (groups: MenuGroup[], reader: Reader): MenuGroup[] =>
  groups
    .filter((group) => !group.backoffice || reader.backoffice)
    .map((group) => ({ ...group, entries: visibleEntries(group.entries, reader) }))
    .filter((group) => group.entries.length > 0)

/** Whether an entry is where one is. */
export const isCurrent = (entry: MenuEntry, pathname: string) =>
  entry.to !== undefined && (pathname === entry.to || (entry.below === true && pathname.startsWith(`${entry.to}/`)))
