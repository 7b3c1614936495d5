import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { Bytes } from '../kernel/fields.ts'
import { formatBytes } from '../usage/bytes.ts'

// What staff did that concerns one account: its people read these sentences in their activities.

const why = { reason: z.string() }
const asset = { asset_id: z.nullable(z.string()), asset_name: z.string() }

export const backofficeEntered = event({
  name: 'backoffice.entered',
  refreshes: [],
  detail: z.object(why),
  sentence: 'Entered the backoffice: {reason}',
})
export const backofficeLeft = event({
  name: 'backoffice.left',
  refreshes: [],
  detail: z.object({}),
  sentence: 'Left the backoffice',
})
export const staffGranted = event({
  name: 'backoffice.staff_granted',
  refreshes: ['auth'],
  detail: z.object({ email: z.string(), permissions: z.array(z.string()) }),
  sentence: 'Granted staff permissions to {email}',
})
export const staffRevoked = event({
  name: 'backoffice.staff_revoked',
  refreshes: ['auth'],
  detail: z.object({ email: z.string() }),
  sentence: 'Revoked the staff permissions of {email}',
})
export const inventoryLoaded = event({
  name: 'backoffice.inventory_loaded',
  refreshes: ['assets'],
  effects: ['backoffice.hold_new_sims'],
  detail: z.object({ loaded: z.int(), failed: z.int(), account: z.nullable(z.string()) }),
  sentence: ({ account }) => (account ? 'Registered {loaded} assets for {account}' : 'Loaded {loaded} assets into stock'),
})
export const deviceCut = event({
  name: 'backoffice.device_cut',
  refreshes: ['devices'],
  detail: z.object({ asset_id: z.string(), asset_name: z.string(), reason: z.string() }),
  sentence: 'Cut off the device of {asset_name}: {reason}',
})
export const accountViewed = event({
  name: 'backoffice.account_viewed',
  refreshes: [],
  effects: ['notifications.update_alerts'],
  detail: z.object(why),
  sentence: 'Looked at the account: {reason}',
})
export const accountEntered = event({
  name: 'backoffice.account_entered',
  refreshes: [],
  effects: ['notifications.update_alerts'],
  detail: z.object({ reason: z.string(), until: z.string() }),
  sentence: 'Looked at the console of the account, without being able to change anything: {reason}',
})
export const accountSuspended = event({
  name: 'backoffice.account_suspended',
  refreshes: ['account', 'assets'],
  effects: ['backoffice.hold_account', 'notifications.update_alerts'],
  detail: z.object(why),
  sentence: 'Suspended the account: {reason}',
})
export const accountResumed = event({
  name: 'backoffice.account_resumed',
  refreshes: ['account', 'assets'],
  effects: ['backoffice.hold_account', 'notifications.update_alerts'],
  detail: z.object(why),
  sentence: 'Resumed the account: {reason}',
})
export const emailProvedByStaff = event({
  name: 'backoffice.email_proved',
  refreshes: ['account', 'auth'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ email: z.string(), reason: z.string() }),
  sentence: 'Confirmed that the e-mail address {email} belongs to the owner: {reason}',
})
export const featuresChanged = event({
  name: 'backoffice.features_changed',
  refreshes: ['account'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ on: z.array(z.string()), off: z.array(z.string()), reason: z.string() }),
  sentence: ({ on }) => (on.length > 0 ? 'Switched on {on}: {reason}' : 'Switched off {off}: {reason}'),
})
export const groupsChanged = event({
  name: 'backoffice.groups_changed',
  refreshes: ['auth'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ email: z.string(), groups: z.array(z.string()), reason: z.string() }),
  sentence: ({ groups }) =>
    groups.length > 0 ? 'Put {email} into the groups {groups}: {reason}' : 'Took {email} out of every group: {reason}',
})
export const testAllowanceSet = event({
  name: 'backoffice.test_allowance_set',
  refreshes: ['account', 'backoffice'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ bytes: z.nullable(Bytes), reason: z.string() }),
  sentence: ({ bytes }) =>
    bytes === null
      ? 'Took the free test of new SIMs away: {reason}'
      : `Set the free test of new SIMs to ${formatBytes(bytes)} each: {reason}`,
})
export const registryQuotaSet = event({
  name: 'backoffice.registry_quota_set',
  refreshes: ['registry', 'backoffice'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ bytes: z.nullable(Bytes), reason: z.string() }),
  sentence: ({ bytes }) =>
    bytes === null
      ? 'Set the storage in the container registry to what every account has: {reason}'
      : `Set the storage in the container registry to ${formatBytes(bytes)}: {reason}`,
})
export const assetViewed = event({
  name: 'backoffice.asset_viewed',
  refreshes: [],
  effects: ['notifications.update_alerts'],
  detail: z.object({ ...asset, ...why }),
  sentence: 'Looked at {asset_name}: {reason}',
})
export const stockAssigned = event({
  name: 'backoffice.stock_assigned',
  refreshes: ['assets'],
  effects: ['backoffice.hold_new_sims', 'notifications.update_alerts'],
  detail: z.object({ count: z.int(), serials: z.array(z.string()), reason: z.string() }),
  sentence: ({ count }) => `Registered ${count === 1 ? 'the asset {serials}' : '{count} assets'} for the account: {reason}`,
})
export const assetTaken = event({
  name: 'backoffice.asset_taken',
  refreshes: ['assets'],
  effects: ['notifications.update_alerts'],
  /** Without its id in events from before: those are only for who sees every asset. */
  detail: z.object({
    asset_id: z.optional(z.string()),
    asset_name: z.string(),
    serial: z.string(),
    to: z.nullable(z.string()),
    reason: z.string(),
  }),
  sentence: ({ to }) => (to ? 'Moved {asset_name} to another account: {reason}' : 'Moved {asset_name} back into stock: {reason}'),
})
export const assetGiven = event({
  name: 'backoffice.asset_given',
  refreshes: ['assets'],
  effects: ['backoffice.hold_new_sims', 'notifications.update_alerts'],
  detail: z.object({ ...asset, serial: z.string(), reason: z.string() }),
  sentence: 'Moved {asset_name} to the account: {reason}',
})
export const usageMatched = event({
  name: 'backoffice.usage_matched',
  refreshes: ['assets', 'usage'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ ...asset, identity: z.string(), sessions: z.int(), bytes: Bytes, imsi_added: z.boolean(), reason: z.string() }),
  sentence: 'Counted usage reported for {identity} for {asset_name}: {reason}',
})

const support = { asset_id: z.string(), asset_name: z.string(), support_id: z.string() }
/** `standing`: the account allowed it beforehand. */
export const supportAsked = event({
  name: 'backoffice.support_asked',
  refreshes: ['terminal'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ ...support, ...why, for_time: z.string(), standing: z.boolean() }),
  sentence: ({ standing }) =>
    standing
      ? 'Got access to the terminal of {asset_name} for {for_time} by the standing consent: {reason}'
      : 'Asked for access to the terminal of {asset_name} for {for_time}: {reason}',
})
export const supportLeft = event({
  name: 'backoffice.support_left',
  refreshes: ['terminal'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ ...support, allowed: z.boolean() }),
  sentence: ({ allowed }) => (allowed ? 'Ended the support access to {asset_name}' : 'Withdrew the request for access to {asset_name}'),
})
