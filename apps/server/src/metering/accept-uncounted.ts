import { sql } from 'kysely'
import type { Tx } from '../kernel/app.ts'
import { freeBytes, rateUsage } from '../billing/rating/index.ts'
import { takeUsage } from '../datapools/index.ts'
import { moveCounter } from '../usage/index.ts'
import { blockAtLimits } from './data-limit.ts'
import { dayOf } from './reading.ts'

type SessionOf = { account_id: string; session_id: string }
type Accepted = { sim_id: string; asset_id: string; up: number; down: number }

/**
 * Counts what was left out of a session, at the time of its last report: bytes that no link carries, or from before its usage was ours. It goes on
 * from its counters that were not believed, if the last ones were such. Answers with what was counted and for whom; null where nothing is left to count, or the session
 * is gone. Meters see the session anew.
 */
export async function acceptUncounted(tx: Tx, { account_id, session_id }: SessionOf, at: Date): Promise<Accepted | null> {
  const { rows } = await sql<Accepted & { event_at: Date; mccmnc: string; rat: string }>`
    with left_out as (
      select id, coalesce((odd ->> 'delta_up')::bigint, 0) + uncounted_up as up, coalesce((odd ->> 'delta_down')::bigint, 0) + uncounted_down as down
      from data_session where account_id = ${account_id} and id = ${session_id} for update
    )
    update data_session s set bytes_up = s.bytes_up + left_out.up, bytes_down = s.bytes_down + left_out.down, uncounted_up = 0, uncounted_down = 0,
      counter_up = coalesce((s.odd ->> 'counter_up')::bigint, s.counter_up), counter_down = coalesce((s.odd ->> 'counter_down')::bigint, s.counter_down),
      session_time = coalesce((s.odd ->> 'session_time')::bigint, s.session_time), gigawords_seen = s.gigawords_seen or coalesce((s.odd ->> 'has_gigawords')::boolean, false),
      updated_at = coalesce(to_timestamp((s.odd ->> 'event_at')::float8 / 1000), s.updated_at), odd = null
    from left_out where s.account_id = ${account_id} and s.id = left_out.id and left_out.up + left_out.down > 0
    returning s.sim_id, s.asset_id, left_out.up, left_out.down, s.updated_at as event_at, coalesce(s.mccmnc, '') as mccmnc, coalesce(s.rat, '') as rat`.execute(
    tx
  )
  const [row] = rows
  if (!row) return null
  const { sim_id, asset_id, up, down, event_at, mccmnc, rat } = row
  const usage = { account_id, sim_id, session_id, event_at, received_at: at, bytes_up: up, bytes_down: down, mccmnc, rat }
  await tx.insertInto('usage_record').values(usage).execute()
  const [of, change] = [
    { account_id, sim_id, day: dayOf(event_at.getTime()) },
    { bytes_up: up, bytes_down: down },
  ]
  // Its counter exists: the SIM was seen.
  await moveCounter(of, change).execute(tx)
  const moment = event_at.getTime()
  const used = { account_id, sim_id, from: moment, at: moment, bytes: up + down, mccmnc }
  const taken = await takeUsage(tx, [used], at)
  const [free_bytes] = await freeBytes(tx, [used], [used])
  await rateUsage(tx, [{ ...used, session_id, taken, free_bytes }], at)
  await blockAtLimits(tx, [of], at)
  return { sim_id, asset_id, up, down }
}

/** What was left out of a session so far is never to be counted, counters that were not believed included: only what comes after them may be. */
export const forgetUncounted = (tx: Tx, { account_id, session_id }: SessionOf) =>
  tx
    .updateTable('data_session')
    .set({ uncounted_up: 0, uncounted_down: 0, odd: sql`odd || '{"delta_up": 0, "delta_down": 0}'` })
    .where('account_id', '=', account_id)
    .where('id', '=', session_id)
    .execute()
