import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Tx } from '../kernel/app.ts'
import { totalBytes } from './total-bytes.ts'

type SimOf = { account_id: string; sim_id: string }
type Reached = SimOf & {
  asset_id: string
  period: 'day' | 'month'
  period_start: string
  limit_bytes: number
  used_bytes: number
  group_name: string | null
  by_change: boolean
  at: Date
}

/** What it took to hold a limit, so far. */
export type Held = { latency_ms: number; overshoot_bytes: number; period: Reached['period'] | 'term' | 'credits' }

/** A bigint holds no more, as a number that JavaScript has. */
const mostBytes = 2 ** 63 - 1024

/** Records that SIMs reached their data limits: when the report that showed it arrived, or when the limit was changed. */
export async function beginEnforcements(tx: Tx, sims: readonly Reached[]): Promise<void> {
  const rows = sims.map(({ used_bytes, at, ...reached }) => ({
    ...reached,
    id: newId('enforcement', at.getTime()),
    reached_at: at,
    cut_at: null,
    used_bytes: Math.min(used_bytes, mostBytes),
    overshoot_bytes: reached.by_change ? 0 : Math.min(used_bytes - reached.limit_bytes, mostBytes),
    lifted_at: null,
  }))
  if (rows.length > 0) await tx.insertInto('enforcement').values(rows).execute()
}

/** `over_bytes`: what the SIM took by then that its pool did not allow. */
type Exhausted = Omit<Reached, 'period' | 'group_name'> & { pool_id: string; pool_name: string; over_bytes: number }

/**
 * Keeps that a data pool gave nothing more, for those of its SIMs that have a session open: the others have nothing to be cut. Rows are bounded by
 * what goes on just then, however many SIMs a pool has.
 */
export async function beginPoolEnforcements(tx: Tx, sims: readonly Exhausted[]): Promise<void> {
  const rows = sims.map(({ at, ...sim }) => ({ ...sim, id: newId('enforcement', at.getTime()), reached_at: at }))
  await sql`insert into enforcement (account_id, id, sim_id, asset_id, period, period_start, limit_bytes, used_bytes, reached_at, by_change, pool_id, pool_name,
      base_bytes, overshoot_bytes)
    select g.account_id, g.id, g.sim_id, g.asset_id, 'term', g.period_start, g.limit_bytes, g.used_bytes, g.reached_at, g.by_change, g.pool_id, g.pool_name,
      coalesce(${bothEver}, 0) - g.over_bytes, g.over_bytes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (account_id text, id text, sim_id text, asset_id text, period_start date, limit_bytes bigint,
        used_bytes bigint, reached_at timestamptz, by_change boolean, pool_id text, pool_name text, over_bytes bigint)
      left join sim_counter s on s.account_id = g.account_id and s.sim_id = g.sim_id
    where exists (select from data_session o where o.account_id = g.account_id and o.sim_id = g.sim_id and o.ended_at is null)`.execute(tx)
}

/**
 * Keeps that no credits are left for SIMs that would be charged, of those that have a session open, as of a pool. What they used between the decision and
 * now is beyond it.
 */
export async function beginCreditEnforcements(tx: Tx, sims: readonly (SimOf & { asset_id: string; at: Date })[]): Promise<void> {
  const rows = sims.map(({ at, ...sim }) => ({ ...sim, id: newId('enforcement', at.getTime()), period_start: dayOf(at), reached_at: at }))
  await sql`insert into enforcement (account_id, id, sim_id, asset_id, period, period_start, limit_bytes, used_bytes, reached_at, base_bytes, overshoot_bytes)
    select g.account_id, g.id, g.sim_id, g.asset_id, 'credits', g.period_start, 0, 0, g.reached_at, coalesce(${bothEver}, 0) - later.bytes, later.bytes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g (account_id text, id text, sim_id text, asset_id text, period_start date, reached_at timestamptz)
      left join sim_counter s on s.account_id = g.account_id and s.sim_id = g.sim_id
      cross join lateral (select least(coalesce(sum(r.bytes_up::numeric + r.bytes_down), 0), ${mostBytes})::bigint as bytes from usage_record r
        where r.account_id = g.account_id and r.sim_id = g.sim_id and r.received_at > g.reached_at) later
    where exists (select from data_session o where o.account_id = g.account_id and o.sim_id = g.sim_id and o.ended_at is null)`.execute(tx)
}

/** Of a counter `s`. */
const bothEver = sql`s.lifetime_up::numeric + s.lifetime_down`

/**
 * Measures anew what stands: bytes beyond the limit, and, once the SIM has no open session, when its last one was gone: at `at`, or without
 * it when that was last seen. Of some SIMs, or of all; what is as it was is not written. Answers those that are cut.
 */
export async function measureEnforcements(tx: Tx, { sims, at }: { sims?: readonly SimOf[]; at?: Date } = {}): Promise<Held[]> {
  const ofSim = sql`s.account_id = e.account_id and s.sim_id = e.sim_id`
  const { rows } = await sql<Held>`with measured as (
      select e.account_id, e.id, e.period, e.reached_at, greatest(e.overshoot_bytes, (select least(case when e.period in ('term', 'credits') then ${bothEver} - e.base_bytes
            else case e.period when 'day' then s.day_up::numeric + s.day_down else ${totalBytes('s')} end
              - greatest(e.limit_bytes, case when e.by_change then e.used_bytes end) end, ${mostBytes}) from sim_counter s
        where ${ofSim} and case e.period when 'day' then s.day when 'month' then s.period_start else e.period_start end = e.period_start))::bigint as overshoot_bytes,
        coalesce(e.cut_at, case when not exists (select from data_session s where ${ofSim} and s.ended_at is null)
        then greatest(e.reached_at, ${at ?? null}::timestamptz, case when ${at === undefined} then
          (select max(s.heard_at) from data_session s where ${ofSim}) end) end) as cut_at
      from enforcement e where e.lifted_at is null and ${sims ? among(sims) : sql`true`}
    ), changed as (
      update enforcement e set overshoot_bytes = greatest(e.overshoot_bytes, m.overshoot_bytes), cut_at = coalesce(e.cut_at, m.cut_at)
      from measured m where e.account_id = m.account_id and e.id = m.id and e.lifted_at is null
        and (e.overshoot_bytes, e.cut_at) is distinct from (m.overshoot_bytes, m.cut_at)
    ) select (extract(epoch from cut_at - reached_at) * 1000)::float8 as latency_ms, overshoot_bytes, period from measured where cut_at is not null`.execute(
    tx
  )
  return rows
}

const periodsOf = { limits: ['day', 'month'], pools: ['term'], credits: ['credits'] }

/** The blocks of limits, of data pools or of the balance are lifted: what was measured stays. */
export async function endEnforcements(tx: Tx, sims: readonly SimOf[], of: keyof typeof periodsOf, at: Date): Promise<void> {
  if (sims.length === 0) return
  await measureEnforcements(tx, { sims })
  await sql`update enforcement e set lifted_at = ${at}
    where e.lifted_at is null and e.period = any(${periodsOf[of]}::text[]) and ${among(sims)}`.execute(tx)
}

const among = (sims: readonly SimOf[]) => {
  const [accounts, ids] = [sims.map((sim) => sim.account_id), sims.map((sim) => sim.sim_id)]
  return sql`(e.account_id, e.sim_id) in (select * from unnest(${accounts}::text[], ${ids}::text[]))`
}

type Asked = SimOf & {
  session_id: string
  asked_at: Date
  answered_at: Date | null
  answer: 'ack' | 'nak' | 'gone' | 'timeout'
  words: string
  attempts: number
}

/** Keeps when the gateway of the first session that goes on beyond a limit was first asked to end it, and what it said last. */
export async function keepDisconnect(tx: Tx, { account_id, sim_id, session_id, asked_at, answered_at, answer, words, attempts }: Asked) {
  await sql`update enforcement set session_id = ${session_id}, asked_at = coalesce(asked_at, ${asked_at}), answered_at = ${answered_at},
      answer = ${answer}, answer_words = ${words}, attempts = ${attempts}
    where account_id = ${account_id} and sim_id = ${sim_id} and lifted_at is null and cut_at is null
      and (session_id is null or session_id = ${session_id})`.execute(tx)
}
