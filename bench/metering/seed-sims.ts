import type pg from 'pg'
import { inSteps } from './in-steps.ts'

const usualAccounts = 20
const accountAmong = (accounts: number) => `'acc_' || lpad((n % ${accounts})::text, 26, '0')`

/** The account of number n among the SIMs, in SQL. */
export const accountOf = accountAmong(usualAccounts)
/** An id with number n, in SQL. */
export const idOf = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`

const [iccid, imsi] = [`lpad(n::text, 19, '0')`, `'20408' || lpad(n::text, 10, '0')`]

/**
 * SIMs with service, over 20 accounts unless given, and the gateway of the load. What triggers would add to an asset is written with it.
 * @returns of `most` of them, spread evenly, the IMSI
 */
export async function seedSims(
  pool: pg.Pool,
  count: number,
  { most = count, accounts = usualAccounts }: { most?: number; accounts?: number } = {}
): Promise<{ imsi: string }[]> {
  const account = accountAmong(accounts)
  await pool.query(`with gateway as (insert into gateway (id, name, created_at) values ('gtw_bench', 'Bench', '2020-01-01') on conflict do nothing)
      insert into gateway_address (id, gateway_id, address, secret, created_at) values ('gad_bench', 'gtw_bench', '127.0.0.1', 'bench', '2020-01-01')`)
  await pool.query(
    `insert into account (id, team_name) select 'acc_' || lpad(a::text, 26, '0'), 'Account ' || a from generate_series(0, ${accounts - 1}) a`
  )
  await inSteps(pool, count, (range) => [
    `insert into asset (account_id, id, type, serial, name, sim_id, sim_status, sim_search)
      select ${account}, ${idOf('ast')}, 'plastic_sim', 'S' || n, 'Device ' || n, ${idOf('sim')}, 'active', ${iccid} || ' ' || ${imsi} from ${range}`,
    `insert into sim (account_id, id, asset_id, iccid, state, activated_at, created_at)
      select ${account}, ${idOf('sim')}, ${idOf('ast')}, ${iccid}, 'active', now(), '2020-01-01' from ${range}`,
    `insert into sim_imsi (imsi, account_id, sim_id) select ${imsi}, ${account}, ${idOf('sim')} from ${range}`,
  ])
  await pool.query(`insert into asset_count select account_id, type, sim_status, count(*) from asset group by 1, 2, 3`)
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
  const told = Math.min(count, most)
  return Array.from({ length: told }, (_, n) => ({ imsi: `20408${String(Math.floor((n * count) / told)).padStart(10, '0')}` }))
}
