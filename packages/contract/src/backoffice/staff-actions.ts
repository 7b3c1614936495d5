import * as z from 'zod/mini'
import { event, type EventKind } from '../kernel/event.ts'
import { Bytes } from '../kernel/fields.ts'
import { usageCorrected } from '../assets/events.ts'
import {
  atZeroChanged,
  billingSwitchedOn,
  chargeRefunded,
  creditGiven,
  creditVoided,
  payBackAsked,
  tariffAssigned,
  tariffEnded,
  taxChanged,
} from '../billing/events.ts'
import { poolEndedByStaff, poolGranted, poolGrown } from '../datapools/events.ts'
import * as onAccounts from './events.ts'

// What staff do that concerns no single account. It stands in the staff log alone, so no console of a customer shows it.
const action = <Detail extends z.ZodMiniType>(kind: Omit<EventKind<Detail>, 'refreshes' | 'effects'>) => event({ ...kind, refreshes: [] })

const gateway = z.object({ name: z.string() })
const gatewayAt = z.object({ name: z.string(), address: z.string() })

export const searched = action({
  name: 'backoffice.searched',
  detail: z.object({ query: z.string() }),
  sentence: 'Searched for {query}',
})
export const listViewed = action({
  name: 'backoffice.list_viewed',
  detail: z.object({ list: z.string(), search: z.nullable(z.string()) }),
  sentence: ({ search }) => (search === null ? 'Looked at the list of {list}' : 'Looked for {search} in the list of {list}'),
})
/** Why a staff token is worth nothing. */
export const refusedTokenWords = {
  forged: 'The token was not made here, or was changed',
  expired: 'The token has expired',
  another_person: 'The token is somebody else’s',
  another_session: 'The token was made in another session, or its session has ended',
  ended: 'The backoffice session has ended',
} as const
export type TokenFault = keyof typeof refusedTokenWords
export const tokenRefused = action({
  name: 'backoffice.token_refused',
  detail: z.object({ why: z.string() }),
  sentence: 'Sent an invalid staff token',
})
export const packageCreated = action({
  name: 'backoffice.package_created',
  detail: z.object({ package_name: z.string(), data_volume: z.string() }),
  sentence: 'Created package {package_name} of {data_volume}',
})
export const packageRetired = action({
  name: 'backoffice.package_retired',
  detail: z.object({ package_name: z.string() }),
  sentence: 'Retired package {package_name}',
})
export const couponCreated = action({
  name: 'backoffice.coupon_created',
  detail: z.object({ code: z.string(), gives: z.string() }),
  sentence: 'Created coupon {code}: {gives}',
})
export const couponWithdrawn = action({
  name: 'backoffice.coupon_withdrawn',
  detail: z.object({ code: z.string() }),
  sentence: 'Ended coupon {code}',
})
const version = { tariff_name: z.string(), number: z.int() }
export const tariffCreated = action({
  name: 'backoffice.tariff_created',
  detail: z.object({ tariff_name: z.string(), currency: z.string() }),
  sentence: 'Created the price list {tariff_name} in {currency}',
})
export const tariffVersionAdded = action({
  name: 'backoffice.tariff_version_added',
  detail: z.object({ ...version, effective_from: z.string() }),
  sentence: 'Planned version {number} of the price list {tariff_name} from {effective_from} on',
})
export const tariffVersionWithdrawn = action({
  name: 'backoffice.tariff_version_withdrawn',
  detail: z.object(version),
  sentence: 'Withdrew version {number} of the price list {tariff_name}',
})
export const noteAdded = action({
  name: 'backoffice.note_added',
  detail: z.object({ account: z.string() }),
  sentence: 'Wrote a note on {account}',
})
export const gatewayAdded = action({
  name: 'backoffice.gateway_added',
  detail: gatewayAt,
  sentence: 'Added the gateway {name} at {address}',
})
export const gatewayChanged = action({ name: 'backoffice.gateway_changed', detail: gateway, sentence: 'Changed the gateway {name}' })
export const gatewayAddressAdded = action({
  name: 'backoffice.gateway_address_added',
  detail: gatewayAt,
  sentence: 'Added the address {address} to the gateway {name}',
})
export const gatewayAddressChanged = action({
  name: 'backoffice.gateway_address_changed',
  detail: gatewayAt,
  sentence: 'Changed the address {address} of the gateway {name}',
})
export const gatewayAddressRemoved = action({
  name: 'backoffice.gateway_address_removed',
  detail: gatewayAt,
  sentence: 'Removed the address {address} from the gateway {name}',
})
export const gatewaySecretChanged = action({
  name: 'backoffice.gateway_secret_changed',
  detail: gatewayAt,
  sentence: 'Gave the gateway {name} a new secret at {address}',
})
export const gatewayDisabled = action({
  name: 'backoffice.gateway_disabled',
  detail: gateway,
  sentence: 'Switched the gateway {name} off',
})
export const gatewayEnabled = action({ name: 'backoffice.gateway_enabled', detail: gateway, sentence: 'Switched the gateway {name} on' })
/** `sessions`: those that were open; the ended ones follow. */
export const gatewaysJoined = action({
  name: 'backoffice.gateways_joined',
  detail: z.object({ name: z.string(), other: z.string(), addresses: z.int(), sessions: z.int() }),
  sentence: 'Joined the gateway {other} to {name}',
})
export const gatewayRemoved = action({ name: 'backoffice.gateway_removed', detail: gateway, sentence: 'Removed the gateway {name}' })
export const networkChanged = action({
  name: 'backoffice.network_changed',
  detail: z.object({ mccmnc: z.string(), name: z.string() }),
  sentence: 'Changed the network {name} ({mccmnc})',
})
export const networkRated = action({
  name: 'backoffice.network_rated',
  detail: z.object({ mccmnc: z.string(), name: z.string(), effective_from: z.string() }),
  sentence: 'Set the rate of {name} ({mccmnc}) from {effective_from}',
})
export const networksImported = action({
  name: 'backoffice.networks_imported',
  detail: z.object({ added: z.int(), changed: z.int(), effective_from: z.string() }),
  sentence: 'Imported networks: {added} new, {changed} changed, rates from {effective_from}',
})
export const quarantineDiscarded = action({
  name: 'backoffice.quarantine_discarded',
  detail: z.object({ identity: z.string(), sessions: z.int(), bytes: Bytes }),
  sentence: 'Discarded the usage reported for {identity}',
})
export const staffLogExported = action({
  name: 'backoffice.staff_log_exported',
  detail: z.object({}),
  sentence: 'Exported the audit log',
})
export const staffRefused = action({
  name: 'backoffice.refused',
  detail: z.object({ call: z.string() }),
  sentence: 'Tried: {call}',
})

export const simHeld = action({
  name: 'backoffice.sim_held',
  detail: z.object({ asset_id: z.string(), asset_name: z.string(), reason: z.string() }),
  sentence: 'Held the SIM of {asset_name}: {reason}',
})
export const simReleased = action({
  name: 'backoffice.sim_released',
  detail: z.object({ asset_id: z.string(), asset_name: z.string(), reason: z.string() }),
  sentence: 'Lifted the hold on the SIM of {asset_name}: {reason}',
})

const feed = z.object({ name: z.string() })
export const feedAdded = action({ name: 'backoffice.feed_added', detail: feed, sentence: 'Added the feed {name}' })
export const feedChanged = action({ name: 'backoffice.feed_changed', detail: feed, sentence: 'Changed the feed {name}' })
export const feedKeyChanged = action({
  name: 'backoffice.feed_key_changed',
  detail: feed,
  sentence: 'Gave the feed {name} a new key',
})
export const feedFileUploaded = action({
  name: 'backoffice.feed_file_uploaded',
  detail: z.object({ name: z.string(), file_name: z.string() }),
  sentence: 'Uploaded {file_name} for the feed {name}',
})

/** The customer's activities have the terminal itself. */
export const supportTerminalOpened = action({
  name: 'backoffice.support_terminal_opened',
  detail: z.object({ asset_id: z.string(), asset_name: z.string(), terminal_id: z.string() }),
  sentence: 'Opened a terminal on {asset_name} for support',
})

export const advisoriesLoaded = action({
  name: 'backoffice.advisories_loaded',
  detail: z.object({ file_name: z.string(), advisories: z.int() }),
  sentence: 'Loaded {advisories} advisories from {file_name}',
})

const own = {
  advisoriesLoaded,
  packageCreated,
  packageRetired,
  atZeroChanged,
  billingSwitchedOn,
  chargeRefunded,
  creditGiven,
  creditVoided,
  payBackAsked,
  tariffAssigned,
  tariffEnded,
  taxChanged,
  poolEndedByStaff,
  poolGranted,
  poolGrown,
  couponCreated,
  couponWithdrawn,
  supportTerminalOpened,
  tariffCreated,
  tariffVersionAdded,
  tariffVersionWithdrawn,
  feedFileUploaded,
  feedAdded,
  feedChanged,
  feedKeyChanged,
  simHeld,
  simReleased,
  searched,
  listViewed,
  tokenRefused,
  noteAdded,
  gatewayAdded,
  gatewayChanged,
  gatewayAddressAdded,
  gatewayAddressChanged,
  gatewayAddressRemoved,
  gatewaySecretChanged,
  gatewayDisabled,
  gatewayEnabled,
  gatewaysJoined,
  gatewayRemoved,
  networkChanged,
  networkRated,
  networksImported,
  quarantineDiscarded,
  usageCorrected,
  staffLogExported,
  staffRefused,
}

/** Everything the staff log can hold, by its name. */
export const staffActions: ReadonlyMap<string, EventKind> = new Map(
  [...Object.values(onAccounts), ...Object.values(own)].map((kind) => [kind.name, kind as unknown as EventKind])
)
