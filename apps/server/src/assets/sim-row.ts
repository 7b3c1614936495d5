import type { Sim, DataSession } from '@masthead/contract/assets/sim'
import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import { anyOf, type Viewer } from './viewer.ts'

/** The billing period a time is in: a calendar month in UTC. */
export const monthOf = (at: Date) => ({
  start: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth())),
  end: new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)),
})

/** All SIMs of these assets with their counters, oldest first. */
export const simRowsOf = (db: Db, { account_id }: Viewer, asset_ids: readonly string[]) =>
  db
    .selectFrom('sim')
    .leftJoin('sim_counter as counter', (join) =>
      join.onRef('counter.account_id', '=', 'sim.account_id').onRef('counter.sim_id', '=', 'sim.id')
    )
    .selectAll('sim')
    .select(['counter.period_start', 'counter.bytes_up', 'counter.bytes_down', 'counter.seen_at'])
    .select(
      sql<string[]>`array(select imsi from sim_imsi i where i.account_id = sim.account_id and i.sim_id = sim.id order by i.position)`.as(
        'imsis'
      )
    )
    .where('sim.account_id', '=', account_id)
    .where('sim.asset_id', '=', anyOf(asset_ids))
    .orderBy('sim.created_at')
    .orderBy('sim.id')
    .execute()
export type SimRow = Awaited<ReturnType<typeof simRowsOf>>[number]

/** A SIM as the wire has it. A counter of an earlier month means that nothing was used in this one. */
export function toSim(row: SimRow, session: DataSession | null, at: Date): Sim {
  const month = monthOf(at)
  const counted = row.period_start !== null && row.period_start >= month.start.toISOString().slice(0, 10)
  const bytes_up = counted ? row.bytes_up! : 0
  const bytes_down = counted ? row.bytes_down! : 0
  return {
    id: row.id,
    iccid: row.iccid,
    imsi: row.imsis[0] ?? null,
    imsis: row.imsis,
    msisdn: row.msisdn,
    eid: row.eid,
    imei: row.imei,
    state: row.state,
    status: row.status,
    state_changed_at: row.state_changed_at?.toISOString() ?? null,
    state_changed_by: row.state_changed_by,
    activated_at: row.activated_at?.toISOString() ?? null,
    blocks: row.blocks,
    usage: {
      period_start: month.start.toISOString(),
      period_end: month.end.toISOString(),
      period_bytes: bytes_up + bytes_down,
      bytes_up,
      bytes_down,
      limit_bytes: row.limit_bytes,
    },
    session,
    network_group: null,
    data_pool: null,
  }
}
