// What the costs of an account of BENCH_ASSETS assets (100,000) take over twelve months: the summary, and the month by country, tag, network group and
// asset. Beside the database's own time to add up what every SIM cost in those months, which the sums of the account are there to save. To stay under
// 300 ms for the summary.
import { openFleet, type Fleet } from '@masthead/testkit/fleet'
import { startProduct } from '@masthead/testkit/product'

const assets = Number(process.env.BENCH_ASSETS ?? 100_000)
const months = 12

/** A fee for each SIM, and data in three countries for most, as settling leaves it. Kept from run to run with the fleet. */
async function fillYear({ pool, account_id }: Fleet) {
  const had = await pool.query('select from cost_month where account_id = $1 limit 1', [account_id])
  if (had.rowCount) return
  await pool.query(
    `insert into billing_account (account_id, currency, enabled_at, enabled_by) values ($1, 'USD', now(), 'bench') on conflict do nothing`,
    [account_id]
  )
  for (let back = 0; back < months; back++)
    await pool.query(
      `insert into cost_sim (account_id, month, sim_id, kind, micros, bytes)
        select $1, (date_trunc('month', now() at time zone 'UTC') - $2::int * interval '1 month')::date, id, kind,
          case kind when 'sim_active' then 2000000 else random % 3000000 end, case kind when 'sim_active' then 0 else random % 90000000 end
        from (select id, kind, abs(hashtextextended(id, $2)) as random from sim cross join (values ('sim_active'), ('payg')) k (kind) where account_id = $1) s
        where kind = 'sim_active' or random % 10 < 8`,
      [account_id, back]
    )
  await pool.query(
    `insert into cost_month (account_id, month, kind, country, micros, bytes)
      select account_id, month, kind, case kind when 'payg' then (array['DE', 'FR', 'SE'])[1 + abs(hashtext(sim_id)) % 3] else '' end, sum(micros), sum(bytes)
      from cost_sim where account_id = $1 group by 1, 2, 3, 4`,
    [account_id]
  )
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}

const fleet = await openFleet(assets)
try {
  await fillYear(fleet)
  const product = await startProduct({ DATABASE_URL: fleet.url, MASTHEAD_DEMO: 'off', MASTHEAD_ROLES: 'api', MASTHEAD_LOG_LEVEL: 'silent' })
  try {
    const cookie = await fleet.newCookie(['usage.view'])
    const ask = async (path: string) => {
      const reply = await fetch(`${product.url}/v1${path}`, { headers: { cookie } })
      if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
    const timed = async (work: () => Promise<unknown>) => {
      const begun = performance.now()
      await work()
      return Math.round(performance.now() - begun)
    }
    await ask('/auth/user_info')
    const everySim = () =>
      fleet.pool.query(
        `select month, kind, sum(micros) from cost_sim where account_id = $1 and month > now() - interval '12 months' group by 1, 2`,
        [fleet.account_id]
      )
    const reference_ms = await timed(everySim)
    const paths = ['/usage/cost-summary', ...['country', 'tag', 'group', 'asset'].map((by) => `/usage/cost-summary/shares?by=${by}`)]
    const ms: Record<string, { first: number; again: number }> = {}
    for (const path of paths) ms[path] = { first: await timed(() => ask(path)), again: await timed(() => ask(path)) }
    const ratio = Number((ms['/usage/cost-summary']!.first / reference_ms).toFixed(2))
    console.log(JSON.stringify({ figure: 'cost-summary', assets, months, ms, reference_ms, ratio }))
  } finally {
    await product.stop()
  }
} finally {
  await fleet.stop()
}
