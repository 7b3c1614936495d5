import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

/** The list of assets names the fleet of each, and finds those whose newest rollout failed. */
const withAssets = ['alpon_fleets', 'assets'] as const
const fleet = z.object({ fleet_id: z.string(), fleet_name: z.string() })
const assetsOf = (count: number, field: string) => (count === 1 ? `{${field}} asset` : `{${field}} assets`)

export const fleetCreated = event({
  name: 'alpon_fleets.fleet_created',
  refreshes: ['alpon_fleets'],
  detail: fleet,
  sentence: 'Created fleet {fleet_name}',
})
export const fleetRenamed = event({
  name: 'alpon_fleets.fleet_renamed',
  refreshes: withAssets,
  detail: z.extend(fleet, { old_name: z.string(), new_name: z.string() }),
  sentence: 'Renamed fleet {old_name} to {new_name}',
})
export const fleetDeleted = event({
  name: 'alpon_fleets.fleet_deleted',
  refreshes: withAssets,
  detail: fleet,
  sentence: 'Deleted fleet {fleet_name}',
})
export const pilotSet = event({
  name: 'alpon_fleets.pilot_set',
  refreshes: withAssets,
  detail: z.extend(fleet, { asset_id: z.nullable(z.string()), new_pilot_asset_name: z.nullable(z.string()) }),
  sentence: ({ new_pilot_asset_name: name }) =>
    name === null ? 'Took the pilot asset off {fleet_name}' : 'Made {new_pilot_asset_name} the pilot asset of {fleet_name}',
})
export const assetsAdded = event({
  name: 'alpon_fleets.assets_added',
  refreshes: withAssets,
  detail: z.extend(fleet, { assets_added: z.int() }),
  sentence: ({ assets_added }) => `Added ${assetsOf(assets_added, 'assets_added')} to {fleet_name}`,
})
export const assetsRemoved = event({
  name: 'alpon_fleets.assets_removed',
  refreshes: withAssets,
  detail: z.extend(fleet, { assets_deleted: z.int() }),
  sentence: ({ assets_deleted }) => `Removed ${assetsOf(assets_deleted, 'assets_deleted')} from {fleet_name}`,
})

const version = z.extend(fleet, { version: z.int() })
const rollout = z.extend(version, { rollout_id: z.string() })
/** One that halted is an alert, until somebody decides. */
const effects = ['notifications.update_alerts']
const rolloutEvent = (name: string, sentence: string) => ({
  name: `alpon_fleets.${name}` as const,
  refreshes: withAssets,
  detail: rollout,
  effects,
  sentence,
})

export const versionPublished = event({
  name: 'alpon_fleets.version_published',
  refreshes: ['alpon_fleets'],
  detail: version,
  sentence: 'Published version {version} of {fleet_name}',
})
export const rolloutStarted = event(rolloutEvent('rollout_started', 'Rolled out version {version} to {fleet_name}'))
export const rolloutPaused = event(rolloutEvent('rollout_paused', 'Paused the rollout of version {version} to {fleet_name}'))
export const rolloutResumed = event(rolloutEvent('rollout_resumed', 'Resumed the rollout of version {version} to {fleet_name}'))
export const rolloutAborted = event(rolloutEvent('rollout_aborted', 'Aborted the rollout of version {version} to {fleet_name}'))
export const rolloutRetried = event(rolloutEvent('rollout_retried', 'Tried version {version} again on the failed devices of {fleet_name}'))
export const rolloutHalted = event({
  name: 'alpon_fleets.rollout_halted',
  refreshes: ['alpon_fleets'],
  detail: z.extend(rollout, { failed: z.int() }),
  effects,
  sentence: ({ failed }) =>
    `The rollout of version {version} to {fleet_name} halted, because ${failed === 0 ? 'its pilot is gone' : `{failed} ${failed === 1 ? 'device' : 'devices'} failed or went offline in the try`}`,
})
export const rolloutJoined = event({
  name: 'alpon_fleets.rollout_joined',
  refreshes: ['alpon_fleets'],
  detail: z.extend(rollout, { joined: z.int() }),
  sentence: ({ joined }) => `Version {version} of {fleet_name} goes to ${assetsOf(joined, 'joined')} that joined the fleet`,
})
/** What was brought to them halts no rollout. One that failed is an alert, as nobody waits for it. */
export const joinedFailed = event({
  name: 'alpon_fleets.joined_failed',
  refreshes: ['alpon_fleets'],
  detail: z.extend(rollout, { failed: z.int() }),
  effects,
  sentence: ({ failed }) => `Version {version} of {fleet_name} could not be brought to ${assetsOf(failed, 'failed')}`,
})
export const assetRestored = event({
  name: 'alpon_fleets.asset_restored',
  refreshes: withAssets,
  detail: z.extend(rollout, { asset_id: z.string(), asset_name: z.string() }),
  sentence: 'Had version {version} of {fleet_name} brought to {asset_name} again',
})
export const rolloutFinished = event(rolloutEvent('rollout_finished', 'Version {version} has reached all devices of {fleet_name}'))
