import { sql } from 'kysely'
import type { Change } from '@masthead/contract/usage/correction'
import type { Db, Tx } from '../../kernel/app.ts'
import { moveCounter } from '../move-counter.ts'
import { added, lockRollUps } from './roll-up.ts'

/** What is corrected: a day in UTC of a SIM, of one network or technology alone, or of all. */
export type DayOfSim = { account_id: string; sim_id: string; day: string; mccmnc: string | null; rat: string | null }

/** Hours of the day as they are, open or not; its first is there whether anything was used in it or not. `up` and `down` are exact. */
const hoursOf = ({ account_id, sim_id, day, mccmnc, rat }: DayOfSim) => {
  const start = sql`${day}::date::timestamp at time zone 'UTC'`
  const rowsOf = (table: string) => sql`select hour, mccmnc, rat, bytes_up, bytes_down from ${sql.table(table)}
    where account_id = ${account_id} and sim_id = ${sim_id} and hour >= ${start} and hour < ${start} + interval '24 hours'`
  return sql`select hour, mccmnc, rat, sum(bytes_up) as up, sum(bytes_down) as down from (
      ${rowsOf('usage_hour')} union all ${rowsOf('usage_open_hour')}
      union all select ${start}, coalesce(${mccmnc}::text, ''), coalesce(${rat}::text, ''), 0, 0) h
    where (${mccmnc}::text is null or mccmnc = ${mccmnc}) and (${rat}::text is null or rat = ${rat}) group by 1, 2, 3`
}

type Used = { mccmnc: string; name: string | null; rat: string; bytes_up: number; bytes_down: number }
type DaySums = { networks: Used[]; bytes_up: number; bytes_down: number; after_up: number; after_down: number; short: boolean }

/** What was used on the day, by network, the most first; what a change would make of it, and whether it would take more than there is. */
export async function sumDay(db: Db, of: DayOfSim, { bytes_up, bytes_down }: Change): Promise<DaySums> {
  const { rows } = await sql<DaySums>`with n as (
      select mccmnc, rat, sum(up) as bytes_up, sum(down) as bytes_down from (${hoursOf(of)}) h group by 1, 2 having sum(up) + sum(down) > 0
    ), s as (select coalesce(sum(bytes_up), 0) as up, coalesce(sum(bytes_down), 0) as down from n)
    select s.up as bytes_up, s.down as bytes_down, s.up + ${bytes_up}::bigint as after_up, s.down + ${bytes_down}::bigint as after_down,
      least(${bytes_up}::bigint, 0) + s.up < 0 or least(${bytes_down}::bigint, 0) + s.down < 0 as short,
      (select coalesce(json_agg(json_build_object('mccmnc', n.mccmnc, 'name', network.name, 'rat', n.rat,
        'bytes_up', n.bytes_up, 'bytes_down', n.bytes_down) order by n.bytes_up + n.bytes_down desc, n.mccmnc, n.rat), '[]')
        from n left join network on network.mccmnc = n.mccmnc) as networks
    from s`.execute(db)
  return rows[0]!
}

/**
 * Keeps everybody else from the roll-ups, and so from other corrections, until the transaction ends. The SIM's counter is locked when it is moved
 * and the SIM itself after that, in the order of the meter. False when the SIM has no counter: nothing was ever counted for it.
 */
export async function lockTotals(tx: Tx, { account_id, sim_id }: Pick<DayOfSim, 'account_id' | 'sim_id'>): Promise<boolean> {
  await lockRollUps(tx)
  const counters = tx.selectFrom('sim_counter').select('sim_id').where('account_id', '=', account_id).where('sim_id', '=', sim_id)
  return (await counters.executeTakeFirst()) !== undefined
}

type OfCorrection = { correction_id: string } & DayOfSim

/**
 * Corrects the day by a change, with its totals locked. What is taken away is taken from the hours with the most, as what was counted wrongly
 * stands out; what is added goes to the hour with the most. False when that would take more than there is: the transaction must be undone.
 */
export async function correctDay(tx: Tx, correction: OfCorrection, change: Change): Promise<boolean> {
  const share = (column: 'up' | 'down', bytes: number) =>
    sql`case when ${bytes}::bigint < 0 then -greatest(0, least(${sql.ref(column)}, -${bytes}::numeric - ${sql.ref(`${column}_before`)}))
      when ${sql.ref(`${column}_place`)} = 1 then ${bytes}::bigint else 0 end`
  const most = (column: 'up' | 'down') => sql`order by ${sql.ref(column)} desc, up + down desc, hour, mccmnc, rat`
  const placed = (column: 'up' | 'down') => sql`row_number() over (${most(column)}) as ${sql.ref(`${column}_place`)},
    sum(${sql.ref(column)}) over (${most(column)} rows unbounded preceding) - ${sql.ref(column)} as ${sql.ref(`${column}_before`)}`
  await keepParts(
    tx,
    correction,
    sql`select hour, mccmnc, rat, ${share('up', change.bytes_up)} as bytes_up, ${share('down', change.bytes_down)} as bytes_down
      from (select *, ${placed('up')}, ${placed('down')} from (${hoursOf(correction)}) h) p`
  )
  return movePartsOf(tx, correction, change)
}

/** Takes back another correction in the very hours that it corrected, by `change`, its opposite. False as above. */
export async function takeBack(tx: Tx, correction: OfCorrection, undoes: string, change: Change): Promise<boolean> {
  const { account_id } = correction
  await keepParts(
    tx,
    correction,
    sql`select hour, mccmnc, rat, -bytes_up as bytes_up, -bytes_down as bytes_down from usage_correction_part
      where account_id = ${account_id} and correction_id = ${undoes}`
  )
  return movePartsOf(tx, correction, change)
}

const keepParts = (tx: Tx, { account_id, correction_id, sim_id }: OfCorrection, parts: ReturnType<typeof sql>) =>
  sql`insert into usage_correction_part (account_id, correction_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
    select ${account_id}, ${correction_id}, ${sim_id}, hour, mccmnc, rat, bytes_up, bytes_down from (${parts}) p
    where bytes_up <> 0 or bytes_down <> 0`.execute(tx)

/**
 * Adds a correction's parts to the open hours, like a late report: readers add those to what is closed, and they are closed with it. And to the
 * account's hours and the SIM's counter. Session counters stay: a gateway goes on where it was.
 */
async function movePartsOf(tx: Tx, correction: OfCorrection, change: Change): Promise<boolean> {
  const { account_id, correction_id, day } = correction
  const parts = sql`from usage_correction_part where account_id = ${account_id} and correction_id = ${correction_id}`
  await sql`insert into usage_open_hour as u (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
    select account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down ${parts} order by 3, 4, 5
    on conflict (account_id, sim_id, hour, mccmnc, rat) ${added}`.execute(tx)
  await sql`insert into account_usage_hour as u (account_id, hour, mccmnc, rat, bytes_up, bytes_down)
    select account_id, hour, mccmnc, rat, bytes_up, bytes_down ${parts} order by 2, 3, 4
    on conflict (account_id, hour, mccmnc, rat) ${added}`.execute(tx)
  const { rows } = await sql<{ right: boolean }>`with counted as (${moveCounter(correction, change)}), p as (
      select coalesce(sum(bytes_up), 0) as up, coalesce(sum(bytes_down), 0) as down ${parts})
    select p.up = ${change.bytes_up}::bigint and p.down = ${change.bytes_down}::bigint
        and exists (select from counted where least(bytes_up, bytes_down, lifetime_up, lifetime_down) >= 0)
        and not exists (select from (${hoursOf({ ...correction, day, mccmnc: null, rat: null })}) h where up < 0 or down < 0) as right
    from p`.execute(tx)
  return rows[0]!.right
}
