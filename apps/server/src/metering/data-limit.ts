import { sql } from 'kysely'
import { simBlocked, simUnblocked } from '@masthead/contract/assets/events'
import { type LimitPeriod, limitPeriods, type SimBlock } from '@masthead/contract/assets/sim'
import { dayOf, formatClock } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { addBlocks, clearBlocks, recordSims, type SimOf } from '../assets/service/index.ts'
import type { App, Db, Tx } from '../kernel/app.ts'
import { dayWords } from '@masthead/contract/kernel/day-words'
import { beginEnforcements, endEnforcements, limitNow, measureEnforcements, nextOf } from '../usage/index.ts'
import { recordReached } from './notify-limits.ts'

const code = 'data_limit'

/** The limit `l` that applies to a SIM `s`, and its counter `c`. */
const limitOfSim = sql`join sim_limit l on l.account_id = s.account_id and l.sim_id = s.id
  left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id`

type Reached = SimOf & {
  period: LimitPeriod
  limit_bytes: number
  period_start: string
  used_bytes: number
  group_name: string | null
  action: 'block' | 'alert'
}

/** Blocks those SIMs that have reached their limits, by a report or (`by_change`) because the limit is another; of limits that only notify it records that. Does nothing where that is no longer so, or where they are blocked for it already. */
export async function blockAtLimits(tx: Tx, sims: readonly SimOf[], at: Date, by_change = false): Promise<void> {
  if (sims.length === 0) return
  await lockSims(tx, sims)
  const { start, allows, used } = limitNow(at)
  const { rows } =
    await sql<Reached>`select s.account_id, s.id as sim_id, l.period, ${allows} as limit_bytes, ${start} as period_start, ${used} as used_bytes, l.action,
      (select g.name from network_group g where g.account_id = s.account_id and g.id = l.group_id) as group_name
    from ${rowsOf(sims)} join sim s on s.account_id = k.account_id and s.id = k.sim_id ${limitOfSim} where ${used} >= ${allows}`.execute(tx)
  const byAction = Object.groupBy(rows, ({ action }) => action)
  await recordReached(tx, byAction.alert ?? [], at)
  const reached = (byAction.block ?? []).map(({ action: _, ...sim }) => {
    const { period, period_start, used_bytes, limit_bytes } = sim
    const block: SimBlock = {
      code,
      since: at.toISOString(),
      by: 'system',
      words: `Used ${formatBytes(used_bytes)} of ${formatBytes(limit_bytes)} ${limitPeriods[period]}`,
      clears: `${startOfNext(period, period_start)}, or when the limit is raised`,
    }
    return { ...sim, block }
  })
  const of = new Map(reached.map((sim) => [sim.account_id + sim.sim_id, sim]))
  const added = await addBlocks(tx, reached)
  const blocked = added.map((sim) => ({ ...sim, ...of.get(sim.account_id + sim.sim_id)! }))
  await beginEnforcements(
    tx,
    blocked.map(({ block: _, iccid: _i, asset_name: _n, ...sim }) => ({ ...sim, by_change, at }))
  )
  await recordSims(
    tx,
    at,
    simBlocked,
    blocked.map(({ block, ...sim }) => ({ ...sim, code, words: block.words }))
  )
}

/** When the period after the one that begins on `start` begins, in words. */
function startOfNext(period: LimitPeriod, start: string): string {
  return `On ${dayWords(nextOf(period, new Date(`${start}T00:00:00Z`)))}, ${formatClock(0, 0)} UTC`
}

const simsAtOnce = 500

/** Measures how limits hold, and lifts their blocks where the period they were of is over, or the limit is no longer reached. */
export async function clearDataLimits(app: App): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction().execute((tx) => measureEnforcements(tx))
  await app.db.transaction().execute((tx) => endRaises(tx, at))
  for (let cleared = simsAtOnce; cleared === simsAtOnce;) {
    const over = await overBlocked(app.db, at, null)
    cleared = await app.db.transaction().execute((tx) => unblockBelowLimits(tx, over, at))
  }
}

/** Limits that SIMs of groups had for a raise go when that is over: their group's applies again. */
async function endRaises(tx: Tx, at: Date): Promise<void> {
  await sql`delete from usage_limit where only_raise and raised_period < limit_start(period, ${dayOf(at)}::date)`.execute(tx)
}

/** Lifts data limits' blocks where the period they were of is over, or the limit is no longer reached. Answers with how many. */
export async function unblockBelowLimits(tx: Tx, sims: readonly SimOf[], at: Date): Promise<number> {
  if (sims.length === 0) return 0
  await lockSims(tx, sims)
  const cleared = await clearBlocks(tx, await overBlocked(tx, at, sims), code)
  await endEnforcements(tx, cleared, 'limits', at)
  await recordSims(
    tx,
    at,
    simUnblocked,
    cleared.map((sim) => ({ ...sim, code }))
  )
  return cleared.length
}

/** SIMs with a data limit's block that have not used up their limit now, `simsAtOnce` at most; `only` looks at these. */
async function overBlocked(db: Db, at: Date, only: readonly SimOf[] | null): Promise<SimOf[]> {
  const which = only ? sql`(s.account_id, s.id) in (select k.account_id, k.sim_id from ${rowsOf(only)})` : sql`true`
  const { allows, used } = limitNow(at)
  const { rows } = await sql<SimOf>`select s.account_id, s.id as sim_id from sim s left ${limitOfSim}
    where ${which} and s.blocks <> '[]' and s.blocks @> '[{"code":"data_limit"}]'
      and (l.limit_id is null or ${used} < ${allows} or l.action <> 'block') limit ${simsAtOnce}`.execute(db)
  return rows
}

const rowsOf = (sims: readonly SimOf[]) =>
  sql`unnest(${sims.map((sim) => sim.account_id)}::text[], ${sims.map((sim) => sim.sim_id)}::text[]) as k(account_id, sim_id)`

/** Before their counters are read, and in the order of their keys. Sessions may begin meanwhile. */
export async function lockSims(tx: Tx, sims: readonly SimOf[]): Promise<void> {
  await sql`select from ${rowsOf(sims)} join sim s on s.account_id = k.account_id and s.id = k.sim_id
    order by s.account_id, s.id for no key update of s`.execute(tx)
}
