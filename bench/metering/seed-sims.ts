import type pg from 'pg'

const accounts = 20

/** SIMs with service over 20 accounts, and the gateway of the load. */
export async function seedSims(pool: pg.Pool, count: number): Promise<{ imsi: string }[]> {
  await pool.query(`insert into gateway (id, name, address, secret) values ('gtw_bench', 'Bench', '127.0.0.1', 'bench')`)
  await pool.query(
    `insert into account (id, team_name) select 'acc_' || lpad(a::text, 26, '0'), 'Account ' || a from generate_series(0, ${accounts - 1}) a`
  )
  for (let from = 0; from < count; from += 5000) {
    const range = `generate_series(${from}, ${Math.min(from + 5000, count) - 1}) n`
    const account = `'acc_' || lpad((n % ${accounts})::text, 26, '0')`
    const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`
    await pool.query(
      `insert into asset (account_id, id, type, serial, name) select ${account}, ${id('ast')}, 'plastic_sim', 'S' || n, 'Device ' || n from ${range}`
    )
    await pool.query(`insert into sim (account_id, id, asset_id, iccid, state, activated_at)
      select ${account}, ${id('sim')}, ${id('ast')}, lpad(n::text, 19, '0'), 'active', now() from ${range}`)
    await pool.query(
      `insert into sim_imsi (imsi, account_id, sim_id) select '20408' || lpad(n::text, 10, '0'), ${account}, ${id('sim')} from ${range}`
    )
  }
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
  return Array.from({ length: count }, (_, n) => ({ imsi: `20408${String(n).padStart(10, '0')}` }))
}
