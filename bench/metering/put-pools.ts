import type pg from 'pg'

/** Much more than is used, so that nothing comes near its edge. */
const muchMore = 1e15

type Given = { pools: number; size?: number; limit?: number | null }

/** So many pools that share the SIMs of an account of `seedSims`, by its number, and a limit for each SIM; null: none. */
export async function putLimitsAndPools(pool: pg.Pool, number: number, { pools, size = muchMore, limit = muchMore }: Given): Promise<void> {
  const account = `'acc_' || lpad('${number}', 26, '0')`
  const client = await pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(`insert into data_package (id, name, kind, size_bytes, validity_count, validity_unit, overage_policy, created_at, created_by)
      values ('pkg_bench', 'Bench', 'fixed', ${size}, 1, 'month', 'stop', now(), 'bench') on conflict do nothing`)
    if (limit !== null)
      await client.query(`insert into usage_limit (account_id, id, sim_id, period, bytes)
      select account_id, 'lim_' || id, id, 'month', ${limit} from sim where account_id = ${account}`)
    await client.query(`insert into data_pool (account_id, id, name, package_id, kind, unit_bytes, validity_count, validity_unit, price_micros, currency,
        prorate_first, overage_policy, auto_renew, term_starts_at, opened_at, opened_by)
      select ${account}, 'dpl_' || n, 'Pool ' || n, 'pkg_bench', 'fixed', ${size}, 1, 'month', 0, 'USD', false, 'stop', true,
        current_date - 1, now(), 'bench' from generate_series(0, ${pools - 1}) n`)
    await client.query(`insert into data_pool_term (account_id, pool_id, starts_at, ends_at, size_bytes, price_micros)
      select account_id, id, term_starts_at, term_starts_at + interval '2 months', ${size}, 0 from data_pool where account_id = ${account}`)
    await client.query(`insert into data_pool_sim (account_id, sim_id, pool_id)
      select account_id, id, 'dpl_' || row_number() over (order by id) % ${pools} from sim where account_id = ${account} order by 1, 2`)
    await client.query(`update sim set pool_id = m.pool_id from data_pool_sim m
      where m.account_id = ${account} and sim.account_id = m.account_id and sim.id = m.sim_id`)
  } finally {
    client.release(true)
  }
  await pool.query('vacuum analyze sim, usage_limit, data_pool_sim, data_pool, data_pool_term')
  await pool.query('checkpoint')
}

/** All bytes that were taken, by the sums of the terms and by those of the SIMs. */
export async function takenOfPools(pool: pg.Pool): Promise<{ taken: number; of_sims: number }> {
  const { rows } = await pool.query<{ taken: number; of_sims: number }>(`select
    (select coalesce(sum(within_bytes + over_bytes), 0)::bigint from data_pool_counter) as taken,
    (select coalesce(sum(bytes), 0)::bigint from data_pool_usage) as of_sims`)
  return rows[0]!
}

/**
 * Of SIMs that were in pools and had limits from the beginning: pools whose SIMs used something else than was taken, and SIMs that are blocked
 * although their limit is not reached, or the other way round.
 */
export async function wrongLimitsAndPools(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(`select (
      (select count(*) from (select m.account_id, m.pool_id, sum(r.bytes_up::numeric + r.bytes_down) as bytes from data_pool_sim m
          join usage_record r on r.account_id = m.account_id and r.sim_id = m.sim_id group by 1, 2) used
        full join (select account_id, pool_id, sum(within_bytes + over_bytes) as bytes from data_pool_counter group by 1, 2) taken using (account_id, pool_id)
        where used.bytes is distinct from taken.bytes)
      + (select count(*) from usage_limit l join sim s on s.account_id = l.account_id and s.id = l.sim_id
          join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
        where s.blocks @> '[{"code":"data_limit"}]' <> (c.bytes_up::numeric + c.bytes_down >= l.bytes)))::int as n`)
  return rows[0]!.n
}
