import type { Statement } from './meter-connection.ts'

/**
 * Columns of many rows as PostgreSQL array literals, for unnest. Written by hand because the driver's own conversion
 * of arrays costs more than everything else in a batch. `NULL` stands for null and undefined.
 */
export const numberArray = (values: readonly (number | null)[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ',') + (values[i] ?? 'NULL')
  return `${text}}`
}

export const booleanArray = (values: readonly boolean[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += (i === 0 ? '' : ',') + (values[i] ? 't' : 'f')
  return `${text}}`
}

const plain = /^[\w.:@+-]+$/

const quote = (value: string): string =>
  plain.test(value) && value.toLowerCase() !== 'null' ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

export const textArray = (values: readonly (string | null)[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    text += (i === 0 ? '' : ',') + (value === null || value === undefined ? 'NULL' : quote(value))
  }
  return `${text}}`
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const at = (ms: string) => `to_timestamp(${ms} / 1000)`

/** The sessions of these keys as they are now. Nothing is locked: writing them checks their revision. */
export const findSessions: Statement = {
  name: 'find_sessions',
  text: `select s.nas, s.acct_session_id, s.account_id, s.id, s.sim_id, s.asset_id, ${ms('s.started_at')}, ${ms('s.updated_at')}, ${ms('s.ended_at')},
      s.end_cause, s.session_time, s.counter_up, s.counter_down, s.gigawords_seen, s.bytes_up, s.bytes_down, ${ms('s.reopened_after')},
      s.rat, s.mccmnc, s.imei, s.disconnect is not null and coalesce(s.disconnect ->> 'answer', 'ack') = 'ack',
      s.revision, ${ms('s.heard_at')}
    from unnest($1::text[], $2::text[]) as k(nas, acct_session_id)
    join data_session s on s.nas = k.nas and s.acct_session_id = k.acct_session_id and not s.superseded`,
}
export type SessionRow = [
  nas: string,
  acct_session_id: string,
  account_id: string,
  id: string,
  sim_id: string,
  asset_id: string,
  started_at: number,
  updated_at: number,
  ended_at: number | null,
  end_cause: string | null,
  session_time: number | null,
  counter_up: number,
  counter_down: number,
  gigawords_seen: boolean,
  bytes_up: number,
  bytes_down: number,
  reopened_after: number | null,
  rat: string | null,
  mccmnc: string | null,
  imei: string | null,
  cut: boolean,
  revision: number,
  heard_at: number,
]

/** SIMs by IMSI and by MSISDN. `$3` is the first day of the month. */
export const findSims: Statement = {
  name: 'find_sims',
  text: `select k.imsi, null::text, s.account_id, s.id, s.asset_id, s.state, s.imei, s.limit_bytes, s.blocks,
        case when c.period_start = $3::date then c.bytes_up + c.bytes_down else 0 end
      from unnest($1::text[]) as k(imsi) join sim_imsi i on i.imsi = k.imsi join sim s on s.account_id = i.account_id and s.id = i.sim_id
        left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
    union all
    select null, k.msisdn, s.account_id, s.id, s.asset_id, s.state, s.imei, s.limit_bytes, s.blocks,
        case when c.period_start = $3::date then c.bytes_up + c.bytes_down else 0 end
      from unnest($2::text[]) as k(msisdn) join sim s on s.msisdn = k.msisdn
        left join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id`,
}

/** A key that is used again: its earlier session keeps its row, but not the key. */
export const supersede: Statement = {
  name: 'supersede',
  text: `update data_session s set superseded = true from unnest($1::text[], $2::text[]) as k(account_id, id)
    where s.account_id = k.account_id and s.id = k.id`,
}

export const insertSessions: Statement = {
  name: 'insert_sessions',
  text: `insert into data_session (account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, imsi, apn, ip, rat, mccmnc, imei, cell,
      started_at, updated_at, heard_at, ended_at, end_cause, session_time, counter_up, counter_down, gigawords_seen, bytes_up, bytes_down,
      reopened_after, interim_seconds, superseded)
    select account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, imsi, apn, ip, rat, mccmnc, imei, cell,
      ${at('started_at')}, ${at('updated_at')}, ${at('heard_at')}, ${at('ended_at')}, end_cause, session_time, counter_up, counter_down,
      gigawords_seen, bytes_up, bytes_down, ${at('reopened_after')}, interim_seconds, superseded
    from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::inet[], $11::text[],
      $12::text[], $13::text[], $14::text[], $15::float8[], $16::float8[], $17::float8[], $18::float8[], $19::text[], $20::bigint[], $21::bigint[],
      $22::bigint[], $23::boolean[], $24::bigint[], $25::bigint[], $26::float8[], $27::integer[], $28::boolean[])
      as n(account_id, id, sim_id, asset_id, gateway_id, nas, acct_session_id, imsi, apn, ip, rat, mccmnc, imei, cell, started_at, updated_at, heard_at,
      ended_at, end_cause, session_time, counter_up, counter_down, gigawords_seen, bytes_up, bytes_down, reopened_after, interim_seconds, superseded)`,
}

/**
 * Known sessions, usage records and the SIMs' counters in one round trip. Answers with the SIMs that have reached their limit, and with a row
 * of nulls when a session, written (`$1` to `$17` and `$36`) or only looked at (`$37` to `$39`), is not at the revision it was taken to be at.
 * A counter whose month is older than the usage starts anew; usage of an earlier month is in the lifetime only.
 */
export const countUsage: Statement = {
  name: 'count_usage',
  text: `with moved as (
      update data_session s set session_time = u.session_time, counter_up = u.counter_up, counter_down = u.counter_down,
        gigawords_seen = u.gigawords_seen, bytes_up = u.bytes_up, bytes_down = u.bytes_down, updated_at = ${at('u.updated_at')},
        heard_at = ${at('u.heard_at')}, ended_at = ${at('u.ended_at')}, end_cause = u.end_cause, rat = u.rat, mccmnc = u.mccmnc,
        cell = coalesce(u.cell, s.cell), ip = coalesce(u.ip, s.ip), imei = u.imei, revision = s.revision + 1
      from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::boolean[], $7::bigint[], $8::bigint[], $9::float8[],
        $10::float8[], $11::float8[], $12::text[], $13::text[], $14::text[], $15::text[], $16::inet[], $17::text[], $36::integer[])
        as u(account_id, id, session_time, counter_up, counter_down, gigawords_seen, bytes_up, bytes_down, updated_at, heard_at, ended_at,
        end_cause, rat, mccmnc, cell, ip, imei, revision)
      where s.account_id = u.account_id and s.id = u.id and s.revision = u.revision
      returning 1
    ), recorded as (
      insert into usage_record (account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
      select account_id, sim_id, session_id, ${at('event_at')}, ${at('received_at')}, bytes_up, bytes_down, mccmnc, rat
      from unnest($18::text[], $19::text[], $20::text[], $21::float8[], $22::float8[], $23::bigint[], $24::bigint[], $25::text[], $26::text[])
        as r(account_id, sim_id, session_id, event_at, received_at, bytes_up, bytes_down, mccmnc, rat)
    ), counted as (
      insert into sim_counter as c (account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      select account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, ${at('seen_at')}
      from unnest($27::text[], $28::text[], $29::date[], $30::bigint[], $31::bigint[], $32::bigint[], $33::bigint[], $34::float8[])
        as n(account_id, sim_id, period_start, bytes_up, bytes_down, lifetime_up, lifetime_down, seen_at)
      on conflict (account_id, sim_id) do update set
        bytes_up = case when excluded.period_start > c.period_start then excluded.bytes_up
          when excluded.period_start = c.period_start then c.bytes_up + excluded.bytes_up else c.bytes_up end,
        bytes_down = case when excluded.period_start > c.period_start then excluded.bytes_down
          when excluded.period_start = c.period_start then c.bytes_down + excluded.bytes_down else c.bytes_down end,
        period_start = greatest(c.period_start, excluded.period_start),
        lifetime_up = c.lifetime_up + excluded.lifetime_up, lifetime_down = c.lifetime_down + excluded.lifetime_down,
        seen_at = greatest(c.seen_at, excluded.seen_at)
      returning account_id, sim_id, period_start, bytes_up + bytes_down as used
    )
    select c.account_id, c.sim_id from counted c join sim s on s.account_id = c.account_id and s.id = c.sim_id
    where s.limit_bytes <= c.used and not s.blocks @> '[{"code":"data_limit"}]' and c.period_start >= $35::date
    union all
    select null, null where (select count(*) from moved) <> cardinality($1::text[]) or cardinality($37::text[]) <> (
      select count(*) from unnest($37::text[], $38::text[], $39::integer[]) as v(account_id, id, revision)
      join data_session s on s.account_id = v.account_id and s.id = v.id and s.revision = v.revision and not s.superseded)`,
}
