// What usage costs an account of BENCH_ASSETS assets (100,000) with BENCH_DAYS days of it (30): the overview, the sums and the total usage of this month by each grouping and
// those of all those days, for who sees all and for a member whose tag has a twentieth of the assets, asked for the first time and again. Beside the database's own time to add up every day of every SIM, which months and shared answers are there
// to save.
import { firstTag, openFleet, type Fleet } from '@masthead/testkit/fleet'
import { startProduct } from '@masthead/testkit/product'

const assets = Number(process.env.BENCH_ASSETS ?? 100_000)
const days = Number(process.env.BENCH_DAYS ?? 30)

/** Of nine SIMs in ten on eight days in ten, each on two networks of twenty, as the meter and its roll-ups leave it. Kept from run to run with the fleet. */
async function fillMonth({ pool, account_id }: Fleet) {
  const had = await pool.query('select from usage_day where account_id = $1 limit 1', [account_id])
  if (had.rowCount) return
  for (let back = 0; back < days; back++)
    await pool.query(
      `insert into usage_day (account_id, sim_id, day, mccmnc, rat, bytes_up, bytes_down)
        select $1, id, (now() at time zone 'UTC')::date - $2::int, 202 + (own / 10 + random % 2) % 20 || '-01', 'EUTRAN',
          random % 100000, random % 900000
        from (select id, abs(hashtextextended(id, $2)) as random, abs(hashtextextended(id, -1)) as own from sim where account_id = $1) s
        where own % 10 > 0 and random % 10 < 8`,
      [account_id, back]
    )
  await pool.query(
    `insert into usage_month select account_id, sim_id, date_trunc('month', day::timestamp)::date, mccmnc, rat, sum(bytes_up), sum(bytes_down)
      from usage_day where account_id = $1 group by 1, 2, 3, 4, 5`,
    [account_id]
  )
  await pool.query(
    `insert into account_usage_hour select $1, (day::timestamp + h * interval '1 hour') at time zone 'UTC', mccmnc, rat, bytes_up, bytes_down
      from (select day, mccmnc, rat, div(sum(bytes_up), 24) as bytes_up, div(sum(bytes_down), 24) as bytes_down
        from usage_day where account_id = $1 group by 1, 2, 3) d, generate_series(0, 23) h`,
    [account_id]
  )
  await pool.query(
    `insert into sim_sent select account_id, sim_id, (max(day) + time '12:00') at time zone 'UTC', set_bit(B'0'::bit(720), 719, 1), '' from usage_day
      where account_id = $1 group by 1, 2`,
    [account_id]
  )
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}

const fleet = await openFleet(assets)
try {
  await fillMonth(fleet)
  const timed = async (ask: () => Promise<unknown>) => {
    const begun = performance.now()
    await ask()
    return Math.round(performance.now() - begun)
  }
  const product = await startProduct({ DATABASE_URL: fleet.url, MASTHEAD_DEMO: 'off', MASTHEAD_ROLES: 'api', MASTHEAD_LOG_LEVEL: 'silent' })
  try {
    const all = await fleet.newCookie(['overview.view', 'usage.view'])
    const limited = await fleet.newCookie(['usage.view'], [firstTag])
    const ask = async (path: string, cookie: string) => {
      const reply = await fetch(`${product.url}/v1${path}`, { headers: { cookie } })
      if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`)
      await reply.arrayBuffer()
    }
    await ask('/auth/user_info', all)
    const everyDay = () =>
      fleet.pool.query(
        `select sim_id, sum(bytes_up + bytes_down) as bytes from usage_day
          where account_id = $1 and day >= date_trunc('month', now() at time zone 'UTC')::date group by 1 order by 2 desc limit 10`,
        [fleet.account_id]
      )
    const reference_ms = [await timed(everyDay)]
    const calls = [
      '/overview',
      '/usage/sums',
      ...['sim', 'network', 'country', 'rat', 'tag'].map((group) => `/usage/total?group_by=${group}`),
    ]
    const ms: Record<string, { first: number; again: number }> = {}
    const measure = async (name: string, path: string, cookie: string) => {
      ms[name] = { first: await timed(() => ask(path, cookie)), again: await timed(() => ask(path, cookie)) }
    }
    for (const path of calls) await measure(path, path, all)
    const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
    const whole = `?start=${day(days - 1)}T00:00:00Z&end=${day(-1)}T00:00:00Z`
    for (const path of ['/usage/sums', '/usage/silent', '/usage/total']) {
      await measure(`${days} days: ${path}`, path + whole, all)
      await measure(`${days} days, of one tag: ${path}`, path + whole, limited)
    }
    reference_ms.push(await timed(everyDay))
    const reference = Math.min(...reference_ms)
    const ratio = Number((reference / ms['/usage/total?group_by=sim']!.first).toFixed(2))
    console.log(
      JSON.stringify({ figure: 'account-usage', assets, days, day_of_month: new Date().getUTCDate(), ms, reference_ms: reference, ratio })
    )
  } finally {
    await product.stop()
  }
} finally {
  await fleet.stop()
}
