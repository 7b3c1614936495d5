import * as z from 'zod/mini'
import { AssetType } from '../assets/asset.ts'
import { Name, Time } from '../kernel/fields.ts'
import { RolloutDeviceState, RolloutState, RolloutTries } from './rollout.ts'

/** How many fleets an account can have. */
export const mostFleets = 1000
/** How many assets one call adds or takes out. */
export const mostAtOnce = 1000

/** The asset on which a version is tried before the others get it. */
export const Pilot = z.object({ asset_id: z.string(), asset_name: z.string() })

export const Fleet = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: none was chosen, or a member limited by tags does not see it. */
  pilot: z.nullable(Pilot),
  /** Of those that whoever asks may see, here and below. */
  assets: z.int(),
  /** Their devices that can be reached now. */
  online: z.int(),
  /** Access of who asks is limited to some tags: assets are all they may change of a fleet, see {@link fleetClosedWords}. */
  limited: z.boolean(),
  /** What an asset gets that is added now; null: nothing was rolled out, or the last rollout was aborted. */
  version: z.nullable(z.int()),
  /** The newest rollout, and how far it is; null: none was started. */
  rollout: z.nullable(z.object({ version: z.int(), state: RolloutState, devices: z.int(), success: z.int(), failure: z.int() })),
  created_at: Time,
  updated_at: Time,
  updated_by: z.nullable(z.string()),
})
export type Fleet = z.output<typeof Fleet>

/** Why somebody may not change a fleet as a whole; null when they may. */
export const fleetClosedWords = (limited: boolean): string | null =>
  limited ? 'Your access is limited to some tags, so you cannot change a fleet that has other assets' : null

/** `offline`: its agent is away; `without_agent`: a rollout reaches it once it has one. */
export const FleetDevice = z.enum(['online', 'offline', 'without_agent'])
export type FleetDevice = z.output<typeof FleetDevice>

export const FleetAsset = z.object({
  id: z.string(),
  name: z.string(),
  serial: z.string(),
  type: AssetType,
  is_pilot: z.boolean(),
  /** Whether its device can be reached now; null: no device has connected for it. */
  online: z.nullable(z.boolean()),
  /**
   * The version that a rollout set on it last, also where it failed or is on its way; null: none did, or it is the pilot, on which the next version is made.
   */
  version: z.nullable(z.int()),
  /** How what is wanted of it differs from that version, in words, because somebody changed it by hand. A rollout of the version undoes it. */
  differences: z.array(z.string()),
  /** How far the newest rollout is with it; null: it is in none, it was aborted before that, or it is the pilot. */
  rollout: z.nullable(z.object({ version: z.int(), state: RolloutDeviceState, ...RolloutTries.shape })),
  added_at: Time,
})
export type FleetAsset = z.output<typeof FleetAsset>

/** Why an asset cannot be brought to the version of its fleet again; null: it can. `state`: of the newest rollout on it. */
export function restoreClosedWords(version: number | null, is_pilot: boolean, state: RolloutDeviceState | null): string | null {
  if (is_pilot) return 'It is the pilot, on which the next version is made'
  if (version === null) return 'The fleet has no version: nothing was rolled out, or the last rollout was aborted'
  if (state === 'pending') return `It waits for version ${version} already`
  return state === 'started' ? `Version ${version} is on its way to it already` : null
}

export const FleetFields = z.object({
  name: z.optional(Name),
  /** An asset of the fleet, by its id; null: none. */
  pilot_asset_id: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
})

/** Assets by id, serial number or ICCID. */
export const AssetKeys = z
  .array(z.string().check(z.trim(), z.minLength(1, 'An asset is empty'), z.maxLength(64, 'A number is longer than 64 characters')))
  .check(z.minLength(1, 'Name at least one asset'), z.maxLength(mostAtOnce, `Name at most ${mostAtOnce.toLocaleString('en')} assets`))

/** An asset that was named and left as it is, with the reason. `name`: of one that whoever asks may see. */
const RefusedAsset = z.object({ key: z.string(), name: z.nullable(z.string()), words: z.string() })

/** What adding did, and why some were not added. */
export const AddedAssets = z.object({
  added: z.int(),
  /** They were in the fleet before. */
  already: z.int(),
  refused: z.array(RefusedAsset),
})
export type AddedAssets = z.output<typeof AddedAssets>

/** What taking out did, and why some that were named were not in the fleet. */
export const RemovedAssets = z.object({ removed: z.int(), refused: z.array(RefusedAsset) })
export type RemovedAssets = z.output<typeof RemovedAssets>
