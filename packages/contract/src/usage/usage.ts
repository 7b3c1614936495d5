import * as z from 'zod/mini'
import { Bytes, AskedTime, Time } from '../kernel/fields.ts'

export const usageIntervals = ['hour', 'day', 'month'] as const
export const UsageInterval = z.enum(usageIntervals)
export type UsageInterval = z.output<typeof UsageInterval>

/** `start` is inside, `end` outside; both are cut to whole intervals in UTC. Without them: this month. */
export const UsageRange = z.object({ start: z.optional(AskedTime), end: z.optional(AskedTime) })

/** Bytes of one interval. Up is what devices sent. */
export const UsagePoint = z.object({ at: Time, bytes_up: Bytes, bytes_down: Bytes })
export type UsagePoint = z.output<typeof UsagePoint>

export const usageGroupings = {
  sim: 'SIM',
  network: 'Network',
  country: 'Country',
  rat: 'Technology',
  tag: 'Tag',
  fleet: 'Fleet',
  pool: 'Data pool',
} as const
/** A grouping that shows names of something asks for that permission besides the right to see usage. */
export const groupingNeeds = { fleet: 'alpon_fleets.view', pool: 'datapools.view' } as const
export type UsageGrouping = keyof typeof usageGroupings
export const UsageGrouping = z.enum(Object.keys(usageGroupings) as [UsageGrouping, ...UsageGrouping[]])

/** Reports of gateways and feeds may come so late. */
export const lateHours = 48
