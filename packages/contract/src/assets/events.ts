import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { Bytes } from '../kernel/fields.ts'
import { formatDay, monthNames } from '../kernel/time.ts'
import { formatBytes } from '../usage/bytes.ts'
import { changeWords } from '../usage/correction.ts'
import { ImeiLock } from './device.ts'
import { BlockCode, blockCodes, LimitPeriod, limitPeriods } from './sim.ts'

/** Words of a list within a sentence; an abbreviation keeps its capitals. */
const inSentence = (words: string) => words.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())

const asset = z.object({ asset_id: z.string(), asset_name: z.string() })
const sim = z.extend(asset, { sim_id: z.string(), iccid: z.string() })

export const assetRegistered = event({
  name: 'assets.asset_registered',
  refreshes: ['assets'],
  effects: ['backoffice.hold_new_sims'],
  detail: z.extend(asset, { serial: z.string() }),
  sentence: 'Registered {asset_name}',
})
export const assetRenamed = event({
  name: 'assets.asset_renamed',
  refreshes: ['assets'],
  detail: z.extend(asset, { old_name: z.string(), new_name: z.string() }),
  sentence: 'Renamed {old_name} to {new_name}',
})
/** By a person; what a system reports with an API key is none. `position`: "52.2297, 21.0122". */
export const assetPlaced = event({
  name: 'assets.asset_placed',
  refreshes: ['assets'],
  detail: z.extend(asset, { position: z.string() }),
  sentence: 'Set the position of {asset_name} to {position}',
})
export const assetPlaceForgotten = event({
  name: 'assets.asset_place_forgotten',
  refreshes: ['assets'],
  detail: asset,
  sentence: 'Removed the position of {asset_name}',
})
/** All its SIMs lose their service, whatever is wanted of each. */
export const assetSwitchedOff = event({
  name: 'assets.asset_switched_off',
  refreshes: ['assets'],
  detail: asset,
  sentence: 'Switched off {asset_name}',
})
export const assetSwitchedOn = event({
  name: 'assets.asset_switched_on',
  refreshes: ['assets'],
  detail: asset,
  sentence: 'Switched on {asset_name}',
})
export const simActivated = event({
  name: 'assets.sim_activated',
  refreshes: ['assets'],
  detail: sim,
  sentence: 'Activated the SIM of {asset_name}',
})
export const simDeactivated = event({
  name: 'assets.sim_deactivated',
  refreshes: ['assets'],
  detail: sim,
  sentence: 'Deactivated the SIM of {asset_name}',
})

export const simOnStandby = event({
  name: 'assets.sim_on_standby',
  refreshes: ['assets'],
  detail: sim,
  sentence: 'Put the SIM of {asset_name} on standby',
})
export const simReady = event({
  name: 'assets.sim_ready',
  refreshes: ['assets'],
  detail: sim,
  sentence: 'Set the SIM of {asset_name} to ready',
})
export const simTerminated = event({
  name: 'assets.sim_terminated',
  refreshes: ['assets'],
  detail: sim,
  sentence: 'Terminated the SIM of {asset_name} for ever',
})
/** A ready SIM has used what it may for free: it is active from now on. */
export const simTestEnded = event({
  name: 'assets.sim_test_ended',
  refreshes: ['assets'],
  detail: z.extend(sim, { allowance_bytes: Bytes }),
  sentence: ({ allowance_bytes }) =>
    `The SIM of {asset_name} became active: its test allowance of ${formatBytes(allowance_bytes)} is used up`,
})
export const simSwapped = event({
  name: 'assets.sim_swapped',
  refreshes: ['assets'],
  detail: z.extend(sim, { old_sim_id: z.string(), old_iccid: z.string() }),
  sentence: 'Swapped the SIM of {asset_name}: {iccid} in place of {old_iccid}',
})
/** Given back to stock, or handed over. */
export const assetReleased = event({
  name: 'assets.asset_released',
  refreshes: ['assets'],
  detail: z.extend(asset, { serial: z.string(), to: z.nullable(z.string()) }),
  sentence: ({ to }) => (to ? 'Handed {asset_name} over to {to}' : 'Gave {asset_name} back to stock'),
})
const limitWords = (bytes: number | null, period: LimitPeriod) =>
  bytes === null ? 'none' : `${formatBytes(bytes)} ${period === 'day' ? 'a day' : 'a month'}`
export const limitSet = event({
  name: 'assets.limit_set',
  refreshes: ['assets'],
  detail: z.extend(sim, { bytes: z.nullable(Bytes), period: LimitPeriod }),
  sentence: ({ bytes, period }) =>
    bytes === null
      ? 'Took the data limit of its own off the SIM of {asset_name}'
      : `Set the data limit of the SIM of {asset_name} to ${limitWords(bytes, period)}`,
})
export const limitRaised = event({
  name: 'assets.limit_raised',
  refreshes: ['assets'],
  detail: z.extend(sim, { bytes: Bytes, period: LimitPeriod }),
  sentence: ({ bytes, period }) => `Raised the data limit of the SIM of {asset_name} to ${formatBytes(bytes)} for ${limitPeriods[period]}`,
})
/** `own` null: as its group says. */
export const imeiLockSet = event({
  name: 'assets.imei_lock_set',
  refreshes: ['assets'],
  detail: z.extend(sim, { own: z.nullable(ImeiLock), imeis: z.array(z.string()) }),
  sentence: ({ own, imeis }) => {
    if (own === null) return 'The SIM of {asset_name} takes the IMEI lock of its group'
    if (own === 'off') return 'Switched the IMEI lock of {asset_name} off'
    if (own === 'watch') return 'The device of {asset_name} is watched: an alert is raised when it changes'
    return imeis.length === 0
      ? 'Locked the SIM of {asset_name} to the next device that connects'
      : `Locked the SIM of {asset_name} to IMEI ${imeis.join(', ')}`
  },
})
/** A lock accepted the first device that came. */
export const deviceLearned = event({
  name: 'assets.device_learned',
  refreshes: ['assets'],
  detail: z.extend(sim, { imei: z.string() }),
  sentence: 'Locked the SIM of {asset_name} to the first device that connected, IMEI {imei}',
})
/** `watched`: somebody wants to be alerted. */
export const deviceChanged = event({
  name: 'assets.device_changed',
  refreshes: ['assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(sim, { old_imei: z.string(), imei: z.string(), watched: z.boolean() }),
  sentence: 'The SIM of {asset_name} moved from the device with IMEI {old_imei} to {imei}',
})
/** People asked that the device attaches anew. */
export const sessionsReset = event({
  name: 'assets.sessions_reset',
  refreshes: ['assets'],
  detail: z.extend(sim, { sessions: z.int() }),
  sentence: 'Reset the connectivity of {asset_name}',
})
export const staffAsked = event({
  name: 'assets.staff_asked',
  refreshes: ['assets'],
  detail: z.extend(asset, { message: z.string() }),
  sentence: 'Asked support staff about {asset_name}: {message}',
})

/** A ready or standby SIM came on the network and is active from now on. */
export const simWentLive = event({
  name: 'assets.sim_went_live',
  refreshes: ['assets'],
  detail: sim,
  sentence: 'The SIM of {asset_name} became active with its first session',
})
export const simBlocked = event({
  name: 'assets.sim_blocked',
  refreshes: ['assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(sim, { code: BlockCode, words: z.string() }),
  sentence: ({ code }) => `Blocked the SIM of {asset_name}: ${inSentence(blockCodes[code])}`,
})
export const simUnblocked = event({
  name: 'assets.sim_unblocked',
  refreshes: ['assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(sim, { code: BlockCode }),
  sentence: ({ code }) => `The SIM of {asset_name} is no longer blocked: ${inSentence(blockCodes[code])}`,
})
/** One alert rule holds the block from now on that another one put on; the words of both. */
export const blockTakenOver = event({
  name: 'assets.block_taken_over',
  refreshes: ['assets'],
  detail: z.extend(sim, { code: BlockCode, words: z.string(), old_words: z.string() }),
  sentence: 'The SIM of {asset_name} stays blocked, for another reason: {words}. Before: {old_words}',
})
/** It goes on: its limit only notifies. */
export const limitReached = event({
  name: 'assets.limit_reached',
  refreshes: ['assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(sim, { period: LimitPeriod, limit_bytes: Bytes, used_bytes: Bytes }),
  sentence: ({ period, limit_bytes, used_bytes }) =>
    `The SIM of {asset_name} used ${formatBytes(used_bytes)} of its limit of ${formatBytes(limit_bytes)} ${limitPeriods[period]}, and goes on`,
})
const Held = z.object({
  latency_ms: z.number(),
  overshoot_bytes: Bytes,
  /** Of what limit: `term` is of a data pool. Older events do not say. */
  period: z.optional(z.enum([...LimitPeriod.options, 'term', 'credits'])),
})
const heldAt = {
  day: ['its data limit was reached', 'beyond it'],
  month: ['its data limit was reached', 'beyond it'],
  term: ['its data pool was used up', 'beyond it'],
  credits: ['no credits were left', 'after that'],
} as const
/** Seconds with a decimal below ten. */
const beyondLimit = ({ latency_ms, overshoot_bytes, period = 'month' }: z.output<typeof Held>) => {
  const [what, beyond] = heldAt[period]
  return ` ${(latency_ms / 1000).toFixed(latency_ms < 10_000 ? 1 : 0)} s after ${what}, ${formatBytes(overshoot_bytes)} ${beyond}`
}

/** How a Disconnect-Request of ours ended. */
export const sessionCut = event({
  name: 'assets.session_cut',
  refreshes: ['assets'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(sim, {
    session_id: z.string(),
    answer: z.enum(['ack', 'nak', 'gone', 'timeout']),
    words: z.string(),
    /** When it was cut at a limit: how long after the report that reached it, and how far beyond it. */
    limit: z.optional(Held),
    /** Why its SIM's network group does not allow where it was. */
    forbidden: z.optional(z.string()),
    /** It is not asked for any more, until the session reports again. */
    given_up: z.optional(z.boolean()),
  }),
  sentence: ({ answer, limit, forbidden, given_up }) => {
    if (given_up) return 'Gave up cutting the session of {asset_name} until it reports again: {words}'
    return {
      ack: `Cut the session of {asset_name}, confirmed by the gateway${limit ? beyondLimit(limit) : forbidden ? ': {forbidden}' : ''}`,
      gone: 'The session of {asset_name} was already gone at the gateway',
      nak: 'The gateway refused to cut the session of {asset_name}: {words}',
      timeout: 'The gateway did not answer when asked to cut the session of {asset_name}',
    }[answer]
  },
})

const monthWords = (month: string) => `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

/** Staff corrected what was counted. `undoes`: the correction that this one takes back. */
export const usageCorrected = event({
  name: 'assets.usage_corrected',
  refreshes: ['assets', 'usage', 'backoffice'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(sim, {
    correction_id: z.string(),
    day: z.string(),
    bytes_up: z.int(),
    bytes_down: z.int(),
    adjustment_month: z.nullable(z.string()),
    undoes: z.nullable(z.string()),
    reason: z.string(),
  }),
  sentence: ({ day, adjustment_month, undoes, ...change }) => {
    const what = undoes ? 'Undid a correction of the usage of' : 'Corrected the usage of'
    const booked = adjustment_month ? `, as an adjustment in ${monthWords(adjustment_month)}` : ''
    return `${what} {asset_name} on ${formatDay(day)} by ${changeWords(change)}${booked}: {reason}`
  },
})
