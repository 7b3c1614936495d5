import type { LiveSession } from '../sessions/live-session.ts'
import type { SessionReading } from '../reading.ts'
import { Columns, columnsOf } from './columns.ts'

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
/** Sessions whose counters moved, and nothing else. */
export const moved = new Columns('moved', moving)
/** Sessions that were only read. */
export const seen = new Columns('seen', atRevision)
/** Sessions whose key is used again. */
export const replaced = new Columns('replaced', keyOfLive)

/** `anew`: under a key that a closed one had, for the SIM of that one, which may be gone. `alone`: no other gateway had it open. */
export type NewSession = { live: LiveSession; reading: SessionReading; interim_seconds: number | null; anew: boolean; alone: boolean }
const ofNew = columnsOf<NewSession>()
export const inserted = new Columns('inserted', {
  account_id: ofNew.text(({ live }) => live.account_id),
  id: ofNew.text(({ live }) => live.id),
  sim_id: ofNew.text(({ live }) => live.sim_id),
  asset_id: ofNew.text(({ live }) => live.asset_id),
  gateway_id: ofNew.text(({ reading }) => reading.gateway_id),
  nas: ofNew.text(({ reading }) => reading.nas),
  acct_session_id: ofNew.text(({ reading }) => reading.acct_session_id),
  imsi: ofNew.text(({ live }) => live.imsi),
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
  forbidden: ofNew.text(({ live }) => live.forbidden),
})
/** What no other gateway may have begun meanwhile. */
export const claimed = new Columns('claimed', {
  nas: ofNew.text(({ reading }) => reading.nas),
  acct_session_id: ofNew.text(({ reading }) => reading.acct_session_id),
  gateway_id: ofNew.text(({ reading }) => reading.gateway_id),
  sim_id: ofNew.text(({ live }) => live.sim_id),
})
/** A session that was over when the batch read it, and as what it was read. */
export type OverSession = Pick<LiveSession, 'id' | 'revision'>
const ofOver = columnsOf<OverSession>()
export const over = new Columns('over', { id: ofOver.text(({ id }) => id), revision: ofOver.number(({ revision }) => revision, 'integer') })
/** Sessions that the batch itself writes. */
export const written = new Columns('written', { id: ofLive.text((live) => live.id) })
/** Sessions of which more than the counters changed. One that goes on was not cut. */
export const changed = new Columns('changed', {
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
  forbidden: ofLive.text((live) => live.forbidden),
})
