/** Every permission an account owner can grant to a team member, with the words the console shows (spec §6; `.edit` names are ours). */
export const permissions = {
  'overview.view': 'See the overview',
  'assets.view': 'See assets and their SIMs',
  'assets.edit': 'Change assets and their SIMs',
  'assets.register': 'Register assets',
  'datapools.view': 'See data pools',
  'datapools.edit': 'Buy and change data pools',
  'network_groups.view': 'See network groups',
  'network_groups.edit': 'Change network groups',
  'usage.view': 'See data usage and cost summaries',
  'billing.view': 'See billing, credits and cost activity',
  'billing.edit': 'Add credits and change payment methods',
  'reports.view': 'See reports',
  'reports.edit': 'Request and delete reports',
  'developers.view': 'See API keys',
  'developers.edit': 'Create and revoke API keys',
  'registry.view': 'See the container registry',
  'registry.edit': 'Change the container registry',
  'alpon_fleets.view': 'See fleets',
  'alpon_fleets.edit': 'Change fleets and roll out versions',
  'core.view': 'See CORE deployments',
  'core.edit': 'Change CORE deployments',
  'notifications.view': 'See notifications',
  'notifications.edit': 'Acknowledge alerts and change alert rules',
  'profile.view': 'See the profile and the team',
  'profile.edit': 'Change the profile and the team',
  'terminal.open': 'Open terminals on devices',
  'terminal.files': 'Send files through terminals, both ways',
  'terminal.recordings': 'Open recordings of terminals',
  'tunnels.open': 'See and open tunnels to devices',
  'support.grant': 'Let support onto devices',
  // Menu items without a permission of their own take their lowercased name (spec §6).
  faq: 'See the frequently asked questions',
  community: 'See the link to the community',
  contact: 'See the link to contact',
} as const

/** What staff may be given. All of them also need a valid backoffice token (spec §6). */
export const staffPermissions = {
  backoffice: 'Use the backoffice',
  audit_logs: 'See the staff audit log',
  manage_networks: 'Manage networks and gateways',
  manage_datapools: 'Manage data pool packages',
  manage_staff: 'Manage staff',
  manage_usage: 'Correct the usage of customers',
  manage_billing: 'Manage credits, refunds and prices',
  manage_devices: 'See and cut devices at the broker',
  manage_support: 'Ask for terminals of customers',
} as const

export type Permission = keyof typeof permissions
export type StaffPermission = keyof typeof staffPermissions

export const isPermission = (name: string): name is Permission => Object.hasOwn(permissions, name)
export const isStaffPermission = (name: string): name is StaffPermission => Object.hasOwn(staffPermissions, name)

/** What makes somebody staff: without it, the others open nothing. */
export const backofficePermission = 'backoffice' satisfies StaffPermission
/** Whether somebody with these permissions is staff. */
export const isStaff = (held: readonly string[]): boolean => held.includes(backofficePermission)
