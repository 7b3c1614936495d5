// The list of a large account (BENCH_ASSETS, 200,000), 8 clients: by what is stable, and by what moves with every packet, which is asked from its
// copy. With the time that a copy takes, first and when a fifth of the SIMs reported since.
import { openFleet } from '@masthead/testkit/fleet'
import { startProduct } from '@masthead/testkit/product'
import { setTimeout as pause } from 'node:timers/promises'
import { openHttpLoad } from './lists/http-load.ts'

const assets = Number(process.env.BENCH_ASSETS ?? 200_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const clients = 8

const kinds: Record<string, string> = {
  page: '',
  type: '?type=core',
  status: '?sim_status=inactive',
  page_deep: `?page=${Math.floor((assets * 0.9) / 10)}`,
  usage_few: `?q=${encodeURIComponent('usage:>99.9MB')}`,
  usage_many: `?q=${encodeURIComponent('usage:>10MB')}`,
  silent: `?q=${encodeURIComponent('silent:>29d')}`,
  never: `?q=${encodeURIComponent('seen:never')}`,
  country: '?q=country:PL',
  operator_and_usage: `?q=${encodeURIComponent('operator:260-06 usage:>50MB')}`,
}

const fleet = await openFleet(assets)
try {
  const { pool, account_id } = fleet
  await pool.query('delete from asset_moving where account_id = $1', [account_id])
  await pool.query('delete from asset_moving_copy where account_id = $1', [account_id])
  await pool.query(
    `insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      select $1, id, date_trunc('month', now() at time zone 'UTC')::date, r % 100000000, 0, r, 0, now() - (r % 2592000) * interval '1 second'
      from (select id, abs(hashtextextended(id, 5)) % 1000000000000 as r from sim where account_id = $1) s where r % 20 > 0
      on conflict (account_id, sim_id) do update set bytes_up = excluded.bytes_up, bytes_down = 0, seen_at = excluded.seen_at, period_start = excluded.period_start`,
    [account_id]
  )
  await pool.query(`insert into gateway (id, name) values ('gtw_bench', 'Bench') on conflict do nothing`)
  await pool.query(`insert into network (mccmnc, name, country) values ('260-06', 'Play', 'PL') on conflict do nothing`)
  await pool.query(
    `insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, mccmnc, started_at, updated_at, heard_at, ended_at)
      select $1, 'ses_b' || id, id, asset_id, 'gtw_bench', 'bench', id, case when abs(hashtextextended(id, 6)) % 50 = 0 then '260-06' else '262-01' end,
        now(), now(), now(), now() from sim where account_id = $1 on conflict do nothing`,
    [account_id]
  )
  await pool.query('vacuum analyze sim_counter')
  await pool.query('vacuum analyze data_session')
  const product = await startProduct({
    DATABASE_URL: fleet.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_ROLES: 'api,worker',
    MASTHEAD_LOG_LEVEL: 'silent',
  })
  try {
    const copied = async () => {
      const begun = performance.now()
      const before = (await pool.query('select copied_at from asset_moving_copy where account_id = $1', [account_id])).rows[0]?.copied_at
      for (;;) {
        const { rows } = await pool.query('select copied_at from asset_moving_copy where account_id = $1', [account_id])
        if (rows[0] && String(rows[0].copied_at) !== String(before)) return Math.round(performance.now() - begun)
        await pause(50)
      }
    }
    const first_copy_ms = await copied()
    await pool.query('vacuum analyze asset_moving')
    const cookies = await Promise.all(Array.from({ length: clients }, () => fleet.newCookie()))
    const load = await openHttpLoad({ url: product.url, clients })
    const figures: Record<string, object> = {}
    for (const [kind, query] of Object.entries(kinds)) {
      const asks = (n: number) => ({ path: `/v1/assets${query}`, cookie: cookies[n % clients]! })
      await load.run({ asks, seconds: 1 })
      const { rate, p50, p99, failed } = await load.run({ asks, seconds })
      figures[kind] = { rate, p50, p99, failed }
    }
    load.close()
    console.log(JSON.stringify({ figure: 'moving-filter', assets, clients, first_copy_ms, ...figures }))
  } finally {
    await product.stop()
  }
} finally {
  await fleet.stop()
}
