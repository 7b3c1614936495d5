import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'
import { lockPools } from './renew-pools.ts'
import { addTaken, takeUsage } from './take-usage.ts'

/** Of a network, or (empty) of all. */
type Share = { mccmnc: string; bytes: number }
/** `shares`: what was corrected in each network, where none is named. */
type DayOfSim = { account_id: string; sim_id: string; day: string; mccmnc: string; shares?: Share[] }
type Row = TermOf & { bytes: number; over_bytes: number; is_paid: boolean }
type Corrected = {
  /** `n`: of which share, from 0. */
  taken: { n: number; from: number; at: number; bytes: number; over: number; is_paid: boolean }[]
  /** Of each share. `paid_bytes`: of what went beyond a pool by pay as you go. */
  back: { bytes: number; paid_bytes: number; terms: GivenBack[] }[]
}
/** What a term got back of a SIM. `over`: of that, beyond the size of the pool. */
export type GivenBack = { pool_id: string; starts_at: string; bytes: number; over: number }

/**
 * What staff add to a day of a SIM is taken from its pools of that day, like a late report. What they subtract is given back, of each network by the pools
 * that it was taken from: first what was taken beyond a pool's size, and last by the pool whose data is used first; without a network, by the pools
 * of all zones. Answers with what pools gave, or got back. With the totals of the SIM locked.
 */
export async function correctPools(tx: Tx, of: DayOfSim, bytes: number, at: Date): Promise<Corrected> {
  const { account_id, sim_id, day, mccmnc, shares = [{ mccmnc, bytes }] } = of
  if (bytes === 0) return { taken: [], back: [] }
  const noon = Math.min(Date.parse(`${day}T12:00:00Z`), at.getTime())
  if (bytes > 0) {
    const usage = shares.map((share) => ({ account_id, sim_id, from: noon, at: noon, ...share }))
    const taken = await takeUsage(tx, usage, at)
    return { back: [], taken: taken.map(({ term: _term, usage: _usage, ...each }) => each) }
  }
  // All at once, in the order of the meter.
  const pools = new Set<string>()
  for (const share of shares)
    for (const { pool_id } of (await sql<{ pool_id: string }>`select u.pool_id ${ofDay(of, share)}`.execute(tx)).rows) pools.add(pool_id)
  if (pools.size > 0)
    await lockPools(
      tx,
      [...pools].map((pool_id) => ({ account_id, pool_id }))
    )
  const back: Corrected['back'] = []
  for (const share of shares) back.push(await giveBack(tx, of, share, { noon, at }))
  return { taken: [], back }
}

/** Takes again what a correction gave back, of the very terms, however full they are by now. With the totals of the SIM locked. */
export async function takeAgain(
  tx: Tx,
  { account_id, sim_id, day }: Omit<DayOfSim, 'mccmnc'>,
  back: readonly GivenBack[],
  at: Date
): Promise<void> {
  if (back.length === 0) return
  const terms = new Map(
    back.map(({ pool_id, starts_at }) => [`${pool_id} ${starts_at}`, { account_id, pool_id, starts_at: new Date(starts_at) }])
  )
  await lockPools(tx, [...terms.values()])
  const noon = Date.parse(`${day}T12:00:00Z`)
  await addTaken(
    tx,
    back.map(({ pool_id, starts_at, bytes, over }) => ({
      term: { account_id, pool_id, starts_at: Date.parse(starts_at) },
      usage: { sim_id },
      at: noon,
      bytes,
      over,
    }))
  )
  await decideTerms(tx, [...terms.values()], at)
}

/** What the SIM took in the terms of the day from pools that are for a network, and had not ended before it. */
const ofDay = ({ account_id, sim_id, day }: DayOfSim, { mccmnc }: Share) =>
  sql`from data_pool_usage u join data_pool_term t on t.account_id = u.account_id and t.pool_id = u.pool_id and t.starts_at = u.starts_at
      join data_pool p on p.account_id = u.account_id and p.id = u.pool_id
    where u.account_id = ${account_id} and u.sim_id = ${sim_id} and (p.zone is null or ${mccmnc} = '' or p.zone = zone_of(${mccmnc}, ${day}::date))
      and t.starts_at <= ${new Date(day)} and least(t.ends_at, p.ended_at) > ${new Date(day)}`

async function giveBack(tx: Tx, of: DayOfSim, share: Share, { noon, at }: { noon: number; at: Date }): Promise<Corrected['back'][number]> {
  const { rows } =
    await sql<Row>`select u.account_id, u.pool_id, u.starts_at, u.bytes, u.over_bytes, p.overage_policy = 'payg' as is_paid ${ofDay(of, share)}
    order by p.priority desc, least(t.ends_at, p.ended_at) desc, u.pool_id desc for update of u`.execute(tx)
  if (rows.length === 0) return { bytes: 0, paid_bytes: 0, terms: [] }
  let left = 0 - share.bytes
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
    [...given].map(([{ account_id, pool_id, starts_at }, { within, over }]) => ({
      term: { account_id, pool_id, starts_at: starts_at.getTime() },
      usage: { sim_id: of.sim_id },
      at: noon,
      bytes: -within - over,
      over: -over,
    }))
  )
  await decideTerms(tx, rows, at)
  const paid_bytes = [...given].reduce((sum, [{ is_paid }, { over }]) => sum + (is_paid ? over : 0), 0)
  const terms = [...given].flatMap(([{ pool_id, starts_at }, { within, over }]) =>
    within + over > 0 ? [{ pool_id, starts_at: starts_at.toISOString(), bytes: within + over, over }] : []
  )
  return { bytes: 0 - share.bytes - left, paid_bytes, terms }
}
