import type { Signal } from './kernel/live.ts'
import type { Permission } from './kernel/permission.ts'

/**
 * What one must hold to read events of a category: in the activities, live, and by webhook. The categories are the areas that have events;
 * one without a permission here does not compile (events.ts).
 */
export const readingPermissions = {
  alpon_fleets: 'alpon_fleets.view',
  assets: 'assets.view',
  auth: 'profile.view',
  backoffice: 'profile.view',
  billing: 'billing.view',
  core: 'core.view',
  datapools: 'datapools.view',
  developers: 'developers.view',
  devices: 'assets.view',
  network_groups: 'network_groups.view',
  notifications: 'notifications.view',
  registry: 'registry.view',
  reports: 'reports.view',
  tags: 'assets.view',
  teams: 'profile.view',
  terminal: 'assets.view',
} as const satisfies Record<string, Permission>

export type EventCategory = keyof typeof readingPermissions
export const eventCategories = (Object.keys(readingPermissions) as EventCategory[]).toSorted()

/** The categories that somebody with these permissions reads. */
export const categoriesRead = (permissions: 'all' | readonly string[]): EventCategory[] =>
  eventCategories.filter((category) => permissions === 'all' || permissions.includes(readingPermissions[category]))

/** What a console gets in place of an event that its person may not read: it may show in figures and on the account all the same. */
const somethingChanged: Signal = { name: 'changed', refreshes: ['overview', 'activities', 'account', 'assets'] }

/** What they get of a signal (`assets.sim_blocked`): no name of an event that they may not read. What is no event, like usage, has no permission here. */
export function asReceived<Received extends Pick<Signal, 'name'>>(
  permissions: 'all' | readonly string[],
  signal: Received
): Received | Signal {
  const category = signal.name.split('.')[0]!
  if (permissions === 'all' || !Object.hasOwn(readingPermissions, category)) return signal
  return permissions.includes(readingPermissions[category as EventCategory]) ? signal : somethingChanged
}

/** Fields of a detail that name an asset. An event that has one and is about no single asset is nothing for whoever sees some assets alone. */
const namingFields = ['asset_name', 'serial', 'serials', 'iccid', 'imsi', 'msisdn', 'imei', 'identity'] as const
export const namesAssets = (detail: Record<string, unknown>): boolean => namingFields.some((field) => field in detail)

/**
 * Fields of a detail that show more than whoever is limited to tags sees: names of assets, and keys, webhooks and reports, which may reach
 * further than they do. An event that has one and is about no single asset is nothing for them.
 */
export const wideFields = [...namingFields, 'api_key_id', 'webhook_id', 'report_id', 'schedule_id', 'core_deployment_id'] as const

/** A field of a detail that is an amount of money, in events that are read without billing: for whoever reads billing alone. */
export const moneyField = 'price'
export const readsMoney = (permissions: 'all' | readonly string[]): boolean =>
  permissions === 'all' || permissions.includes(readingPermissions.billing)

/** What an alert asks of its readers where nobody but the owner is to know of it. */
export const ownerOnly = 'owner'
