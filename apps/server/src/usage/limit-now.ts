import { dayOf } from '@masthead/contract/kernel/time'
import { type RawBuilder, sql } from 'kysely'

type LimitNow = { start: RawBuilder<string>; allows: RawBuilder<number>; used: RawBuilder<number> }

/**
 * Of a limit `l` (a row of `sim_limit` or `usage_limit`) at a time: the day on which its period began, the bytes it allows in this period, and what
 * is used of that, by the SIM's counter `c` (0 where there is none).
 */
export function limitNow(at: Date): LimitNow {
  const today = sql`${dayOf(at)}::date`
  return {
    start: sql`limit_start(l.period, ${today})`,
    allows: sql`limit_allows(l.bytes, l.raised_bytes, l.raised_period, l.period, ${today})`,
    used: sql`coalesce(limit_used(l.period, ${today}, c.day, c.day_up, c.day_down, c.period_start, c.bytes_up, c.bytes_down), 0)`,
  }
}
