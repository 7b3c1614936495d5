import type { Statement } from '../meter-connection.ts'
import type { CutAnswer } from './live-session.ts'
import type { OddPacket } from './possible-usage.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/**
 * The sessions of these names and ids as they are now, of every gateway; those of one that was joined to another are the other's. Nothing is locked:
 * writing them checks their revision.
 */
export const findSessions: Statement = {
  name: 'find_sessions',
  text: `select coalesce(g.joined_into, g.id), s.nas, s.acct_session_id, s.account_id, s.id, s.sim_id, s.asset_id, ${ms('s.started_at')}, ${ms('s.updated_at')},
      ${ms('s.heard_at')}, ${ms('s.ended_at')}, s.end_cause, ${ms('s.live_after')}, s.session_time, s.counter_up, s.counter_down, s.gigawords_seen,
      s.bytes_up, s.bytes_down, ${ms('s.reopened_after')}, s.odd, s.uncounted_up, s.uncounted_down, s.rat, s.mccmnc, s.imei, s.cell, s.ip,
      s.heard_from, case when s.disconnect is not null then coalesce(s.disconnect ->> 'answer', 'asked') end, ${ms('s.cut_asked_at')}, s.forbidden, s.revision, s.imsi
    from unnest($1::text[], $2::text[]) as k(nas, acct_session_id)
    join data_session s on s.acct_session_id = k.acct_session_id and s.nas = k.nas and not s.superseded
    join gateway g on g.id = s.gateway_id`,
}
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
  forbidden: string | null,
  revision: number,
  imsi: string | null,
]

/** When each gateway, and the address of it that is named, were added: the later of both; and which it was joined to. Addresses as they were asked for. */
export const findGateways: Statement = {
  name: 'find_gateways',
  text: `select k.id, k.address, ${ms('greatest(g.created_at, a.created_at)')}, g.joined_into
    from unnest($1::text[], $2::text[]) as k(id, address) join gateway g on g.id = k.id left join gateway_address a on a.address = k.address::inet`,
}

/** A gateway and those that were joined to it, by the id of any of them. */
export const findParts: Statement = {
  name: 'find_parts',
  text: `select g.id from gateway t join gateway g on coalesce(g.joined_into, g.id) = coalesce(t.joined_into, t.id) where t.id = $1`,
}

/** Since when quarantine has sessions that are not over, as far as they were seen since `$4`. */
export const findQuarantinedSince: Statement = {
  name: 'find_quarantined_since',
  text: `select q.gateway_id, q.nas, q.acct_session_id, ${ms('min(q.first_at)')}
    from unnest($1::text[], $2::text[], $3::text[]) as k(gateway_id, nas, acct_session_id)
    join quarantine q on q.gateway_id = k.gateway_id and q.nas = k.nas and q.acct_session_id = k.acct_session_id
    where q.kind = 'unknown' and q.last_at > $4 and q.last_packet ->> 'kind' <> 'stop' group by 1, 2, 3`,
}
