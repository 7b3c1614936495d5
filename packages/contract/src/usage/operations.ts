import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { PageQuery } from '../kernel/page.ts'
import { UsageGrouping, UsageInterval, UsagePoint, UsageRange } from './usage.ts'

const SumsQuestion = z.extend(UsageRange, { interval: z._default(UsageInterval, 'day') })
const UsageQuestion = z.extend(SumsQuestion, {
  group_by: z._default(UsageGrouping, 'sim'),
})

/** One line of the table: what the period's usage is grouped by. */
export const UsageGroup = z.object({
  /** Asset id, MCC-MNC, country code, RAT, or id of a tag, fleet or data pool; null where it is not known ("untagged", "unknown network"). */
  key: z.nullable(z.string()),
  label: z.string(),
  /** For SIMs: the ICCID. */
  iccid: z.nullable(z.string()),
  bytes_up: Bytes,
  bytes_down: Bytes,
  bytes: Bytes,
  /** Of the period's total, 0 to 1. By tag and by pool they may add up to more: a SIM with two counts in both. */
  share: z.number(),
  sims: z.int(),
  countries: z.array(z.string()),
  /** Of a SIM: what was reported of days of the period after they were over. */
  late_bytes: Bytes,
  /** Of a SIM: data sessions that it began in the period, as far back as sessions are kept. Null: of another group. */
  sessions: z.nullable(z.int()),
  /**
   * Of a SIM: what was charged by the price list, rounded up as it says; what data pools held is not in it. Null: of another group, of a period that is not of whole
   * days, or the account is not charged.
   */
  billed_bytes: z.nullable(Bytes),
  /** Of the SIM's monthly limit, 0 to 1 and above; only for SIMs with one, and only when the period is one calendar month. */
  limit_share: z.nullable(z.number()),
})
export type UsageGroup = z.output<typeof UsageGroup>

/** A day whose figures changed after it was over. */
export const LateDay = z.object({
  day: z.iso.date(),
  /** Reported later than an hour after its end. */
  bytes: Bytes,
  sims: z.int(),
  last_at: Time,
})
export type LateDay = z.output<typeof LateDay>

const UsageSums = z.object({
  start: Time,
  end: Time,
  bytes_up: Bytes,
  bytes_down: Bytes,
  /** The period just before (whole months before whole months), as far into it as this one has come. */
  previous_start: Time,
  previous_end: Time,
  previous_bytes: Bytes,
  /** Totals per interval, up to now. */
  points: z.array(UsagePoint),
  /** Of the whole period just before. It may have more or fewer: months differ. */
  previous_points: z.array(UsagePoint),
  /** Usage reported up to here is in the figures. */
  complete_until: z.nullable(Time),
  /** Days of the period of which usage was reported late, the latest first; at most 31. */
  late_days: z.array(LateDay),
})

export const getUsageSums = operation({
  name: 'usage.getUsageSums',
  method: 'GET',
  path: '/usage/sums',
  summary: 'Data usage of the account over time, without what it is made of',
  access: 'usage.view',
  query: SumsQuestion,
  reply: UsageSums,
})

export const getTotalUsage = operation({
  name: 'usage.getTotalUsage',
  method: 'GET',
  path: '/usage/total',
  summary: 'Data usage of the account over time and by group',
  access: 'usage.view',
  query: z.extend(PageQuery, {
    ...UsageQuestion.shape,
    search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  }),
  reply: z.extend(UsageSums, {
    /** When it was read, where that is more than 5 s ago: of a large account an answer serves for a while. Null: now. */
    as_of: z.nullable(Time),
    /** For each of `points`: the largest groups (at most 7), and last, if there are more, the `rest`. */
    series: z.array(z.object({ key: z.nullable(z.string()), label: z.string(), rest: z.boolean(), bytes: z.array(Bytes) })),
    /** Groups with usage, largest first. `search` is in their labels and numbers and leaves every other figure alone. */
    items: z.array(UsageGroup),
    total: z.int(),
    total_capped: z.boolean(),
    next: z.nullable(z.string()),
    /** SIMs meant to be active by the end of the period, without a byte in it. */
    silent_sims: z.int(),
  }),
})

export const exportTotalUsage = operation({
  name: 'usage.exportTotalUsage',
  method: 'GET',
  path: '/usage/total.csv',
  summary: 'Data usage by group, as CSV',
  access: 'usage.view',
  query: UsageQuestion,
  gives: 'csv',
})
