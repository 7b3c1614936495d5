import * as z from 'zod/mini'
import { Percent } from '../devices/agent/update.ts'
import { OveragePercent, OveragePolicy } from '../datapools/package.ts'
import { Bytes, Time } from '../kernel/fields.ts'
import { TimeZone } from '../kernel/time-zone.ts'

/** A version goes to the devices in at most so many phases, each tried at most so often on a device. */
const mostPhases = 10
const mostRetries = 5

/** `halted`: too many failed, and somebody must decide. `finished` and `aborted` are final. */
export const RolloutState = z.enum(['running', 'paused', 'halted', 'finished', 'aborted'])
export type RolloutState = z.output<typeof RolloutState>

/** `success` and `failure` are final, unless somebody asks for another try. */
export const RolloutDeviceState = z.enum(['pending', 'started', 'success', 'failure'])
export type RolloutDeviceState = z.output<typeof RolloutDeviceState>

const Share = z
  .int()
  .check(z.minimum(1, 'A phase reaches 1 to 100 % of the devices'), z.maximum(100, 'A phase reaches 1 to 100 % of the devices'))

/** Of the fleet in per cent, or a number of devices; with those of the phases before. */
export const Phase = z.union(
  [
    Share,
    z.object({ devices: z.int().check(z.minimum(1, 'A phase reaches at least 1 device'), z.maximum(1_000_000, 'Choose fewer devices')) }),
  ],
  { error: 'Write phases like 10 % or 5 devices' }
)
export type Phase = z.output<typeof Phase>

/** Of one kind: which reaches more is known only with the fleet. */
const reachesMore = (phase: Phase, before: Phase) => {
  if (typeof phase === 'number') return typeof before !== 'number' || phase > before
  return typeof before === 'number' || phase.devices > before.devices
}

const Minute = z.int('Enter a time such as 22:00').check(z.minimum(0), z.maximum(1439))

/** When devices may be started: on these days (0 is Sunday), from one minute of the day to another, in a time zone. It may go over midnight. */
export const Window = z.object({
  days: z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.minLength(1, 'Choose at least one day'), z.maxLength(7)),
  from_minute: Minute,
  to_minute: Minute,
  timezone: TimeZone,
})
export type Window = z.output<typeof Window>

/** How a version is rolled out. */
export const RolloutPlan = z.object({
  /** How much of the fleet each phase reaches, counted from the beginning: 10, 50, 100, or { devices: 5 }, 100. The last one reaches all. */
  phases: z.array(Phase).check(
    z.minLength(1, 'Give at least one phase'),
    z.maxLength(mostPhases, `Give at most ${mostPhases} phases`),
    z.refine(
      (phases) => phases.every((phase, i) => i === 0 || reachesMore(phase, phases[i - 1]!)),
      'Each phase reaches more than the one before'
    ),
    z.refine((phases) => phases.at(-1) === 100, 'The last phase reaches 100 %')
  ),
  /** More failed devices than this share of a phase halt the rollout. */
  most_failed_percent: z.int().check(z.minimum(0, 'Choose 0 to 100 %'), z.maximum(100, 'Choose 0 to 100 %')),
  /** How often a device is tried again after a failure. */
  retries: z.int().check(z.minimum(0, `Choose 0 to ${mostRetries}`), z.maximum(mostRetries, `Choose 0 to ${mostRetries}`)),
  /** A device that is not done after so many minutes has failed that try. */
  minutes_a_device: z.int().check(z.minimum(1, 'Choose 1 to 1440 minutes'), z.maximum(1440, 'Choose 1 to 1440 minutes')),
  /** Null: at any time. */
  window: z.nullable(Window),
  /** So long the pilot runs it without trouble or restart before other devices begin. 0, or left out: they wait for no pilot. */
  pilot_minutes: z.optional(z.int().check(z.minimum(0, 'Choose 0 to 10,080 minutes'), z.maximum(10_080, 'Choose 0 to 10,080 minutes'))),
})
export type RolloutPlan = z.output<typeof RolloutPlan>

/** One numbered state of what a fleet runs: what was wanted of its pilot when it was published. */
export const FleetVersion = z.object({
  version: z.int(),
  /** With the digest that the pilot ran, where it reported one. */
  containers: z.array(z.object({ name: z.string(), image: z.string() })),
  /** What was wanted of the pilot's network; null, here and within: it is left as each device has it. */
  network: z.nullable(
    z.object({
      priority: z.nullable(z.array(z.string())),
      apn: z.nullable(z.object({ name: z.string(), user: z.nullable(z.string()) })),
    })
  ),
  /** What differs from the version before, in words. */
  changes: z.array(z.string()),
  note: z.nullable(z.string()),
  pilot_name: z.string(),
  created_at: Time,
  created_by: z.string(),
})
export type FleetVersion = z.output<typeof FleetVersion>

/** How many devices stand where. */
const Counts = z.object({ pending: z.int(), started: z.int(), success: z.int(), failure: z.int(), offline: z.int() })

export const Rollout = z.object({
  id: z.string(),
  version: z.int(),
  state: RolloutState,
  plan: RolloutPlan,
  /** Of those that whoever asks may see, by phase; `offline` are pending ones that cannot be reached now. */
  phases: z.array(Counts),
  started_at: Time,
  started_by: z.string(),
  finished_at: z.nullable(Time),
})
export type Rollout = z.output<typeof Rollout>

const PoolLeft = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the term that runs, without overage. */
  remaining_bytes: Bytes,
  overage_policy: OveragePolicy,
  overage_percent: z.nullable(OveragePercent),
})

/** What devices download whose SIMs draw from the same data pools. */
export const PoolDownload = z.object({
  /** The one whose data is taken first where the SIM is. Null: none gives data there, or the device has no SIM. */
  pool: z.nullable(PoolLeft),
  /** Those that follow when it is used up, in this order. */
  others: z.array(PoolLeft),
  devices: z.int(),
  bytes: Bytes,
  /** What they do not find in these pools once the devices of the other rows took theirs from the same ones, each as much as it needs; 0 without a pool. */
  missing_bytes: Bytes,
  /** They download more, of which the size is not known. */
  incomplete: z.boolean(),
})
export type PoolDownload = z.output<typeof PoolDownload>

/**
 * What devices with an agent download that do not run each image of a version by its digest: configurations and layers, compressed, of images in the
 * registry of the account. Layers that several images of a device share are counted once, whatever repositories these are in; those of images that it runs, not at all.
 */
export const RolloutDownload = z.object({
  /** They lack at least one image. */
  devices: z.int(),
  bytes: Bytes,
  /** Images that are not counted in full: of another registry, or with nothing for the processor of a device. */
  unknown_images: z.array(z.string()),
  /** Those of them that go by Ethernet or Wi-Fi now, as they said last: they take from no data pool. */
  elsewhere: z.object({ devices: z.int(), bytes: Bytes, incomplete: z.boolean() }),
  /** Of the others, the most bytes first. Null: whoever asks may not see data pools. */
  pools: z.nullable(z.array(PoolDownload)),
})
export type RolloutDownload = z.output<typeof RolloutDownload>

/** Of the devices that whoever asks may see. */
export const RolloutPreview = z.object({
  devices: z.int(),
  /** They can be reached now. */
  online: z.int(),
  /** Their agent is away: they get the version when it is back. */
  offline: z.int(),
  /** They have no agent: they get nothing until one is installed. */
  without_agent: z.int(),
  /** All that the version says is wanted of them already. */
  already: z.int(),
  /** Images that the registry of the account does not have any more: a device that does not have one already fails. */
  gone_images: z.array(z.string()),
  /** Those of other registries, which may have deleted them. */
  foreign_images: z.array(z.string()),
  /** Null: whoever asks may not see the container registry. */
  download: z.nullable(RolloutDownload),
})
export type RolloutPreview = z.output<typeof RolloutPreview>

/** How a device was tried. */
export const RolloutTries = z.object({
  attempts: z.int(),
  started_at: z.nullable(Time),
  /** When the last try ended. */
  settled_at: z.nullable(Time),
  /** Why the last try failed. */
  error: z.nullable(z.string()),
})

/**
 * What a device does in its try. `asked`: it has not said that it knows of it; `installing`: it unpacks images or starts containers; `watched`: its containers
 * run, and the try is over once they have for a while and its network is as it is to be.
 */
export const TryStep = z.enum(['asked', 'downloading', 'installing', 'watched'])
export type TryStep = z.output<typeof TryStep>

export const RolloutAsset = z.object({
  asset_id: z.string(),
  asset_name: z.string(),
  phase: z.int(),
  state: RolloutDeviceState,
  online: z.boolean(),
  /** What the images of the version take for its processor, compressed; null: that is not known, or whoever asks may not see the container registry. */
  size_bytes: z.nullable(Bytes),
  /** Null: no try of it runs. `percent`: of the image that is the furthest from there, where it says so. */
  step: z.nullable(z.object({ name: TryStep, percent: z.nullable(Percent) })),
  ...RolloutTries.shape,
})
export type RolloutAsset = z.output<typeof RolloutAsset>

/** A try that is over. */
export const RolloutTry = z.object({
  started_at: Time,
  ended_at: Time,
  outcome: z.enum(['success', 'failure']),
  /** Why it failed. */
  words: z.nullable(z.string()),
})
export type RolloutTry = z.output<typeof RolloutTry>

/** A rollout that is not over. */
export const isOpenRollout = (state: RolloutState): boolean => state === 'running' || state === 'paused' || state === 'halted'

/** Why nothing can be done with a rollout any more; null: it can. */
export const rolloutClosedWords = (state: RolloutState): string | null => (isOpenRollout(state) ? null : 'The rollout is over')

/** Why the failed devices of the newest rollout of a fleet cannot be tried again; null: they can, also once it has finished. */
export const retryClosedWords = (state: RolloutState): string | null =>
  state === 'aborted' ? 'The rollout was aborted: roll the version out again' : null
