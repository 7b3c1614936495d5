import { Columns, columnsOf } from './array-columns.ts'
import type { DisconnectAnswer } from './cut-session.ts'
import type { Statement } from './meter-connection.ts'
import type { OddPacket } from './sessions/possible-usage.ts'
import type { SessionReading } from './reading.ts'
import type { KeptSession } from './sessions/session-rules.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** The sessions of these names and ids as they are now, of every gateway. Nothing is locked: writing them checks their revision. */
export const findSessions: Statement = {
  name: 'find_sessions',
  text: `select s.gateway_id, s.nas, s.acct_session_id, s.account_id, s.id, s.sim_id, s.asset_id, ${ms('s.started_at')}, ${ms('s.updated_at')},
      ${ms('s.heard_at')}, ${ms('s.ended_at')}, s.end_cause, ${ms('s.live_after')}, s.session_time, s.counter_up, s.counter_down, s.gigawords_seen,
      s.bytes_up, s.bytes_down, ${ms('s.reopened_after')}, s.odd, s.uncounted_up, s.uncounted_down, s.rat, s.mccmnc, s.imei, s.cell, s.ip,
      s.heard_from, case when s.disconnect is not null then coalesce(s.disconnect ->> 'answer', 'asked') end, ${ms('s.cut_asked_at')}, s.revision
    from unnest($1::text[], $2::text[]) as k(nas, acct_session_id)
    join data_session s on s.acct_session_id = k.acct_session_id and s.nas = k.nas and not s.superseded`,
}
/** `asked`: it has not answered yet. */
type CutAnswer = DisconnectAnswer['answer'] | 'asked'

/** From when on every session is kept; null: all are. */
export const findSessionsSince: Statement = {
  name: 'find_sessions_since',
  text: `select ${ms('sessions_since')} from usage_coverage`,
}

export type SessionRow = [
  gateway_id: string,
  nas: string,
  acct_session_id: string,
  account_id: string,
  id: string,
  sim_id: string,
  asset_id: string,
  started_at: number,
  updated_at: number,
  heard_at: number,
  ended_at: number | null,
  end_cause: string | null,
  live_after: number | null,
  session_time: number | null,
  counter_up: number,
  counter_down: number,
  gigawords_seen: boolean,
  bytes_up: number,
  bytes_down: number,
  reopened_after: number | null,
  odd: OddPacket | null,
  uncounted_up: number,
  uncounted_down: number,
  rat: string | null,
  mccmnc: string | null,
  imei: string | null,
  cell: string | null,
  ip: string | null,
  heard_from: string | null,
  cut: CutAnswer | null,
  cut_asked_at: number | null,
  revision: number,
]

/** When each gateway was added. */
export const findGateways: Statement = {
  name: 'find_gateways',
  text: `select g.id, ${ms('g.created_at')} from unnest($1::text[]) as k(id) join gateway g on g.id = k.id`,
}

/** Keeps SIMs where they are until the commit. A row for each that is still there. */
export const holdSims: Statement = {
  name: 'hold_sims',
  text: `select s.account_id, s.id from unnest($1::text[], $2::text[]) as k(account_id, id)
    join sim s on s.account_id = k.account_id and s.id = k.id order by s.account_id, s.id for key share of s`,
}

/** A session during a batch. `write` says whether its row is new, changed, or as it was. */
export type LiveSession = {
  account_id: string
  id: string
  sim_id: string
  asset_id: string
  kept: KeptSession
  rat: string | null
  mccmnc: string | null
  imei: string | null
  cell: string | null
  ip: string | null
  /** The gateway's address that the newest packet came from. */
  heard_from: string | null
  /** What the gateway said when we asked it to end the session; null when we did not. */
  cut: CutAnswer | null
  /** When a packet last had it asked. */
  cut_asked_at: number | null
  superseded: boolean
  /** Of the row that this was read from or written to. */
  revision: number
  /** In this batch. `change`: more than its counters. */
  write: 'insert' | 'move' | 'change' | null
  /** Its SIM has a counter for certain. */
  counted: boolean
}

const oddText = ({ kept }: LiveSession) => kept.odd && JSON.stringify(kept.odd)

const ofLive = columnsOf<LiveSession>()
const keyOfLive = { account_id: ofLive.text((live) => live.account_id), id: ofLive.text((live) => live.id) }
const atRevision = { ...keyOfLive, revision: ofLive.number((live) => live.revision, 'integer') }
const moving = {
  ...atRevision,
  session_time: ofLive.number(({ kept }) => kept.session_time),
  counter_up: ofLive.number(({ kept }) => kept.counter_up),
  counter_down: ofLive.number(({ kept }) => kept.counter_down),
  gigawords_seen: ofLive.flag(({ kept }) => kept.gigawords_seen),
  bytes_up: ofLive.number(({ kept }) => kept.bytes_up),
  bytes_down: ofLive.number(({ kept }) => kept.bytes_down),
  updated_at: ofLive.time(({ kept }) => kept.updated_at),
  heard_at: ofLive.time(({ kept }) => kept.heard_at),
}
const setMoving = `session_time = u.session_time, counter_up = u.counter_up, counter_down = u.counter_down, gigawords_seen = u.gigawords_seen,
  bytes_up = u.bytes_up, bytes_down = u.bytes_down, updated_at = u.updated_at, heard_at = u.heard_at, revision = s.revision + 1`
const sameRow = 's.account_id = u.account_id and s.id = u.id and s.revision = u.revision'

/** A key that is used again: its earlier session keeps its row, but not the key. */
export const supersededRows = new Columns(keyOfLive)
export const supersede: Statement = {
  name: 'supersede',
  text: `update data_session s set superseded = true from ${supersededRows.rows()} as k where s.account_id = k.account_id and s.id = k.id`,
}

/** `anew`: under a key that a closed one had, for the SIM of that one, which may be gone. */
export type NewSession = { live: LiveSession; reading: SessionReading; interim_seconds: number | null; anew: boolean }
const ofNew = columnsOf<NewSession>()
export const newRows = new Columns({
  account_id: ofNew.text(({ live }) => live.account_id),
  id: ofNew.text(({ live }) => live.id),
  sim_id: ofNew.text(({ live }) => live.sim_id),
  asset_id: ofNew.text(({ live }) => live.asset_id),
  gateway_id: ofNew.text(({ reading }) => reading.gateway_id),
  nas: ofNew.text(({ reading }) => reading.nas),
  acct_session_id: ofNew.text(({ reading }) => reading.acct_session_id),
  imsi: ofNew.text(({ reading }) => reading.imsi),
  apn: ofNew.text(({ reading }) => reading.apn),
  ip: ofNew.text(({ live }) => live.ip, 'inet'),
  rat: ofNew.text(({ live }) => live.rat),
  mccmnc: ofNew.text(({ live }) => live.mccmnc),
  imei: ofNew.text(({ live }) => live.imei),
  cell: ofNew.text(({ live }) => live.cell),
  started_at: ofNew.time(({ live }) => live.kept.started_at),
  updated_at: ofNew.time(({ live }) => live.kept.updated_at),
  heard_at: ofNew.time(({ live }) => live.kept.heard_at),
  ended_at: ofNew.time(({ live }) => live.kept.ended_at),
  end_cause: ofNew.text(({ live }) => live.kept.end_cause),
  session_time: ofNew.number(({ live }) => live.kept.session_time),
  counter_up: ofNew.number(({ live }) => live.kept.counter_up),
  counter_down: ofNew.number(({ live }) => live.kept.counter_down),
  gigawords_seen: ofNew.flag(({ live }) => live.kept.gigawords_seen),
  bytes_up: ofNew.number(({ live }) => live.kept.bytes_up),
  bytes_down: ofNew.number(({ live }) => live.kept.bytes_down),
  reopened_after: ofNew.time(({ live }) => live.kept.reopened_after),
  odd: ofNew.text(({ live }) => oddText(live), 'jsonb'),
  uncounted_up: ofNew.number(({ live }) => live.kept.uncounted_up),
  uncounted_down: ofNew.number(({ live }) => live.kept.uncounted_down),
  heard_from: ofNew.text(({ live }) => live.heard_from, 'inet'),
  interim_seconds: ofNew.number(({ interim_seconds }) => interim_seconds, 'integer'),
  superseded: ofNew.flag(({ live }) => live.superseded),
})
export const insertSessions: Statement = {
  name: 'insert_sessions',
  text: `insert into data_session (${newRows.names}) select ${newRows.names} from ${newRows.rows()} as n`,
}

/** Sessions of which more than the counters changed. A row for each that was still at its revision. One that goes on was not cut. */
export const changedRows = new Columns({
  ...moving,
  ended_at: ofLive.time(({ kept }) => kept.ended_at),
  end_cause: ofLive.text(({ kept }) => kept.end_cause),
  rat: ofLive.text((live) => live.rat),
  mccmnc: ofLive.text((live) => live.mccmnc),
  imei: ofLive.text((live) => live.imei),
  cell: ofLive.text((live) => live.cell),
  ip: ofLive.text((live) => live.ip, 'inet'),
  live_after: ofLive.time(({ kept }) => kept.live_after),
  odd: ofLive.text(oddText, 'jsonb'),
  uncounted_up: ofLive.number(({ kept }) => kept.uncounted_up),
  uncounted_down: ofLive.number(({ kept }) => kept.uncounted_down),
  heard_from: ofLive.text((live) => live.heard_from, 'inet'),
})
export const changeSessions: Statement = {
  name: 'change_sessions',
  text: `update data_session s set ${setMoving}, ended_at = u.ended_at, end_cause = u.end_cause, rat = u.rat, mccmnc = u.mccmnc, imei = u.imei,
    cell = u.cell, ip = u.ip, live_after = u.live_after, odd = u.odd, uncounted_up = u.uncounted_up, uncounted_down = u.uncounted_down,
    heard_from = u.heard_from, disconnect = case when s.ended_at is not null and u.ended_at is null then null else s.disconnect end from ${changedRows.rows()} as u where ${sameRow} returning 1`,
}

export type SimCount = {
  account_id: string
  sim_id: string
  /** Its row exists. */
  known: boolean
  period: string
  up: number
  down: number
  lifetimeUp: number
  lifetimeDown: number
  seen_at: number
}
const ofCount = columnsOf<SimCount>()
export const countRows = new Columns({
  account_id: ofCount.text((count) => count.account_id),
  sim_id: ofCount.text((count) => count.sim_id),
  period_start: ofCount.text((count) => count.period, 'date'),
  bytes_up: ofCount.number((count) => count.up),
  bytes_down: ofCount.number((count) => count.down),
  lifetime_up: ofCount.number((count) => count.lifetimeUp),
  lifetime_down: ofCount.number((count) => count.lifetimeDown),
  seen_at: ofCount.time((count) => count.seen_at),
})
/** A counter whose month is older than the usage starts anew; usage of an earlier month is in the lifetime only. */
const addTo = (n: string) => `
  bytes_up = case when ${n}.period_start = c.period_start then c.bytes_up + ${n}.bytes_up
    when ${n}.period_start > c.period_start then ${n}.bytes_up else c.bytes_up end,
  bytes_down = case when ${n}.period_start = c.period_start then c.bytes_down + ${n}.bytes_down
    when ${n}.period_start > c.period_start then ${n}.bytes_down else c.bytes_down end,
  period_start = greatest(c.period_start, ${n}.period_start), lifetime_up = c.lifetime_up + ${n}.lifetime_up,
  lifetime_down = c.lifetime_down + ${n}.lifetime_down, seen_at = greatest(c.seen_at, ${n}.seen_at)
  returning c.account_id, c.sim_id, c.period_start, c.bytes_up, c.bytes_down`
/** A SIM that reached its limit, or has no service. Of two nulls: a session was not as it was taken to be. */
export type WatchedSim = [account_id: string | null, sim_id: string, is_limited: boolean, is_unserved: boolean]
const unserved = `s.status not in ('ready', 'active', 'standby')`
const limited = (month: number) =>
  `s.limit_bytes <= c.bytes_up::numeric + c.bytes_down and not s.blocks @> '[{"code":"data_limit"}]' and c.period_start >= $${month}::date`
/** Those among the SIMs that were counted; the last parameter is the first day of the current month. */
const watched = (
  month: number
) => `select * from (select c.account_id, c.sim_id, coalesce(${limited(month)}, false) as limited, ${unserved} as unserved
  from counted c join sim s on s.account_id = c.account_id and s.id = c.sim_id and (s.limit_bytes is not null or ${unserved})) w
  where w.limited or w.unserved`

/** Counters of SIMs that may have none yet. Answers with those that reached their limit or have no service. */
export const beginCounters: Statement = {
  name: 'begin_counters',
  text: `with counted as (
      insert into sim_counter as c (${countRows.names}) select ${countRows.names} from ${countRows.rows()} as n
      on conflict (account_id, sim_id) do update set ${addTo('excluded')}
    ) ${watched(countRows.size + 1)}`,
}

export type UsageRow = { live: LiveSession; reading: SessionReading; up: number; down: number }
const ofUsage = columnsOf<UsageRow>()
export const usageRows = new Columns({
  account_id: ofUsage.text(({ live }) => live.account_id),
  sim_id: ofUsage.text(({ live }) => live.sim_id),
  session_id: ofUsage.text(({ live }) => live.id),
  event_at: ofUsage.time(({ reading }) => reading.event_at),
  received_at: ofUsage.time(({ reading }) => reading.received_at),
  bytes_up: ofUsage.number(({ up }) => up),
  bytes_down: ofUsage.number(({ down }) => down),
  mccmnc: ofUsage.text(({ reading, live }) => reading.mccmnc ?? live.mccmnc ?? ''),
  rat: ofUsage.text(({ reading, live }) => reading.rat ?? live.rat ?? ''),
})

export const movedRows = new Columns(moving)
/** Sessions that were only looked at. */
export const seenRows = new Columns(atRevision)
const first = { usage: movedRows.size + 1, count: movedRows.size + usageRows.size + 1, seen: 0, month: 0 }
first.seen = first.count + countRows.size
first.month = first.seen + seenRows.size

/**
 * What most batches are, in one round trip: counters of known sessions, usage records, counters of known SIMs. Answers with the SIMs that
 * reached their limit or have no service, and with a row of nulls when a session, written or only looked at, is not at the revision it was
 * taken to be at.
 */
export const countUsage: Statement = {
  name: 'count_usage',
  text: `with moved as (
      update data_session s set ${setMoving} from ${movedRows.rows()} as u where ${sameRow} returning 1
    ), recorded as (
      insert into usage_record (${usageRows.names}) select ${usageRows.names} from ${usageRows.rows(first.usage)} as r
    ), counted as (
      update sim_counter c set ${addTo('n').replace(
        'returning',
        `from ${countRows.rows(first.count)} as n
      where c.account_id = n.account_id and c.sim_id = n.sim_id returning`
      )}
    )
    ${watched(first.month)}
    union all
    select x.account_id, x.sim_id, false, true from ${seenRows.rows(first.seen)} as u
      join data_session x on x.account_id = u.account_id and x.id = u.id join sim s on s.account_id = x.account_id and s.id = x.sim_id and ${unserved}
    union all
    select null, null, false, false where (select count(*) from moved) <> cardinality($1::text[])
      or (select count(*) from counted) <> cardinality($${first.count}::text[])
      or cardinality($${first.seen}::text[]) <> (select count(*) from ${seenRows.rows(first.seen)} as u
        join data_session s on ${sameRow} and not s.superseded)`,
}
