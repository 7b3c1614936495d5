import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { TimeZone } from '../kernel/time-zone.ts'

/** A version goes to the devices in at most so many phases, each tried at most so often on a device. */
export const mostPhases = 10
export const mostRetries = 5

/** `halted`: too many failed, and somebody must decide. `finished` and `aborted` are final. */
export const RolloutState = z.enum(['running', 'paused', 'halted', 'finished', 'aborted'])
export type RolloutState = z.output<typeof RolloutState>

/** `success` and `failure` are final, unless somebody asks for another try. */
export const RolloutDeviceState = z.enum(['pending', 'started', 'success', 'failure'])
export type RolloutDeviceState = z.output<typeof RolloutDeviceState>

const Share = z
  .int()
  .check(z.minimum(1, 'A phase reaches 1 to 100 % of the devices'), z.maximum(100, 'A phase reaches 1 to 100 % of the devices'))

/** When devices may be started: on these days (0 is Sunday), from one minute of the day to another, in a time zone. It may go over midnight. */
export const Window = z.object({
  days: z.array(z.int().check(z.minimum(0), z.maximum(6))).check(z.minLength(1, 'Choose at least one day'), z.maxLength(7)),
  from_minute: z.int().check(z.minimum(0), z.maximum(1439)),
  to_minute: z.int().check(z.minimum(0), z.maximum(1439)),
  timezone: TimeZone,
})
export type Window = z.output<typeof Window>

/** How a version is rolled out. */
export const RolloutPlan = z.object({
  /** How much of the fleet each phase reaches, counted from the beginning: 10, 50, 100. The last one reaches all. */
  phases: z.array(Share).check(
    z.minLength(1, 'Give at least one phase'),
    z.maxLength(mostPhases, `Give at most ${mostPhases} phases`),
    z.refine((shares) => shares.every((share, i) => i === 0 || share > shares[i - 1]!), 'Each phase reaches more than the one before'),
    z.refine((shares) => shares.at(-1) === 100, 'The last phase reaches 100 %')
  ),
  /** More failed devices than this share of a phase halt the rollout. */
  most_failed_percent: z.int().check(z.minimum(0, 'Choose 0 to 100 %'), z.maximum(100, 'Choose 0 to 100 %')),
  /** How often a device is tried again after a failure. */
  retries: z.int().check(z.minimum(0, `Choose 0 to ${mostRetries}`), z.maximum(mostRetries, `Choose 0 to ${mostRetries}`)),
  /** A device that is not done after so many minutes has failed that try. */
  minutes_a_device: z.int().check(z.minimum(1, 'Choose 1 to 1440 minutes'), z.maximum(1440, 'Choose 1 to 1440 minutes')),
  /** Null: at any time. */
  window: z.nullable(Window),
})
export type RolloutPlan = z.output<typeof RolloutPlan>

/** One device of a rollout. */
export const RolloutDevice = z.object({
  asset_id: z.string(),
  /** From 0. */
  phase: z.int(),
  state: RolloutDeviceState,
  /** Tries that were begun. */
  attempts: z.int(),
  /** Of the last try. */
  started_at: z.nullable(Time),
})
