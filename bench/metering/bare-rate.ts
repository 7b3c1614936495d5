import type pg from 'pg'

const statement = `with e as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) as e(account_id, session_id, sim_id, up, down)
  ), moved as (
    update data_session s set session_time = s.session_time + 300, counter_up = s.counter_up + e.up, counter_down = s.counter_down + e.down,
      bytes_up = s.bytes_up + e.up, bytes_down = s.bytes_down + e.down, updated_at = now(), heard_at = now()
    from e where s.account_id = e.account_id and s.id = e.session_id
  ), recorded as (
    insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
    select account_id, sim_id, session_id, now(), now(), up, down, '262-01', 'EUTRAN' from e
  )
  insert into sim_counter as c (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
  select account_id, sim_id, date_trunc('month', now())::date, up, down, up, down, now() from e
  on conflict (account_id, sim_id) do update set bytes_up = c.bytes_up + excluded.bytes_up, bytes_down = c.bytes_down + excluded.bytes_down,
    lifetime_up = c.lifetime_up + excluded.lifetime_up, lifetime_down = c.lifetime_down + excluded.lifetime_down, seen_at = excluded.seen_at`

/** Events per second of a plain statement that writes what the meter writes (session, record, counter), 1,000 at a time, one after the other. */
export async function bareRate(pool: pg.Pool, seconds: number): Promise<number> {
  const { rows } = await pool.query<{ account_id: string; id: string; sim_id: string }>(
    'select account_id, id, sim_id from data_session where not superseded and ended_at is null'
  )
  const client = await pool.connect()
  await client.query(
    `set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off`
  )
  const distinct = [...new Map(rows.map((row) => [row.sim_id, row])).values()]
  const batches = Array.from({ length: Math.floor(distinct.length / 1000) }, (_, i) => {
    const batch = distinct.slice(i * 1000, (i + 1) * 1000)
    const column = (of: (row: (typeof batch)[number]) => string) => `{${batch.map(of).join(',')}}`
    const bytes = column(() => '1234')
    return [column((row) => row.account_id), column((row) => row.id), column((row) => row.sim_id), bytes, bytes]
  })
  const begun = performance.now()
  let done = 0
  for (let i = 0; performance.now() - begun < seconds * 1000; i++) {
    await client.query({ name: 'bare', text: statement, values: batches[i % batches.length]! })
    done += 1000
  }
  client.release()
  return (done * 1000) / (performance.now() - begun)
}
