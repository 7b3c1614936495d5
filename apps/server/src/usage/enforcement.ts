import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import type { Tx } from '../kernel/app.ts'
import { bothWays } from './both-ways.ts'

type SimOf = { account_id: string; sim_id: string }
type Reached = SimOf & { asset_id: string; period_start: string; limit_bytes: number; used_bytes: number; at: Date }

/** What it took to hold a limit, so far. */
export type Held = { latency_ms: number; overshoot_bytes: number }

/** A bigint holds no more, as a number that JavaScript has. */
const mostBytes = 2 ** 63 - 1024

/** Keeps that a SIM reached its data limit, at the arrival of the report that told so. */
export async function beginEnforcement(tx: Tx, { used_bytes, at, ...reached }: Reached): Promise<void> {
  await tx
    .insertInto('enforcement')
    .values({
      ...reached,
      id: newId('enforcement', at.getTime()),
      reached_at: at,
      cut_at: null,
      overshoot_bytes: Math.min(used_bytes - reached.limit_bytes, mostBytes),
      lifted_at: null,
    })
    .execute()
}

/**
 * Measures anew what stands: bytes beyond the limit, and, once the SIM has no open session, when its last one was gone: at `at`, or without
 * it when that was last heard of. Of one SIM, or of all. Answers those that are cut.
 */
export async function measureEnforcements(tx: Tx, { sim, at }: { sim?: SimOf; at?: Date } = {}): Promise<Held[]> {
  const ofSim = sql`s.account_id = e.account_id and s.sim_id = e.sim_id`
  const { rows } = await sql<Held & { cut: boolean }>`update enforcement e set
      overshoot_bytes = greatest(e.overshoot_bytes, (select least(${bothWays('s')} - e.limit_bytes, ${mostBytes}) from sim_counter s
        where ${ofSim} and s.period_start = e.period_start)),
      cut_at = coalesce(e.cut_at, case when not exists (select from data_session s where ${ofSim} and s.ended_at is null)
        then greatest(e.reached_at, ${at ?? null}::timestamptz, case when ${at === undefined} then
          (select max(s.heard_at) from data_session s where ${ofSim}) end) end)
    where e.lifted_at is null and ${sim ? sql`e.account_id = ${sim.account_id} and e.sim_id = ${sim.sim_id}` : sql`true`}
    returning cut_at is not null as cut, (extract(epoch from cut_at - reached_at) * 1000)::float8 as latency_ms, overshoot_bytes`.execute(
    tx
  )
  return rows.filter(({ cut }) => cut).map(({ latency_ms, overshoot_bytes }) => ({ latency_ms, overshoot_bytes }))
}

/** The block is lifted: what was measured stays. */
export async function endEnforcement(tx: Tx, sim: SimOf, at: Date): Promise<void> {
  await measureEnforcements(tx, { sim })
  await tx
    .updateTable('enforcement')
    .set({ lifted_at: at })
    .where('account_id', '=', sim.account_id)
    .where('sim_id', '=', sim.sim_id)
    .where('lifted_at', 'is', null)
    .execute()
}
