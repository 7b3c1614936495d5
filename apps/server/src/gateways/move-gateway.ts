import { sql } from 'kysely'
import type { Actor, Tx } from '../kernel/app.ts'
import { addJob } from '../kernel/jobs/jobs.ts'

/**
 * Gives one gateway all that another has: addresses, sessions, what waits in quarantine. All at once: between two transactions the meter would
 * take a session that goes on for a new one. It waits meanwhile. The other is empty then. Both rows must be locked.
 */
export async function moveGateway(tx: Tx, actor: Actor, from: string, into: string): Promise<{ addresses: number; sessions: number }> {
  // Of two sessions under one key, the one last seen keeps it.
  await sql`update data_session s set superseded = true, ended_at = coalesce(s.ended_at, s.updated_at), end_cause = coalesce(s.end_cause, 'Lost stop')
    from (
      select case when f.heard_at > t.heard_at then t.account_id else f.account_id end as account_id,
        case when f.heard_at > t.heard_at then t.id else f.id end as id
      from data_session f join data_session t on t.nas = f.nas and t.acct_session_id = f.acct_session_id
      where f.gateway_id = ${from} and t.gateway_id = ${into} and not f.superseded and not t.superseded
    ) older where s.account_id = older.account_id and s.id = older.id`.execute(tx)
  const sessions = await tx.updateTable('data_session').set({ gateway_id: into }).where('gateway_id', '=', from).executeTakeFirst()
  await moveQuarantine(tx, from, into)
  await countWhatWasElsewhere(tx, actor, into)
  const addresses = await tx.updateTable('gateway_address').set({ gateway_id: into }).where('gateway_id', '=', from).executeTakeFirst()
  return { addresses: Number(addresses.numUpdatedRows), sessions: Number(sessions.numUpdatedRows) }
}

/** What both have of one session becomes one row, as if all of it had come to it: what staff said of either holds. */
async function moveQuarantine(tx: Tx, from: string, into: string): Promise<void> {
  const { rows } = await sql<{ id: string; state: string }>`with pair as (
      select f.id as gone, t.id as kept from quarantine f join quarantine t
        on t.nas = f.nas and t.acct_session_id = f.acct_session_id and t.identity = f.identity
          and t.kind = f.kind
      where f.gateway_id = ${from} and t.gateway_id = ${into}
    ), taken as (
      delete from quarantine f using pair where f.id = pair.gone returning pair.kept, f.*
    )
    update quarantine t set first_at = least(t.first_at, f.first_at), last_at = greatest(t.last_at, f.last_at), packets = t.packets + f.packets,
      counter_up = greatest(t.counter_up, f.counter_up), counter_down = greatest(t.counter_down, f.counter_down),
      reason = newer.reason, mccmnc = newer.mccmnc, rat = newer.rat, counted_at = null,
      last_packet = jsonb_set(newer.last_packet, '{gateway_id}', to_jsonb(${into}::text), false),
      state = said.state, resolved_at = said.resolved_at, resolved_by = said.resolved_by, resolve_reason = said.resolve_reason,
      matched_account_id = said.matched_account_id, matched_sim_id = said.matched_sim_id
    from taken f
      cross join lateral (select q.reason, q.mccmnc, q.rat, q.last_packet from (
          select f.reason, f.mccmnc, f.rat, f.last_packet, f.last_at union all
          select o.reason, o.mccmnc, o.rat, o.last_packet, o.last_at from quarantine o where o.id = f.kept
        ) q order by q.last_at desc limit 1) newer
      cross join lateral (select q.state, q.resolved_at, q.resolved_by, q.resolve_reason, q.matched_account_id, q.matched_sim_id from (
          select f.state, f.resolved_at, f.resolved_by, f.resolve_reason, f.matched_account_id, f.matched_sim_id union all
          select o.state, o.resolved_at, o.resolved_by, o.resolve_reason, o.matched_account_id, o.matched_sim_id from quarantine o where o.id = f.kept
        ) q order by q.resolved_at desc nulls last limit 1) said
    where t.id = f.kept returning t.id, t.state`.execute(tx)
  const matched = rows.filter(({ state }) => state === 'matched').map(({ id }) => id)
  if (matched.length > 0) await addJob(tx, 'count_quarantined', { quarantine_ids: matched })
  await sql`update quarantine set gateway_id = ${into}, last_packet = jsonb_set(last_packet, '{gateway_id}', to_jsonb(${into}::text), false)
    where gateway_id = ${from}`.execute(tx)
}

/**
 * What one reported of a session that was open at the other belongs to that session now. It is counted through the meter's rules, which count
 * only what exceeds the session's own counters.
 */
async function countWhatWasElsewhere(tx: Tx, { email, at }: Actor, gateway_id: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`update quarantine q set kind = 'unknown', state = 'matched', resolved_at = ${at},
      resolved_by = ${email}, resolve_reason = 'The two gateways were joined', matched_account_id = s.account_id, matched_sim_id = s.sim_id
    from data_session s
    where q.gateway_id = ${gateway_id} and q.kind = 'elsewhere' and q.state = 'open'
      and s.gateway_id = q.gateway_id and s.nas = q.nas and s.acct_session_id = q.acct_session_id and not s.superseded
      and not exists (select from quarantine o where o.gateway_id = q.gateway_id and o.nas = q.nas and o.acct_session_id = q.acct_session_id
        and o.identity = q.identity and o.kind = 'unknown')
    returning q.id`.execute(tx)
  if (rows.length > 0) await addJob(tx, 'count_quarantined', { quarantine_ids: rows.map(({ id }) => id) })
}
