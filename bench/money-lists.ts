// What one account of BENCH_ASSETS assets (100,000), each with data that is charged and not settled yet, and of BENCH_ENTRIES entries in the ledger (1,000,000)
// is answered about its money: the balance, charges that wait, and entries by amount, type and day, the rarest and the most frequent. Beside it the database's own time to
// count the charges and to read the entries of one amount.
import { newId } from '@masthead/contract/kernel/id'
import { openFleet, type Fleet } from '@masthead/testkit/fleet'
import { startProduct } from '@masthead/testkit/product'

const assets = Number(process.env.BENCH_ASSETS ?? 100_000)
const entries = Number(process.env.BENCH_ENTRIES ?? 1_000_000)
const step = 100_000
const rounds = 5

/** In the order of time, as those that are posted: what was posted since a time is found by its id. */
const idsOf = (from: number, to: number, began: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => newId({ prefix: 'led' }, began + (from + i) * 25_000))

/** Entries are written past their own triggers: only the lists read them. Kept from run to run with the fleet. */
async function fill({ pool, account_id }: Fleet) {
  const had = await pool.query('select from ledger_transaction where account_id = $1 limit 1', [account_id])
  if (had.rowCount) return
  const began = Date.now() - 300 * 86_400_000
  await pool.query(
    `insert into billing_account (account_id, currency, enabled_at, enabled_by) values ($1, 'USD', now(), 'bench') on conflict do nothing`,
    [account_id]
  )
  await pool.query(`insert into tariff (id, name, currency, created_at, created_by) values ('trf_bench', 'Bench', 'USD', now(), 'bench')`)
  await pool.query(
    `insert into tariff_version (tariff_id, number, effective_from, block_bytes, rounding_scope, kb, fees, created_at, created_by)
      values ('trf_bench', 1, '2020-01-01', 1, 'day', 1000, '{}', now(), 'bench')`
  )
  await pool.query(
    `insert into tariff_zone (tariff_id, number, id, place, name, price_micros) values ('trf_bench', 1, 'A', 0, 'Everywhere', 10000)`
  )
  await pool.query(
    `insert into charge (account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late, price_micros, bytes, billed_bytes, charged_micros,
        used_from, used_to, summed_bytes, summed_micros)
      select $1, id, (now() at time zone 'UTC')::date, 'trf_bench', 1, '2020-01-01', 'A', 'payg', '262-01', false, 10000, n, n, n, now() - interval '1 hour', now(), n, n
      from (select id, 1 + abs(hashtext(id)) % 240000 as n from sim where account_id = $1) s`,
    [account_id]
  )
  await pool.query(
    `insert into cost_sim (account_id, month, sim_id, kind, micros, bytes)
      select account_id, date_trunc('month', day)::date, sim_id, 'payg', charged_micros, bytes from charge where account_id = $1`,
    [account_id]
  )
  await pool.query(
    `insert into charge_account (account_id, unsettled_micros) select account_id, sum(charged_micros) from charge where account_id = $1 group by 1
      on conflict (account_id) do update set unsettled_micros = excluded.unsettled_micros`,
    [account_id]
  )
  await pool.query('alter table ledger_transaction disable trigger user')
  for (let from = 1; from <= entries; from += step)
    await pool.query(
      `insert into ledger_transaction (account_id, id, key, number, type, sub_type, amount_micros, balance_after_micros, description, actor, source, effective_at,
            posted_at, usage_from, usage_to, quantity, unit, unit_price_micros, zone, tariff_version, asset_id, sim_id)
          select $1, ids.id, 'bench:' || n, n, case when n % 1000 = 0 then 'credit' else 'charge' end,
            case when n % 1000 = 0 then 'topup' else 'payg' end, case when n % 1000 = 0 then 100000000 + n else -250000 - n % 1000 end, 0, 'Data', 'system',
            case when n % 1000 = 0 then 'card' else 'usage' end, at, at, at - interval '1 hour', at, 25000000, 'byte', 10000, 'A', 'trf_bench:1', asset_id, s.id
          from generate_series($2::int, $3::int) n join unnest($5::text[]) with ordinality as ids (id, place) on ids.place = n - $2::int + 1
            join (select id, asset_id, row_number() over (order by id) - 1 as nth from sim where account_id = $1) s on s.nth = n % $4
            cross join lateral (select to_timestamp(($6::float8 + n * 25000::float8) / 1000) as at) posted`,
      [account_id, from, Math.min(from + step - 1, entries), assets, idsOf(from, Math.min(from + step - 1, entries), began), began]
    )
  await pool.query('alter table ledger_transaction enable trigger user')
  await pool.query('vacuum analyze')
}

const fleet = await openFleet(assets)
try {
  await fill(fleet)
  const { pool, account_id } = fleet
  const product = await startProduct({ DATABASE_URL: fleet.url, MASTHEAD_DEMO: 'off', MASTHEAD_ROLES: 'api', MASTHEAD_LOG_LEVEL: 'silent' })
  try {
    const cookie = await fleet.newCookie(['usage.view', 'billing.view'])
    const ask = async (path: string) => {
      const reply = await fetch(`${product.url}/v1${path}`, { headers: { cookie } })
      const body = (await reply.json()) as { items?: { id: string; asset_id: string | null }[] }
      if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${JSON.stringify(body)}`)
      return body
    }
    const timed = async (work: () => Promise<unknown>) => {
      const took: number[] = []
      for (let i = 0; i < rounds; i++) {
        const begun = performance.now()
        await work()
        took.push(performance.now() - begun)
      }
      return { first: Math.round(took[0]!), middle: Math.round(took.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!) }
    }
    const [pending] = (await ask('/billing/pending')).items!
    const of = `/billing/transactions?page_size=10`
    const paths = {
      balance: '/billing/balance',
      summary: '/usage/cost-summary',
      pending: '/billing/pending',
      pending_page_900: '/billing/pending?page=900',
      pending_of_asset: `/billing/pending?asset_id=${pending!.asset_id}`,
      pending_one: `/billing/pending/${encodeURIComponent(pending!.id)}`,
      entries: of,
      entries_of_type: `${of}&type=credit`,
      entries_from_amount: `${of}&least_micros=100000000`,
      entries_from_low_amount: `${of}&least_micros=250500`,
      entries_between_few: `${of}&least_micros=250999&most_micros=250999`,
      entries_between_none: `${of}&least_micros=1000000&most_micros=2000000`,
      entries_up_to: `${of}&most_micros=250001`,
      entries_of_day_and_amount: `${of}&least_micros=250990&start=${new Date(Date.now() - 86_400_000).toISOString()}`,
    }
    const ms: Record<string, { first: number; middle: number }> = {}
    for (const [name, path] of Object.entries(paths)) ms[name] = await timed(() => ask(path))
    const count_ms = await timed(() => pool.query('select count(*) from charge where account_id = $1', [account_id]))
    const amount_ms = await timed(() =>
      pool.query('select * from ledger_transaction where account_id = $1 and abs(amount_micros) = 250999 order by number desc limit 10', [
        account_id,
      ])
    )
    console.log(JSON.stringify({ figure: 'money-lists', assets, entries, ms, count_ms, amount_ms }, null, 1))
  } finally {
    await product.stop()
  }
} finally {
  await fleet.stop()
}
