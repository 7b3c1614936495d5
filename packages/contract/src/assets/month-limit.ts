import type { SimUsage } from './sim.ts'

/** The limit of the month; null where the SIM has none, or one of the day. */
export const monthLimitOf = ({ limit_bytes, limit_period }: Pick<SimUsage, 'limit_bytes' | 'limit_period'>): number | null =>
  limit_period === 'month' ? limit_bytes : null

/** The largest limit: 2 TB. */
export const mostLimit = 2_000_000_000_000

/** What a limit may be raised to in the period that runs: 1 PB, more than a line of 2 Gbit/s carries in a month, so that a SIM that used up the largest limit has a way on. */
export const mostRaise = 1_000_000_000_000_000
