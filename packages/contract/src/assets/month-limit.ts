import type { SimUsage } from './sim.ts'

/** The limit of the month; null where the SIM has none, or one of the day. */
export const monthLimitOf = ({ limit_bytes, limit_period }: Pick<SimUsage, 'limit_bytes' | 'limit_period'>): number | null =>
  limit_period === 'month' ? limit_bytes : null

/** The largest limit: 2 TB. */
export const mostLimit = 2_000_000_000_000
