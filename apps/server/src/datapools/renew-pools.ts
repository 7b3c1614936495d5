import { sql } from 'kysely'
import { poolEnded, poolRenewed } from '@masthead/contract/datapools/events'
import { termEnd } from '@masthead/contract/datapools/package'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { type App, type Tx, systemActor } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { decideTerms, type TermOf } from './decide-terms.ts'

/** A pool by its key. */
export type PoolOf = { account_id: string; pool_id: string }

const poolsAtOnce = 100

/** Has nobody else take from these pools, or change what there is, until the transaction ends. In one order, so that no two wait for each other. */
export async function lockPools(tx: Tx, pools: readonly PoolOf[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(key) from (select distinct pool_lock(k.account_id, k.pool_id) as key
    from unnest(${pools.map((pool) => pool.account_id)}::text[], ${pools.map((pool) => pool.pool_id)}::text[]) as k(account_id, pool_id)
    order by 1 offset 0) ordered`.execute(tx)
}

/**
 * Begins the next term of pools whose term is over and that renew, and ends those that do not, and those of an account that its owner closed. Several
 * terms may have passed meanwhile: each is begun, so that what is reported late finds its own. Does nothing where somebody else did.
 */
export async function renewPools(tx: Tx, given: readonly PoolOf[], at: Date): Promise<void> {
  await lockPools(tx, given)
  const { rows } = await sql<PoolOf>`select distinct p.account_id, p.id as pool_id
    from unnest(${given.map((pool) => pool.account_id)}::text[], ${given.map((pool) => pool.pool_id)}::text[]) as k(account_id, pool_id)
      join data_pool p on p.account_id = k.account_id and p.id = k.pool_id and p.ended_at is null order by 1, 2`.execute(tx)
  for (const pool of rows) await renewPool(tx, pool, at)
}

async function renewPool(tx: Tx, { account_id, pool_id }: PoolOf, at: Date) {
  const pool = await tx
    .selectFrom('data_pool')
    .innerJoin('data_pool_term as term', (join) =>
      join
        .onRef('term.account_id', '=', 'data_pool.account_id')
        .onRef('term.pool_id', '=', 'data_pool.id')
        .onRef('term.starts_at', '=', 'data_pool.term_starts_at')
    )
    .innerJoin('account', 'account.id', 'data_pool.account_id')
    .selectAll('data_pool')
    .select(['term.ends_at', 'account.closed_at'])
    .where('data_pool.account_id', '=', account_id)
    .where('data_pool.id', '=', pool_id)
    .forNoKeyUpdate(['data_pool', 'term'])
    .executeTakeFirstOrThrow()
  const actor = systemActor(account_id, at)
  const named = { pool_id, pool_name: pool.name }
  let starts_at = pool.ends_at
  if (starts_at > at) return
  if (!pool.auto_renew || pool.closed_at) {
    await setPool(tx, { account_id, pool_id }, { ended_at: pool.ends_at })
    await sql`select pools_changed(${account_id})`.execute(tx)
    await record(tx, actor, poolEnded, named)
    return
  }
  let size_bytes = 0
  const endOf = (start: Date) => termEnd(start, validityOf(pool), pool.opened_at)
  for (let ends_at = endOf(starts_at); ; starts_at = ends_at, ends_at = endOf(starts_at)) {
    size_bytes = await beginTerm(tx, { account_id, pool_id }, { starts_at, ends_at })
    if (ends_at > at) break
  }
  await setPool(tx, { account_id, pool_id }, { term_starts_at: starts_at })
  await sql`select pools_changed(${account_id})`.execute(tx)
  await record(tx, actor, poolRenewed, { ...named, data_volume: formatBytes(size_bytes) })
}

const validityOf = ({ validity_count, validity_unit }: { validity_count: number; validity_unit: 'day' | 'month' }) => ({
  count: validity_count,
  unit: validity_unit,
})

const setPool = (tx: Tx, { account_id, pool_id }: PoolOf, set: { ended_at: Date } | { term_starts_at: Date }) =>
  tx.updateTable('data_pool').set(set).where('account_id', '=', account_id).where('id', '=', pool_id).execute()

/** A term with what its package gives, for each of its SIMs where the kind is dynamic. One that a clock began that was ahead is there already. Answers with its size. */
export async function beginTerm(
  tx: Tx,
  { account_id, pool_id }: PoolOf,
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date }
): Promise<number> {
  const { rows } = await sql<{ size_bytes: number }>`with term as (
      insert into data_pool_term (account_id, pool_id, starts_at, ends_at, size_bytes, price_micros)
      select p.account_id, p.id, ${starts_at}::timestamptz, ${ends_at}::timestamptz, least(p.unit_bytes::numeric * case p.kind when 'fixed' then 1
          else (select count(*) from data_pool_sim s join asset a on a.account_id = s.account_id and a.sim_id = s.sim_id
            where s.account_id = p.account_id and s.pool_id = p.id) end, 9000000000000000000), p.price_micros
      from data_pool p where p.account_id = ${account_id} and p.id = ${pool_id}
      on conflict (account_id, pool_id, starts_at) do update set size_bytes = greatest(data_pool_term.size_bytes, excluded.size_bytes) returning size_bytes
    ) select size_bytes from term`.execute(tx)
  await sql`insert into data_pool_usage (account_id, pool_id, starts_at, sim_id, brought_bytes)
    select s.account_id, s.pool_id, ${starts_at}::timestamptz, s.sim_id, p.unit_bytes from data_pool p
      join data_pool_sim s on s.account_id = p.account_id and s.pool_id = p.id
      join asset a on a.account_id = s.account_id and a.sim_id = s.sim_id
    where p.account_id = ${account_id} and p.id = ${pool_id} and p.kind = 'dynamic' order by 1, 2, 3, 4
    on conflict do nothing`.execute(tx)
  return rows[0]!.size_bytes
}

/**
 * After a clock that was days ahead: the term of today is the one that runs. Those that it began stay, with what was used by it, and begin again when their time
 * comes. A term of tomorrow stays as well, as the meter's clock stands still for a day before it goes back.
 */
async function runTermsOfToday(tx: Tx, at: Date): Promise<void> {
  const ahead = sql`p.ended_at is null and p.term_starts_at > ${at}::timestamptz + interval '1 day'`
  const { rows: pools } = await sql<PoolOf>`select p.account_id, p.id as pool_id from data_pool p where ${ahead}`.execute(tx)
  if (pools.length === 0) return
  await lockPools(tx, pools)
  const { rows: terms } = await sql<TermOf>`update data_pool set term_starts_at = t.starts_at from data_pool p
      join lateral (select starts_at from data_pool_term o where o.account_id = p.account_id and o.pool_id = p.id and o.starts_at <= ${at}
        order by starts_at desc limit 1) t on true
    where ${ahead} and data_pool.account_id = p.account_id and data_pool.id = p.id
    returning p.account_id, p.id as pool_id, t.starts_at`.execute(tx)
  await decideTerms(tx, terms, at)
  await sql`select pools_changed(account_id) from (select distinct account_id from unnest(${terms.map((term) => term.account_id)}::text[]) as k(account_id)) k`.execute(
    tx
  )
}

/** Looks after all pools whose term is over, some at a time. */
export async function renewDuePools({ db, clock }: App): Promise<void> {
  await db.transaction().execute((tx) => runTermsOfToday(tx, clock.now()))
  for (let renewed = poolsAtOnce; renewed === poolsAtOnce;) {
    renewed = await db.transaction().execute(async (tx) => {
      const at = clock.now()
      const { rows } = await sql<PoolOf>`select p.account_id, p.id as pool_id from data_pool_term t
        join data_pool p on p.account_id = t.account_id and p.id = t.pool_id and p.term_starts_at = t.starts_at and p.ended_at is null
        where t.ends_at <= ${at} limit ${poolsAtOnce}`.execute(tx)
      await renewPools(tx, rows, at)
      return rows.length
    })
  }
}
