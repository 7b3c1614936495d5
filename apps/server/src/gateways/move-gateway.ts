import { type RawBuilder, sql } from 'kysely'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { addJob } from '../kernel/jobs/jobs.ts'

type Named = { id: string; name: string }

/**
 * Gives one gateway all that another has: addresses, what waits in quarantine and the open sessions at once; the ended ones follow by a job, and
 * until then the meter takes them for the gateway's own. The other has its name meanwhile, so that lists show it, and then is gone. Both rows must be
 * locked. `sessions`: how many were open.
 */
export async function moveGateway(tx: Tx, actor: Actor, from: Named, into: Named): Promise<{ addresses: number; sessions: number }> {
  await keepLastHeard(tx, from.id, into.id, sql`f.gateway_id = ${from.id} and f.ended_at is null`)
  const sessions = await tx
    .updateTable('data_session')
    .set({ gateway_id: into.id })
    .where('gateway_id', '=', from.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  await moveQuarantine(tx, from.id, into.id)
  await countWhatWasElsewhere(tx, actor, [into.id, from.id])
  const addresses = await tx
    .updateTable('gateway_address')
    .set({ gateway_id: into.id })
    .where('gateway_id', '=', from.id)
    .executeTakeFirst()
  // Also of what was joined to it before and is not moved yet.
  await tx
    .updateTable('gateway')
    .set({ joined_into: into.id, name: into.name })
    .where((eb) => eb.or([eb('id', '=', from.id), eb('joined_into', '=', from.id)]))
    .execute()
  const left = await tx.selectFrom('data_session').select('id').where('gateway_id', '=', from.id).limit(1).executeTakeFirst()
  if (left) await addJob(tx, 'move_ended_sessions', { gateway_id: from.id })
  else await tx.deleteFrom('gateway').where('id', '=', from.id).execute()
  return { addresses: Number(addresses.numUpdatedRows), sessions: Number(sessions.numUpdatedRows) }
}

/** A session by its primary key. */
type Key = { account_id: string; id: string }

const first: Key = { account_id: '', id: '' }
const mostLookedAt = 5000

/**
 * Moves what a joined gateway has still to the one that it was joined to, and forgets it. All sessions are gone through by their primary key, some
 * thousands to a transaction, so that none takes long. By the index of gateways each would pass over the dead entries of all that moved before. May be
 * broken off and repeated.
 */
export async function moveEndedSessions(
  { db }: Pick<App, 'db'>,
  { gateway_id }: { gateway_id: string },
  most = mostLookedAt
): Promise<void> {
  const part = (after: Key) => db.transaction().execute((tx) => movePart(tx, gateway_id, { after, most }))
  for (let after: Key | null = first; after !== null;) after = await part(after)
}

/** Answers with the last session that it looked at; with `first` where the end was reached and one came behind it, with null when nothing is left. */
async function movePart(tx: Tx, from: string, { after, most }: { after: Key; most: number }): Promise<Key | null> {
  // That one may itself be joined to a third meanwhile.
  const gateway = await tx.selectFrom('gateway').select('joined_into').where('id', '=', from).forShare().executeTakeFirst()
  const into = gateway?.joined_into
  if (!into) return null
  // In the order of their keys, as everybody else locks them.
  const { rows } = await sql<{ last: Key | null; accounts: string[]; ids: string[] }>`with looked as materialized (
      select account_id, id, gateway_id from data_session where (account_id, id) > (${after.account_id}, ${after.id})
      order by account_id, id limit ${most}
    ), held as materialized (
      select s.account_id, s.id from looked l join data_session s on s.account_id = l.account_id and s.id = l.id
      where l.gateway_id = ${from} order by s.nas, s.acct_session_id for update of s
    ) select (select json_build_object('account_id', account_id, 'id', id) from looked order by account_id, id offset ${most - 1}) as last,
      array(select account_id from held) as accounts, array(select id from held) as ids`.execute(tx)
  const { last, accounts, ids } = rows[0]!
  if (ids.length > 0) {
    const part = sql`(f.account_id, f.id) in (select * from unnest(${accounts}::text[], ${ids}::text[]))`
    await keepLastHeard(tx, from, into, part)
    await sql`update data_session f set gateway_id = ${into} where ${part}`.execute(tx)
  }
  if (last) return last
  // One that a meter began while the two were joined.
  const left = await tx.selectFrom('data_session').select('id').where('gateway_id', '=', from).limit(1).executeTakeFirst()
  if (left) return first
  await moveQuarantine(tx, from, into)
  await tx.deleteFrom('gateway').where('id', '=', from).execute()
  return null
}

/** Of two sessions under one key, the one last seen keeps it. `which`: of the sessions that move, as `f`. */
const keepLastHeard = (tx: Tx, from: string, into: string, which: RawBuilder<unknown>) =>
  sql`update data_session s set superseded = true, ended_at = coalesce(s.ended_at, s.updated_at), end_cause = coalesce(s.end_cause, 'Lost stop')
    from (
      select case when f.heard_at > t.heard_at then t.account_id else f.account_id end as account_id,
        case when f.heard_at > t.heard_at then t.id else f.id end as id
      from data_session f join data_session t on t.nas = f.nas and t.acct_session_id = f.acct_session_id
      where ${which} and f.gateway_id = ${from} and t.gateway_id = ${into} and not f.superseded and not t.superseded
    ) older where s.account_id = older.account_id and s.id = older.id`.execute(tx)

/** What both have of one session becomes one row, as if all of it had come to it: what staff said of either holds. */
async function moveQuarantine(tx: Tx, from: string, into: string): Promise<void> {
  const { rows } = await sql<{ id: string; state: string }>`with pair as (
      select f.id as gone, t.id as kept from quarantine f join quarantine t
        on t.nas = f.nas and t.acct_session_id = f.acct_session_id and t.identity = f.identity
          and t.kind = f.kind and t.use = f.use
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
async function countWhatWasElsewhere(tx: Tx, { email, at }: Actor, [gateway_id, joined]: [string, string]): Promise<void> {
  const { rows } = await sql<{ id: string }>`update quarantine q set kind = 'unknown', state = 'matched', resolved_at = ${at},
      resolved_by = ${email}, resolve_reason = 'The two gateways were joined', matched_account_id = s.account_id, matched_sim_id = s.sim_id
    from data_session s
    where q.gateway_id = ${gateway_id} and q.kind = 'elsewhere' and q.state = 'open'
      and s.gateway_id in (${gateway_id}, ${joined}) and s.nas = q.nas and s.acct_session_id = q.acct_session_id and not s.superseded
      and not exists (select from data_session l where l.gateway_id in (${gateway_id}, ${joined}) and l.nas = s.nas and l.acct_session_id = s.acct_session_id
        and not l.superseded and (l.heard_at, l.id) > (s.heard_at, s.id))
      and not exists (select from quarantine o where o.gateway_id = q.gateway_id and o.nas = q.nas and o.acct_session_id = q.acct_session_id
        and o.identity = q.identity and o.kind = 'unknown' and o.use = q.use)
    returning q.id`.execute(tx)
  if (rows.length > 0) await addJob(tx, 'count_quarantined', { quarantine_ids: rows.map(({ id }) => id) })
}
