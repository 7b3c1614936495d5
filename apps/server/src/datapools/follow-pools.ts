import { sql } from 'kysely'
import { addBlocks, clearBlocks, poolExhaustedBlock, type SimOf, switchesOf } from '../assets/service/index.ts'
import type { App, Db, Tx } from '../kernel/app.ts'
import { dayWords } from '@masthead/contract/kernel/day-words'
import { beginPoolEnforcements, endEnforcements } from '../usage/index.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'
import { lockPools } from './renew-pools.ts'

const simsAtOnce = 1000
/** So many parts at once where SIMs are blocked: nearly all of a part is one statement, for which the database uses one processor. */
const partsAtOnce = 2
/** So long SIMs stay in a pool that ended, as `follow_pools` has it: what they used before its end may be reported until then. */
const staysFor = 3 * 86_400_000 // ms
const leftBefore = (at: Date) => new Date(at.getTime() - staysFor)

/**
 * Brings the rows of an account's SIMs in step with what is decided of its pools: those of ended pools leave them, those that no pool gives anything are
 * blocked, and the others are not; each is shown with the first of its pools. May be repeated, and come late: it looks at what is decided now.
 */
export async function followPools({ db, clock }: App, { account_id }: { account_id: string }): Promise<void> {
  const inOrder = async (step: (tx: Tx, account_id: string, after: string, at: Date) => Promise<string[]>) => {
    // By their ids: what was checked is not checked again.
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after
      const sims = await db.transaction().execute((tx) => step(tx, account_id, from, clock.now()))
      after = sims.length === simsAtOnce ? sims.at(-1) : undefined
    }
  }
  await db.transaction().execute((tx) => decideGrown(tx, account_id, clock.now()))
  for (let left = simsAtOnce; left === simsAtOnce;) left = await db.transaction().execute((tx) => leaveEnded(tx, account_id, clock.now()))
  await inOrder(nameFirst)
  for (let sims = await nextMembers(db, account_id, ''); sims.length > 0; sims = await nextMembers(db, account_id, sims.at(-1)!)) {
    const parts = Array.from({ length: Math.ceil(sims.length / simsAtOnce) }, (_, i) => sims.slice(i * simsAtOnce, (i + 1) * simsAtOnce))
    await Promise.all(parts.map((part) => db.transaction().execute((tx) => block(tx, account_id, part, clock.now()))))
  }
  await inOrder(unblock)
  await judgeWhereTheyAre(db, account_id)
}

/**
 * SIMs of several pools with zones may be where one of them has data, and not where all are used up; without credits they, and those of one pool with a
 * zone, may be nowhere else, and where some data costs nothing no SIM may be where it is charged; where the account limits prices, what is used beyond a pool may cost too much. Says so of their open sessions, and of those that were
 * forbidden for whatever reason, once the jobs for it have run: whoever locks sessions does so before SIMs.
 */
export async function judgeWhereTheyAre(db: App['db'], account_id: string): Promise<void> {
  for (let after = ''; ;) {
    // The second: also of SIMs that have left the pool that refused them.
    const { rows } = await sql<{ sim_id: string }>`(select distinct m.sim_id from data_pool p
        join data_pool_sim m on m.account_id = p.account_id and m.pool_id = p.id and m.sim_id > ${after}
        left join balance_rule r on r.account_id = p.account_id and r.most_price_micros is not null and r.price_action = 'refuse'
        where p.account_id = ${account_id} and p.ended_at is null and (p.zone is not null or r.account_id is not null)
          and exists (select from data_session x where x.account_id = m.account_id and x.sim_id = m.sim_id and x.ended_at is null)
          and (r.account_id is not null or exists (select from data_pool_sim o where o.account_id = m.account_id and o.sim_id = m.sim_id and o.pool_id <> m.pool_id)
            or exists (select from charge_account c where c.account_id = m.account_id and c.used_up_at is not null))
        order by 1 limit ${simsAtOnce})
      union (select distinct x.sim_id from data_session x
        where x.account_id = ${account_id} and x.sim_id > ${after} and x.ended_at is null and (x.forbidden is not null
          or exists (select from charge_account c where c.account_id = x.account_id and c.has_free_data))
        order by 1 limit ${simsAtOnce})
      order by 1 limit ${simsAtOnce}`.execute(db)
    if (rows.length === 0) return
    const sim_ids = rows.map(({ sim_id }) => sim_id)
    await db
      .transaction()
      .execute((tx) => sql`select graphile_worker.add_job('judge_sessions', ${JSON.stringify({ account_id, sim_ids })}::json)`.execute(tx))
    after = sim_ids.at(-1)!
  }
}

/**
 * Judges anew where SIMs of pools with zones are, where networks are in another zone from today on, or what an account without credits pays there begins
 * today. May be repeated.
 */
export async function followRates({ db, clock }: App): Promise<void> {
  const today = dayOf(clock.now())
  const { rows } = await sql<{
    account_id: string
  }>`select distinct p.account_id from data_pool p where p.ended_at is null and p.zone is not null
    and (exists (select from network_rate where effective_from = ${today}::date)
      or exists (select from charge_account c join account_tariff a using (account_id) left join tariff_version v using (tariff_id)
        where c.account_id = p.account_id and c.used_up_at is not null and ${today}::date in (a.from_day, v.effective_from)))
    union select c.account_id from charge_account c join account_tariff a using (account_id) left join tariff_version v using (tariff_id)
      where c.has_free_data and ${today}::date in (a.from_day, v.effective_from)
    order by 1`.execute(db)
  for (const { account_id } of rows) await judgeWhereTheyAre(db, account_id)
}

/** A dynamic pool grows with a SIM that comes, whoever brought it: it may have data again, and its thresholds are further away. */
async function decideGrown(tx: Tx, account_id: string, at: Date) {
  const { rows } = await sql<TermOf>`select p.account_id, p.id as pool_id, t.starts_at from data_pool p
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
    where p.account_id = ${account_id} and p.ended_at is null and p.kind = 'dynamic'
      and (t.notified <> '{}' or (t.used_up_at is not null or t.exhausted_at is not null)
        and within_of(t.account_id, t.pool_id, t.starts_at) < t.size_bytes)`.execute(tx)
  await lockPools(tx, rows)
  await decideTerms(tx, rows, at)
}

/** Has SIMs leave pools that ended long enough ago. */
export async function wakeEnded({ db, clock }: App): Promise<void> {
  await db.transaction().execute((tx) =>
    sql`select pools_changed(account_id) from (select distinct p.account_id from data_pool p where p.ended_at <= ${leftBefore(clock.now())}
      and exists (select from data_pool_sim m where m.account_id = p.account_id and m.pool_id = p.id)) ended`.execute(tx)
  )
}

async function leaveEnded(tx: Tx, account_id: string, at: Date): Promise<number> {
  const { rows } = await sql<{
    asset_ids: string[]
    sims: number
  }>`select coalesce(array_agg(distinct asset_id), '{}') as asset_ids, count(*)::int as sims from (
    select s.asset_id from data_pool p join data_pool_sim m on m.account_id = p.account_id and m.pool_id = p.id
      join sim s on s.account_id = m.account_id and s.id = m.sim_id
    where p.account_id = ${account_id} and p.ended_at <= ${leftBefore(at)} limit ${simsAtOnce}) gone`.execute(tx)
  const { asset_ids, sims } = rows[0]!
  if (asset_ids.length > 0) await sql`select follow_pools(${account_id}, ${asset_ids}::text[], ${at})`.execute(tx)
  return sims
}

/** SIMs of several pools name the first that runs: another one, where that has ended or their order was changed. */
async function nameFirst(tx: Tx, account_id: string, after: string): Promise<string[]> {
  const { rows } = await sql<{ sim_id: string }>`select sim_id from data_pool_sim where account_id = ${account_id} and sim_id > ${after}
    group by 1 having count(*) > 1 order by 1 limit ${simsAtOnce}`.execute(tx)
  const sim_ids = rows.map(({ sim_id }) => sim_id)
  // Then whoever moves them has committed, and the statement after it sees where they are.
  await sql`select from sim where account_id = ${account_id} and id = any(${sim_ids}::text[]) order by id for no key update`.execute(tx)
  await sql`update sim set pool_id = first.pool_id from (select s.id, f.pool_id from sim s cross join lateral (select p.id as pool_id from data_pool_sim m
        join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
        where m.account_id = s.account_id and m.sim_id = s.id order by p.priority, p.id limit 1) f
      where s.account_id = ${account_id} and s.id = any(${sim_ids}::text[]) and s.pool_id is distinct from f.pool_id) first
    where sim.account_id = ${account_id} and sim.id = first.id`.execute(tx)
  return sim_ids
}

type Exhausted = SimOf & {
  asset_id: string
  pool_id: string
  pool_name: string
  exhausted_at: Date
  starts_at: Date
  ends_at: Date
  joined_at: Date
  /** What the pool allowed in its term, and what was taken. */
  limit_bytes: number
  used_bytes: number
  /** Of what the SIM took, what was not allowed. */
  over_bytes: number
  pools: number
}

/** Of SIMs `s`: in words, where no pool of theirs gives anything. */
const decided = sql.raw(switchesOf('s').pool_exhausted)

/** The next SIMs of pools that give nothing: of each pool as many as are wanted, so that none is read to its end. */
async function nextMembers(db: Db, account_id: string, after: string): Promise<string[]> {
  const most = simsAtOnce * partsAtOnce
  const { rows } = await sql<{ sim_id: string }>`select distinct m.sim_id from data_pool p
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at and t.exhausted_at is not null
      cross join lateral (select o.sim_id from data_pool_sim o where o.account_id = p.account_id and o.pool_id = p.id and o.sim_id > ${after}
        order by o.sim_id limit ${most}) m
    where p.account_id = ${account_id} and p.ended_at is null order by 1 limit ${most}`.execute(db)
  return rows.map(({ sim_id }) => sim_id)
}

/** Those of them that no pool gives anything, with the pool that was the last to do so. What is said of a pool is asked for once, and not for each of its SIMs. */
const findExhausted = (tx: Tx, account_id: string, sim_ids: readonly string[]) =>
  sql<Exhausted>`with pool as materialized (
      select p.id, p.name, p.overage_policy, t.starts_at, t.ends_at, t.exhausted_at,
        least(t.size_bytes + coalesce(t.size_bytes::numeric * p.overage_percent / 100, 0), 9000000000000000000)::bigint as limit_bytes,
        (select coalesce(sum(c.within_bytes + c.over_bytes), 0)::bigint from data_pool_counter c
          where c.account_id = t.account_id and c.pool_id = t.pool_id and c.starts_at = t.starts_at) as used_bytes
      from data_pool p join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
      where p.account_id = ${account_id} and p.ended_at is null
    ), member as (
      select m.account_id, m.sim_id, m.joined_at, pool.*, count(*) over own::int as pools, bool_and(pool.exhausted_at is not null) over own as gets_nothing
      from data_pool_sim m join pool on pool.id = m.pool_id
      where m.account_id = ${account_id} and m.sim_id = any(${sim_ids}::text[]) window own as (partition by m.sim_id)
    )
    select distinct on (s.id) s.account_id, s.id as sim_id, s.asset_id, m.id as pool_id, m.name as pool_name, m.exhausted_at, m.starts_at, m.ends_at,
      m.joined_at, m.limit_bytes, m.used_bytes, m.pools,
      case m.overage_policy when 'stop' then coalesce((select u.over_bytes from data_pool_usage u
        where u.account_id = m.account_id and u.pool_id = m.id and u.starts_at = m.starts_at and u.sim_id = m.sim_id), 0) else 0 end as over_bytes
    from member m join sim s on s.account_id = m.account_id and s.id = m.sim_id
    where m.gets_nothing and s.pool_id is not null and s.state <> 'terminated' and not s.blocks @> '[{"code":"pool_exhausted"}]'
    order by s.id, m.exhausted_at desc`.execute(tx)

async function block(tx: Tx, account_id: string, sim_ids: readonly string[], at: Date): Promise<void> {
  const { rows } = await findExhausted(tx, account_id, sim_ids)
  const added = await addBlocks(
    tx,
    rows.map(({ account_id, sim_id, exhausted_at, ends_at, pool_name, pools }) => ({
      account_id,
      sim_id,
      block: poolExhaustedBlock({
        reached_at: exhausted_at,
        words: pools === 1 ? `The data pool ${pool_name} is used up` : `All ${pools} data pools of this SIM are used up`,
        clears: `On ${dayWords(ends_at)}, 00:00 UTC, when the term ends, or when the pool gets more data`,
      }),
    }))
  )
  const blocked = new Set(added.map(({ sim_id }) => sim_id))
  await beginPoolEnforcements(
    tx,
    rows
      .filter(({ sim_id }) => blocked.has(sim_id))
      .map(({ exhausted_at, starts_at, joined_at, ends_at: _, pools: _n, ...sim }) => {
        const by_change = joined_at > exhausted_at
        return { ...sim, by_change, period_start: dayOf(starts_at), at: by_change ? at : exhausted_at }
      })
  )
}

async function unblock(tx: Tx, account_id: string, after: string, at: Date): Promise<string[]> {
  const { rows } = await sql<SimOf>`select s.account_id, s.id as sim_id from sim s
    where s.account_id = ${account_id} and s.id > ${after} and s.status not in ('ready', 'active', 'standby')
      and s.blocks @> '[{"code":"pool_exhausted"}]' and ${decided} is null
    order by 1, 2 limit ${simsAtOnce}`.execute(tx)
  await endEnforcements(tx, await clearBlocks(tx, rows, 'pool_exhausted'), 'pools', at)
  return rows.map(({ sim_id }) => sim_id)
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
