import type pg from 'pg'

const free = {
  activation_micros: 0,
  reactivation_micros: 0,
  active_monthly: [{ from: 1, price_micros: 0 }],
  inactive_monthly_micros: 0,
  standby_monthly_micros: 0,
}

/** A price list of 200 networks that an account of `seedSims` pays by, by its number. */
export async function putTariff(pool: pg.Pool, number: number): Promise<void> {
  const account = `'acc_' || lpad('${number}', 26, '0')`
  await pool.query(`insert into tariff (id, name, currency, created_at, created_by) values ('trf_bench', 'Bench', 'USD', now(), 'bench')`)
  await pool.query(`insert into tariff_version (tariff_id, number, effective_from, block_bytes, rounding_scope, kb, fees, created_at, created_by)
    values ('trf_bench', 1, current_date - 100, 1000, 'session', 1000, '${JSON.stringify(free)}', now(), 'bench')`)
  await pool.query(`insert into tariff_zone (tariff_id, number, id, place, name, price_micros)
    values ('trf_bench', 1, 'EU1', 0, 'Europe', 12000), ('trf_bench', 1, 'ROW', 1, 'The rest', 350000)`)
  await pool.query(`insert into tariff_network (tariff_id, number, network, zone_id) select 'trf_bench', 1, '262-' || lpad(n::text, 2, '0'), 'EU1' from generate_series(1, 99) n
    union all select 'trf_bench', 1, (300 + n)::text, 'ROW' from generate_series(1, 99) n union all select 'trf_bench', 1, '*', 'ROW'`)
  await pool.query(
    `insert into account_tariff (account_id, from_day, tariff_id, assigned_at, assigned_by) values (${account}, current_date - 100, 'trf_bench', now(), 'bench')`
  )
  await pool.query('vacuum analyze tariff, tariff_version, tariff_zone, tariff_network, account_tariff')
}

/** All bytes that were charged to an account, and that its SIMs used. */
export async function chargedInAll(pool: pg.Pool, number: number): Promise<{ bytes: string; used: string }> {
  const account = `'acc_' || lpad('${number}', 26, '0')`
  const { rows } = await pool.query<{ bytes: string; used: string }>(`select
    (select coalesce(sum(bytes), 0)::text from charge where account_id = ${account}) as bytes,
    (select coalesce(sum(lifetime_up + lifetime_down), 0)::text from sim_counter where account_id = ${account}) as used`)
  return rows[0]!
}
