import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'
import { lockPools } from './renew-pools.ts'
import { addTaken, takeUsage } from './take-usage.ts'

type DayOfSim = { account_id: string; sim_id: string; day: string; mccmnc: string }
type Row = TermOf & { bytes: number; over_bytes: number }

/**
 * What staff add to a day of a SIM is taken from its pools of that day, like a late report. What they subtract is given back: first what was taken beyond a pool's
 * size, and last by the pool whose data is used first; without a network, by the pools of all zones. With the totals of the SIM locked.
 */
export async function correctPools(tx: Tx, { account_id, sim_id, day, mccmnc }: DayOfSim, bytes: number, at: Date): Promise<void> {
  const noon = Math.min(Date.parse(`${day}T12:00:00Z`), at.getTime())
  if (bytes >= 0) {
    if (bytes > 0) await takeUsage(tx, [{ account_id, sim_id, from: noon, at: noon, bytes, mccmnc }], at)
    return
  }
  const ofDay = sql`from data_pool_usage u join data_pool_term t on t.account_id = u.account_id and t.pool_id = u.pool_id and t.starts_at = u.starts_at
      join data_pool p on p.account_id = u.account_id and p.id = u.pool_id
    where u.account_id = ${account_id} and u.sim_id = ${sim_id} and (p.zone is null or ${mccmnc} = '' or p.zone = zone_of(${mccmnc}, ${day}::date)) and t.starts_at <= ${new Date(noon)} and t.ends_at > ${new Date(noon)}`
  const { rows: pools } = await sql<{ pool_id: string }>`select u.pool_id ${ofDay}`.execute(tx)
  if (pools.length === 0) return
  await lockPools(
    tx,
    pools.map(({ pool_id }) => ({ account_id, pool_id }))
  )
  const { rows } = await sql<Row>`select u.account_id, u.pool_id, u.starts_at, u.bytes, u.over_bytes ${ofDay}
    order by p.priority desc, t.ends_at desc, u.pool_id desc for update of u`.execute(tx)
  let left = -bytes
  const given = new Map(rows.map((row) => [row, { within: 0, over: 0 }]))
  for (const isOver of [true, false]) {
    for (const row of rows) {
      const back = Math.min(left, isOver ? row.over_bytes : row.bytes - row.over_bytes)
      given.get(row)![isOver ? 'over' : 'within'] += back
      left -= back
    }
  }
  await addTaken(
    tx,
    [...given].map(([{ pool_id, starts_at }, { within, over }]) => ({
      term: { account_id, pool_id, starts_at: starts_at.getTime() },
      usage: { sim_id },
      at: noon,
      bytes: -within - over,
      over: -over,
    }))
  )
  await decideTerms(tx, rows, at)
}
