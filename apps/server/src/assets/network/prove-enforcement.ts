import { sql } from 'kysely'
import { simBlocked } from '@masthead/contract/assets/events'
import { balanceUsedUp } from '@masthead/contract/billing/events'
import { poolExhausted } from '@masthead/contract/datapools/events'
import type { EnforcementProof } from '@masthead/contract/assets/enforcement'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { findActivities, proveEntry } from '../../activities/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { asEnforcement, enforcementsSeen, inFull } from './enforcements.ts'

/** One limit that was reached, from the report to the end of the session, with the place of the decision in the account's chain. */
export async function proveEnforcement(db: Db, actor: Actor, id: string): Promise<EnforcementProof> {
  const row = await inFull(enforcementsSeen(db, actor).where('e.id', '=', id))
    .select(['e.sim_id', 'e.session_id'])
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  const { sim_id, session_id, ...enforcement } = row
  const { account_id } = actor
  const { asset_id, reached_at, lifted_at } = row
  const of = row.limit_period === 'credits' ? 'credits' : row.pool_id === null ? 'limit' : 'pool'
  const kind = { limit: simBlocked, pool: poolExhausted, credits: balanceUsedUp }[of]
  const [category, action] = kind.name.split('.') as [string, string]
  const decided = await db
    .selectFrom('event')
    .select('id')
    .where('account_id', '=', account_id)
    .where('category', '=', category)
    .where('action', '=', action)
    .$if(of === 'limit', (events) =>
      events
        .where('at', '=', reached_at)
        .where('asset_id', '=', asset_id)
        .where(sql<boolean>`detail->>'sim_id' = ${sim_id}`)
    )
    // A SIM may come to a pool that gave nothing more before, or to be charged while no credits are left.
    .$if(of !== 'limit', (events) => events.where('at', '<=', reached_at).orderBy('id', 'desc').limit(1))
    .$if(of === 'pool', (events) => events.where(sql<boolean>`detail->>'pool_id' = ${row.pool_id}`))
    .executeTakeFirst()
  // Whoever may not read of the block among the activities does not read of it here.
  const [decision = null] = decided ? await findActivities(db, actor, [decided.id]) : []
  const record = await findRecord(db, account_id, sim_id, reached_at)
  return {
    ...asEnforcement(enforcement),
    record,
    session: await findSession(db, account_id, session_id ?? record?.session_id ?? null),
    decision,
    chain: decision && (await proveEntry(db, account_id, decision.id, actor.at)),
    rejected: await countRejected(db, { account_id, sim_id, reached_at, lifted_at, of }),
  }
}

/** The last report that was counted by then. */
async function findRecord(db: Db, account_id: string, sim_id: string, reached_at: Date): Promise<EnforcementProof['record']> {
  const row = await db
    .selectFrom('usage_record')
    .select(['event_at', 'received_at', 'session_id', sql<number>`bytes_up::numeric + bytes_down`.as('bytes')])
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id)
    .where('received_at', '<=', reached_at)
    .where('received_at', '>=', new Date(reached_at.getTime() - 86_400_000))
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { ...row, event_at: row.event_at.toISOString(), received_at: row.received_at.toISOString() } : null
}

async function findSession(db: Db, account_id: string, session_id: string | null): Promise<EnforcementProof['session']> {
  if (session_id === null) return null
  const row = await db
    .selectFrom('data_session as s')
    .innerJoin('gateway', 'gateway.id', 's.gateway_id')
    .select(['s.id', 's.acct_session_id', 'gateway.name as gateway', 's.started_at', 's.ended_at', 's.end_cause', 's.interim_seconds'])
    .where('s.account_id', '=', account_id)
    .where('s.id', '=', session_id)
    .executeTakeFirst()
  return row ? { ...row, started_at: row.started_at.toISOString(), ended_at: row.ended_at?.toISOString() ?? null } : null
}

type Since = { account_id: string; sim_id: string; reached_at: Date; lifted_at: Date | null; of: keyof typeof reasons }

/** As the meter names the reasons for which it rejects; `blocked` alone is of the time when it did not distinguish blocks. */
const reasons = {
  limit: ['blocked:data_limit', 'blocked'],
  pool: ['blocked:pool_exhausted', 'network:pool', 'blocked'],
  credits: ['blocked:balance', 'network:balance'],
}

/** Counted by the hour and the reason: what was rejected before in the hour of the block was rejected for an earlier one. */
async function countRejected(db: Db, { account_id, sim_id, reached_at, lifted_at, of }: Since): Promise<number> {
  const { rows } = await sql<{ count: number }>`select coalesce(sum(count), 0)::int as count from connection_event
    where account_id = ${account_id} and sim_id = ${sim_id} and kind = 'rejected' and split_part(key, ' ', 1) = any(${reasons[of]}::text[]) and first_at >= ${reached_at}
      and hour >= date_trunc('hour', ${reached_at}::timestamptz) and first_at < coalesce(${lifted_at}::timestamptz, 'infinity')`.execute(db)
  return rows[0]!.count
}
