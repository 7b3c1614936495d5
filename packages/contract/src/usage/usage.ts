import * as z from 'zod/mini'
import { AskedDay, AskedTime, Bytes, Time } from '../kernel/fields.ts'

export const usageIntervals = ['hour', 'day', 'month'] as const
export const UsageInterval = z.enum(usageIntervals)
export type UsageInterval = z.output<typeof UsageInterval>

/** A day is its beginning: other clients of this API family ask so. */
const Edge = z.union([AskedTime, AskedDay], 'Give a time like 2026-11-01T00:00:00Z, or a day like 2026-11-01, of the years 1970 to 2999')
/** `start` is inside, `end` outside; both are cut to whole intervals in UTC. Without them: this month. */
export const UsageRange = z.object({ start: z.optional(Edge), end: z.optional(Edge) })

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
