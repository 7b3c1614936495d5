import type pg from 'pg'
import { inSteps } from './in-steps.ts'
import { accountOf, idOf } from './seed-sims.ts'

/** Records and ended hours written for a SIM: fewer where there are very many SIMs, as a row takes what it takes. */
export const rowsOf = (sims: number) => (sims > 1_000_000 ? { records: 1, hours: 1 } : { records: 4, hours: 2 })

const [account, sim, session] = [accountOf, idOf('sim'), idOf('ses')]

/** A day of usage of SIMs from `seedSims`, as the meter leaves it: an ended session, its records, ended hours and the open one, a day and a month for each SIM, its counter. */
export async function fillUsage(pool: pg.Pool, sims: number): Promise<void> {
  const { records, hours } = rowsOf(sims)
  await pool.query('select ensure_usage_partitions(current_date - 1, current_date + 3)')
  await inSteps(pool, sims, (range) => [
    `insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, imsi, apn, ip, rat, mccmnc, imei, cell,
        started_at, updated_at, heard_at, ended_at, end_cause, session_time, counter_up, counter_down, bytes_up, bytes_down, interim_seconds)
      select ${account}, ${session}, ${sim}, ${idOf('ast')}, 'gtw_bench', 'fill', lpad(n::text, 16, '0'), '20408' || lpad(n::text, 10, '0'),
        'iot.example', '10.0.0.0'::inet + n, 'EUTRAN', '262-01', lpad(n::text, 15, '3'), '262-01-12-' || n, now() - interval '2 hours', now(), now(),
        now(), 'User request', 7200, 123456, 654321, 123456, 654321, 300 from ${range}`,
    `insert into sim_counter (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      select ${account}, ${sim}, date_trunc('month', now() at time zone 'UTC')::date, 123456, 654321, 123456, 654321, now() from ${range}`,
    `insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
      select ${account}, ${sim}, ${session}, now(), now(), 30864, 163580, '262-01', 'EUTRAN'
      from generate_series(1, ${records}) r, ${range}`,
    `insert into usage_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
      select ${account}, ${sim}, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', '262-01', 'EUTRAN', 61728, 327160
      from generate_series(1, ${hours}) h, ${range}`,
    `insert into usage_open_hour (account_id, sim_id, hour, mccmnc, rat, bytes_up, bytes_down)
      select ${account}, ${sim}, date_trunc('hour', now(), 'UTC'), '262-01', 'EUTRAN', 61728, 327160 from ${range}`,
    `insert into usage_day (account_id, sim_id, day, mccmnc, rat, bytes_up, bytes_down)
      select ${account}, ${sim}, (now() at time zone 'UTC')::date - 1, '262-01', 'EUTRAN', 123456, 654321 from ${range}`,
    `insert into usage_month (account_id, sim_id, month, mccmnc, rat, bytes_up, bytes_down)
      select ${account}, ${sim}, date_trunc('month', now() at time zone 'UTC' - interval '1 day')::date, '262-01', 'EUTRAN', 123456, 654321
      from ${range}`,
  ])
  await pool.query(`insert into account_usage_hour (account_id, hour, mccmnc, rat, bytes_up, bytes_down)
    select account_id, hour, mccmnc, rat, sum(bytes_up), sum(bytes_down) from usage_hour group by 1, 2, 3, 4`)
  // What was filled is in the roll-ups already.
  await pool.query(`insert into rollup_progress (name, xid, complete_until) values ('usage', pg_current_xact_id(), now())`)
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
}
