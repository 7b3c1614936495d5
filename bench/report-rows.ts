// A report of BENCH_ROWS usage records (500,000; the house's own measure is 5,000,000) over BENCH_SIMS SIMs (2,000), as CSV and as XLSX, or as what BENCH_FORMATS names: rows a second, and the most memory its process
// takes above what it has at rest, which may be 200 MB however many rows there are. Beside it a bare COPY of the same select of the same database
// to a file.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { openFleet } from '@masthead/testkit/fleet'
import { to as copyTo } from 'pg-copy-streams'
import type { Taken } from './reports/making.ts'

const rows = Number(process.env.BENCH_ROWS ?? 500_000)
const limit_mb = 200
const sims = Number(process.env.BENCH_SIMS ?? 2000)
const formats = (process.env.BENCH_FORMATS ?? 'csv,xlsx').split(',')
const step = 500_000

const fleet = await openFleet(sims)
const { pool, account_id } = fleet
const folder = mkdtempSync(join(tmpdir(), 'masthead-reports-'))

/** Each record has a session with an address, and its account pays by a price list that rounds each record. */
async function fillAround() {
  await pool.query(
    `insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, ip, mccmnc, started_at, updated_at, heard_at)
      select account_id, 'ses_' || id, id, asset_id, 'gtw_bench', 'bench', id, '10.0.0.1', '262-01', now() - interval '21 days', now(), now() from sim where account_id = $1
      on conflict do nothing`,
    [account_id]
  )
  await pool.query(
    `insert into billing_account (account_id, currency, enabled_at, enabled_by) values ($1, 'USD', now(), 'bench') on conflict do nothing`,
    [account_id]
  )
  await pool.query(
    `with list as (insert into tariff (id, name, currency, created_at, created_by) values ('trf_bench', 'Bench', 'USD', now(), 'bench') on conflict do nothing),
      version as (insert into tariff_version (tariff_id, number, effective_from, block_bytes, rounding_scope, kb, fees, created_at, created_by)
        values ('trf_bench', 1, '2020-01-01', 1000, 'record', 1000, '{}', now(), 'bench') on conflict do nothing)
      insert into tariff_zone (tariff_id, number, id, place, name, price_micros) values ('trf_bench', 1, 'A', 0, 'Everywhere', 10000) on conflict do nothing`
  )
  await pool.query(
    `insert into tariff_network (tariff_id, number, zone_id, network) values ('trf_bench', 1, 'A', '*') on conflict do nothing`
  )
  await pool.query(
    `insert into account_tariff (account_id, from_day, tariff_id, assigned_at, assigned_by) values ($1, '2020-01-01', 'trf_bench', now(), 'bench') on conflict do nothing`,
    [account_id]
  )
  await pool.query('vacuum analyze data_session')
}

async function fill() {
  await pool.query('select ensure_usage_partitions(current_date - 1, current_date + 1)')
  for (let from = 0; from < rows; from += step)
    await pool.query(
      `insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
        select $1, s.id, 'ses_' || s.id, now() - interval '20 days' + (n % 1700000) * interval '1 second', now(), n, n * 7, '262-01', 'EUTRAN'
        from generate_series($2::int, $3::int - 1) n join (select id, row_number() over (order by id) - 1 as nth from sim where account_id = $1) s
          on s.nth = n % $4`,
      [account_id, from, Math.min(from + step, rows), sims]
    )
  await pool.query('vacuum analyze usage_record')
}

async function report(format: string): Promise<Taken> {
  const id = `rep_${format}`
  await pool.query(
    `insert into report (account_id, id, name, kind, format, start_day, end_day, timezone, filter, maker, person_id, recipients, created_at)
      select $1, $2, 'Bench', 'records', $3, (now() - interval '25 days')::date, (now() + interval '1 day')::date, 'UTC', '{"tags": [], "network_groups": [], "q": null}',
        jsonb_build_object('kind', 'person', 'email', email, 'person_id', id, 'ip', null, 'request_id', null), id, '{}', now()
      from person where account_id = $1 limit 1`,
    [account_id, id, format]
  )
  const env = { ...process.env, DATABASE_URL: fleet.url, MASTHEAD_DATA_DIR: folder }
  const child = fork(fileURLToPath(new URL('./reports/making.ts', import.meta.url)), {
    env,
    execArgv: ['--disable-warning=ExperimentalWarning', '--v8-pool-size=0', '--max-semi-space-size=16'],
  })
  const ended = once(child, 'exit')
  const said = await Promise.race([once(child, 'message'), ended.then(() => null)])
  await ended
  const { rows: made } = await pool.query<{ state: string; rows: string }>('select state, rows from report where id = $1', [id])
  if (!said || made[0]?.state !== 'complete' || Number(made[0].rows) !== rows)
    throw new Error(`The report is ${made[0]?.state} with ${made[0]?.rows} of ${rows} rows`)
  return said[0] as Taken
}

async function copy(): Promise<number> {
  const client = await pool.connect()
  try {
    const begun = performance.now()
    const select = `select r.event_at, r.received_at, r.session_id, r.mccmnc, n.name, n.country, r.rat, r.bytes_up, r.bytes_down,
        a.id, a.name, a.serial, s.iccid
      from usage_record r join sim s on s.account_id = r.account_id and s.id = r.sim_id
        join asset a on a.account_id = s.account_id and a.id = s.asset_id left join network n on n.mccmnc = r.mccmnc
      where r.account_id = '${account_id}' and r.event_at >= now() - interval '25 days'`
    await pipeline(client.query(copyTo(`copy (${select}) to stdout with (format csv)`)), createWriteStream(join(folder, 'copied.csv')))
    return (performance.now() - begun) / 1000
  } finally {
    client.release()
  }
}

try {
  await fillAround()
  await fill()
  for (const format of formats) {
    const copied = await copy()
    const { seconds, rest_mb, peak_mb } = await report(format)
    const above_mb = peak_mb - rest_mb
    const per_s = Math.round(rows / seconds)
    const copy_per_s = Math.round(rows / copied)
    const figures = { figure: 'report-rows', format, rows, rest_mb, peak_mb, above_mb, limit_mb, per_s, copy_per_s }
    console.log(JSON.stringify({ ...figures, ratio: Number((per_s / copy_per_s).toFixed(2)) }))
    if (above_mb > limit_mb) throw new Error(`A report of ${rows} rows took ${above_mb} MB`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
  await fleet.stop()
}
