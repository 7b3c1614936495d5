import { sql } from 'kysely'
import type { Tx } from '../../kernel/app.ts'
import { lockRollUps } from './roll-up.ts'

/**
 * Counts anew what SIMs used today and in this month, where their counters are of days that have not begun: the clock was ahead when they were moved, and
 * until it is caught up with no usage would reach a limit. `most` of them, in the order of the meter. A counter of tomorrow stays: the meter's
 * clock stands still for a day before it goes back.
 */
export async function recountAhead(tx: Tx, today: string, most: number): Promise<{ account_id: string; sim_id: string }[]> {
  await lockRollUps(tx)
  const { rows: ahead } = await sql<{ account_id: string; sim_id: string }>`select account_id, sim_id from sim_counter
    where day > ${today}::date + 1 order by 1, 2 limit ${most} for update`.execute(tx)
  if (ahead.length === 0) return ahead
  const [day, month] = [
    sql`${today}::date::timestamp at time zone 'UTC'`,
    sql`date_trunc('month', ${today}::date)::timestamp at time zone 'UTC'`,
  ]
  const end = sql`(date_trunc('month', ${today}::date) + interval '1 month') at time zone 'UTC'`
  const hoursOf = (table: string) => sql`select hour as at, bytes_up, bytes_down from ${sql.table(table)} h
    where h.account_id = k.account_id and h.sim_id = k.sim_id and hour >= ${month} and hour < ${end}`
  // What is not in the roll-ups yet: nobody adds it to them until this is committed.
  await sql`update sim_counter c set day = ${today}::date, period_start = date_trunc('month', ${today}::date)::date,
      bytes_up = used.up, bytes_down = used.down, day_up = used.day_up, day_down = used.day_down
    from unnest(${ahead.map((each) => each.account_id)}::text[], ${ahead.map((each) => each.sim_id)}::text[]) as k(account_id, sim_id),
      lateral (select coalesce(sum(bytes_up), 0) as up, coalesce(sum(bytes_down), 0) as down,
          coalesce(sum(bytes_up) filter (where at >= ${day} and at < ${day} + interval '1 day'), 0) as day_up,
          coalesce(sum(bytes_down) filter (where at >= ${day} and at < ${day} + interval '1 day'), 0) as day_down
        from (${hoursOf('usage_hour')} union all ${hoursOf('usage_open_hour')}
          union all select event_at, bytes_up, bytes_down from usage_record r where r.account_id = k.account_id and r.sim_id = k.sim_id
            and event_at >= ${month} and event_at < ${end}
            and xid >= coalesce((select xid from rollup_progress where name = 'usage'), '0'::xid8)) h) used
    where c.account_id = k.account_id and c.sim_id = k.sim_id`.execute(tx)
  return ahead
}
