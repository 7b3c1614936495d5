import { sql } from 'kysely'
import type { getSimUsages as getSimUsagesOp } from '@masthead/contract/assets/operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { Db } from '../kernel/app.ts'
import { findCompleteUntil, intervalsOf, usagePeriod, usageRows, type Period } from '../usage/index.ts'
import { anyOf, type Viewer } from './viewer.ts'

type Query = Parsed<typeof getSimUsagesOp>['query']
type Answer = Reply<typeof getSimUsagesOp>

/** Bytes of all SIMs of an asset in each interval that has begun, zeros included. */
export async function getSimUsages(db: Db, { account_id, at }: Viewer, asset_id: string, { start, end, interval }: Query): Promise<Answer> {
  const period = usagePeriod({ start, end }, interval, at)
  const sims = await db.selectFrom('sim').select('id').where('account_id', '=', account_id).where('asset_id', '=', asset_id).execute()
  const ofSims = sql<boolean>`sim_id = ${anyOf(sims.map((sim) => sim.id))}`
  // Whoever sees the asset sees its SIMs: no tags here.
  const usage = usageRows({ account_id, tags: [] }, period, { by: interval, only: ofSims })
  const { rows } = await sql<{ at: Date; bytes_up: number; bytes_down: number }>`
    select date_trunc(${interval}, at, 'UTC') as at, sum(bytes_up) as bytes_up, sum(bytes_down) as bytes_down
    from (${usage}) u group by 1`.execute(db)
  const found = new Map(rows.map((row) => [row.at.getTime(), row]))
  const items = intervalsOf(period, interval, at).map((start) => {
    const { bytes_up = 0, bytes_down = 0 } = found.get(start.getTime()) ?? {}
    return { at: start.toISOString(), bytes_up, bytes_down }
  })
  const total = (key: 'bytes_up' | 'bytes_down') => items.reduce((sum, point) => sum + point[key], 0)
  const late = await lateReports(
    db,
    account_id,
    sims.map(({ id }) => id),
    period,
    interval
  )
  return { items, late, bytes_up: total('bytes_up'), bytes_down: total('bytes_down'), complete_until: await findCompleteUntil(db) }
}

/** What came so late that a figure which somebody had read before was another one then. */
async function lateReports(db: Db, account_id: string, sims: readonly string[], { start, end }: Period, interval: Query['interval']) {
  const { rows } = await sql<{ at: Date; bytes: number }>`
    select date_trunc(${interval}, event_at, 'UTC') as at, sum(bytes_up + bytes_down)::bigint as bytes from usage_record
    where account_id = ${account_id} and sim_id = ${anyOf(sims)} and event_at >= ${start} and event_at < ${end}
      and received_at > event_at + interval '1 hour' group by 1 order by 1`.execute(db)
  return rows.map(({ at, bytes }) => ({ at: at.toISOString(), bytes }))
}
