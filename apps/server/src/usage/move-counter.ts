import { type RawBuilder, sql } from 'kysely'

type OfDay = { account_id: string; sim_id: string; day: string }
type Change = { bytes_up: number; bytes_down: number }
type Counter = Change & { lifetime_up: number; lifetime_down: number }

/**
 * Moves the counter of a SIM by usage of a day, and answers with it, as the meter counts: a later day or month begins anew, and usage of an earlier
 * one is in the lifetime alone.
 */
export function moveCounter({ account_id, sim_id, day }: OfDay, { bytes_up, bytes_down }: Change): RawBuilder<Counter> {
  const moved = (column: string, start: RawBuilder<unknown>, of: string, bytes: number) =>
    sql`case when ${sql.ref(of)} = ${start} then ${sql.ref(column)} + ${bytes}::bigint when ${sql.ref(of)} < ${start} then ${bytes}::bigint
      else ${sql.ref(column)} end`
  const [date, month] = [sql`${day}::date`, sql`${`${day.slice(0, 7)}-01`}::date`]
  // A day may have begun before its counter did.
  return sql`update sim_counter set bytes_up = ${moved('bytes_up', month, 'period_start', bytes_up)},
      bytes_down = ${moved('bytes_down', month, 'period_start', bytes_down)}, period_start = greatest(period_start, ${month}),
      day_up = greatest(0, ${moved('day_up', date, 'day', bytes_up)}), day_down = greatest(0, ${moved('day_down', date, 'day', bytes_down)}),
      day = greatest(day, ${date}), lifetime_up = lifetime_up + ${bytes_up}::bigint, lifetime_down = lifetime_down + ${bytes_down}::bigint
    where account_id = ${account_id} and sim_id = ${sim_id} returning bytes_up, bytes_down, lifetime_up, lifetime_down`
}
