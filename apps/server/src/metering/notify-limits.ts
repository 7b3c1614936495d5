import { sql } from 'kysely'
import { limitReached } from '@masthead/contract/assets/events'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import { recordSims, type NamedSim, type SimOf } from '../assets/service/index.ts'
import type { App, Tx } from '../kernel/app.ts'
import { endedBelow, limitNow } from '../usage/index.ts'

const simsAtOnce = 500
const noticesKept = 70 * 86_400_000 // ms: longer than a period

type Reached = SimOf & { period: LimitPeriod; period_start: string; limit_bytes: number; used_bytes: number }

/**
 * Records SIMs that reached a limit which blocks nobody: each once in its period. Only what was counted since the last run is read; where a limit
 * or a correction changes what a SIM may use, `blockAtLimits` records it. Everything is read the first time, and where a restored database numbers
 * its transactions anew.
 */
export async function notifyLimits(app: App): Promise<void> {
  const at = app.clock.now()
  const { start, allows, used } = limitNow(at)
  for (let found = simsAtOnce; found === simsAtOnce;) {
    found = await app.db.transaction().execute(async (tx) => {
      const { next, since } = await readProgress(tx)
      const counted = since === null ? sql`sim_counter` : sql`usage_record where xid >= ${since}::xid8`
      const { rows } = await sql<Reached>`with counted as (
          select distinct account_id, sim_id from ${counted}
        ) select l.account_id, l.sim_id, l.period, ${start} as period_start, ${allows} as limit_bytes, ${used} as used_bytes
        from counted join sim_limit l using (account_id, sim_id) join sim_counter c using (account_id, sim_id)
        where l.action = 'alert' and ${used} >= ${allows} and not exists (select from limit_notice n
          where n.account_id = l.account_id and n.sim_id = l.sim_id and n.period = l.period and n.period_start = ${start})
        limit ${simsAtOnce}`.execute(tx)
      await recordReached(tx, rows, at)
      if (rows.length < simsAtOnce) await keepProgress(tx, next, at)
      return rows.length
    })
  }
  await app.db.transaction().execute((tx) => sql`delete from limit_notice where at < ${new Date(at.getTime() - noticesKept)}`.execute(tx))
}

/** `next`: every transaction below it has ended, so that nothing more comes from it. `since`: what was that at the last run. */
async function readProgress(tx: Tx): Promise<{ next: string; since: string | null }> {
  const { rows } = await sql<{ next: string; since: string | null }>`select ${endedBelow(sql`pg_current_snapshot()`)}::text as next,
    (select xid::text from rollup_progress where name = ${progress} and xid <= pg_snapshot_xmax(pg_current_snapshot())) as since`.execute(
    tx
  )
  return rows[0]!
}

const progress = 'limit_notices'

const keepProgress = (tx: Tx, xid: string, complete_until: Date) =>
  tx
    .insertInto('rollup_progress')
    .values({ name: progress, xid, complete_until })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ xid, complete_until }))
    .execute()

/** Records that these SIMs reached a limit which blocks nobody, where that is not recorded in their period yet. */
export async function recordReached(tx: Tx, reached: readonly Reached[], at: Date): Promise<void> {
  if (reached.length === 0) return
  const { rows } = await sql<NamedSim>`with noted as (
      insert into limit_notice (account_id, sim_id, period, period_start, at)
      select account_id, sim_id, period, period_start, ${at}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(reached)}::jsonb) as r (account_id text, sim_id text, period text, period_start date)
      order by 1, 2 on conflict do nothing returning account_id, sim_id
    ) select sim.account_id, sim.id as sim_id, sim.iccid, sim.asset_id, asset.name as asset_name from noted
      join sim on sim.account_id = noted.account_id and sim.id = noted.sim_id
      join asset on asset.account_id = sim.account_id and asset.id = sim.asset_id`.execute(tx)
  const of = new Map(reached.map((sim) => [sim.account_id + sim.sim_id, sim]))
  await recordSims(
    tx,
    at,
    limitReached,
    rows.map((sim) => ({ ...sim, ...of.get(sim.account_id + sim.sim_id)! }))
  )
}
