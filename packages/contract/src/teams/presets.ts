import { permissions, type Permission } from '../kernel/permission.ts'

const names = Object.keys(permissions) as Permission[]
const links: Permission[] = ['faq', 'community', 'contact']
const inOrder = (wanted: readonly Permission[]) => names.filter((name) => wanted.includes(name) || links.includes(name))

export type Preset = { label: string; words: string; permissions: readonly Permission[] }

/** Usual sets of permissions, over the specification's names. */
export const presets: readonly Preset[] = [
  { label: 'Administrator', words: 'Everything an owner can do, including the team', permissions: names },
  {
    label: 'Operator',
    words: 'Manages assets, SIMs, fleets and network groups; no billing, no team',
    permissions: inOrder([
      'overview.view',
      'assets.view',
      'assets.edit',
      'assets.register',
      'datapools.view',
      'network_groups.view',
      'network_groups.edit',
      'usage.view',
      'registry.view',
      'alpon_fleets.view',
      'alpon_fleets.edit',
      'core.view',
      'core.edit',
      'notifications.view',
      'notifications.edit',
      'terminal.open',
      'terminal.files',
      'tunnels.open',
    ]),
  },
  {
    label: 'Billing',
    words: 'Pays, buys data pools and reads reports; changes no asset',
    permissions: inOrder([
      'overview.view',
      'datapools.view',
      'datapools.edit',
      'usage.view',
      'billing.view',
      'billing.edit',
      'reports.view',
      'reports.edit',
      'notifications.view',
      'notifications.edit',
    ]),
  },
  { label: 'Read-only', words: 'Sees everything, changes nothing', permissions: inOrder(names.filter((name) => name.endsWith('.view'))) },
]

/** The preset that these permissions are; undefined when they are none. */
export const presetOf = (granted: readonly string[]): Preset | undefined =>
  presets.find((preset) => preset.permissions.length === granted.length && preset.permissions.every((name) => granted.includes(name)))
