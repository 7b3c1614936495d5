import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'
import { lockPools } from './renew-pools.ts'
import { addTaken, takeUsage } from './take-usage.ts'

/** `shares`: what was added in each network, where none is named. */
type DayOfSim = { account_id: string; sim_id: string; day: string; mccmnc: string; shares?: { mccmnc: string; bytes: number }[] }
type Row = TermOf & { bytes: number; over_bytes: number; is_paid: boolean }
/** `back_paid_bytes`: of what went beyond a pool by pay as you go. */
type Corrected = {
  /** `n`: of which share, from 0. */
  taken: { n: number; from: number; at: number; bytes: number; over: number; is_paid: boolean }[]
  back_bytes: number
  back_paid_bytes: number
}
const nothing: Corrected = { taken: [], back_bytes: 0, back_paid_bytes: 0 }

/**
 * What staff add to a day of a SIM is taken from its pools of that day, like a late report. What they subtract is given back: first what was taken beyond a pool's
 * size, and last by the pool whose data is used first; without a network, by the pools of all zones. Answers with what pools gave, or got back. With the totals of the SIM locked.
 */
export async function correctPools(
  tx: Tx,
  { account_id, sim_id, day, mccmnc, shares }: DayOfSim,
  bytes: number,
  at: Date
): Promise<Corrected> {
  const noon = Math.min(Date.parse(`${day}T12:00:00Z`), at.getTime())
  if (bytes >= 0) {
    if (bytes === 0) return nothing
    const usage = (shares ?? [{ mccmnc, bytes }]).map((share) => ({ account_id, sim_id, from: noon, at: noon, ...share }))
    const taken = await takeUsage(tx, usage, at)
    return { ...nothing, taken: taken.map(({ term, usage: _, ...each }) => ({ ...each, is_paid: term.most_over === null })) }
  }
  const ofDay = sql`from data_pool_usage u join data_pool_term t on t.account_id = u.account_id and t.pool_id = u.pool_id and t.starts_at = u.starts_at
      join data_pool p on p.account_id = u.account_id and p.id = u.pool_id
    where u.account_id = ${account_id} and u.sim_id = ${sim_id} and (p.zone is null or ${mccmnc} = '' or p.zone = zone_of(${mccmnc}, ${day}::date)) and t.starts_at <= ${new Date(noon)} and t.ends_at > ${new Date(noon)}`
  const { rows: pools } = await sql<{ pool_id: string }>`select u.pool_id ${ofDay}`.execute(tx)
  if (pools.length === 0) return nothing
  await lockPools(
    tx,
    pools.map(({ pool_id }) => ({ account_id, pool_id }))
  )
  const { rows } =
    await sql<Row>`select u.account_id, u.pool_id, u.starts_at, u.bytes, u.over_bytes, p.overage_policy = 'payg' as is_paid ${ofDay}
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
  const back_paid_bytes = [...given].reduce((sum, [{ is_paid }, { over }]) => sum + (is_paid ? over : 0), 0)
  return { ...nothing, back_bytes: 0 - bytes - left, back_paid_bytes }
}
