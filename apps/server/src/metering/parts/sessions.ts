import type { BatchChanges } from '../batch-changes.ts'
import type { LiveSession } from '../sessions/live-session.ts'
import { Columns, columnsOf } from './columns.ts'
import { fragment, named } from './fragment.ts'
import type { Ask, Part } from './part.ts'
import { type NewSession, changed, claimed, inserted, moved, over, replaced, seen, written } from './session-rows.ts'

const setMoving = `session_time = u.session_time, counter_up = u.counter_up, counter_down = u.counter_down, gigawords_seen = u.gigawords_seen,
  bytes_up = u.bytes_up, bytes_down = u.bytes_down, updated_at = u.updated_at, heard_at = u.heard_at, revision = s.revision + 1`
/**
 * In what interval a session reports, in seconds: what the gateway was asked for, or longer where it keeps to one of its own. The last two reports say
 * which, up to half an hour, so that a gateway that was away for long is not believed to report so seldom.
 */
const interval = `greatest(least(coalesce(s.interim_seconds, 300), 300), least(1800, round(date_part('epoch', u.heard_at - s.heard_at))::int))`
const sameRow = 's.account_id = u.account_id and s.id = u.id and s.revision = u.revision'

/** `is_wanted`: it must be where it was. */
type HeldSim = { account_id: string; id: string; is_wanted: boolean }
const ofSim = columnsOf<HeldSim>()
const held = new Columns('held', {
  account_id: ofSim.text((sim) => sim.account_id),
  id: ofSim.text((sim) => sim.id),
  is_wanted: ofSim.flag((sim) => sim.is_wanted),
})

/** Meters that get the same new session from two gateways write it one after the other. Before all that others lock as well. */
const holdNames = named(
  'hold_names',
  fragment`with held as materialized (
      select pg_advisory_xact_lock(key) from (
        select distinct hashtextextended(k.nas || E'\\x01' || k.acct_session_id, 0) as key from ${claimed.rows} as k order by 1) ordered
    ) select 'stale', null, null where (select count(*) from held) < 0`
)

/**
 * Whether another meter was first. After the changes of this batch: what a session ended by in it is over. What it writes itself was judged in order: one
 * gateway's session may end in it, and the other's begin. One that was over when it was read was judged as well; one that another meter began and ended
 * since may be the same session.
 */
const lookElsewhere = named(
  'look_elsewhere',
  fragment`select 'stale', null, null where exists (select from ${claimed.rows} as k
    join data_session s on s.acct_session_id = k.acct_session_id and s.nas = k.nas and s.gateway_id <> k.gateway_id
      and s.sim_id = k.sim_id and not s.superseded and s.id not in (select w.id from ${written.rows} as w)
    where s.ended_at is null or (s.id, s.revision) not in (select o.id, o.revision from ${over.rows} as o))`
)

/** Keeps the SIMs of new sessions where they are until the commit: one may have been taken off its account since it was found. */
const holdSims = named(
  'hold_sims',
  fragment`with found as (
      select k.is_wanted from ${held.rows} as k join sim s on s.account_id = k.account_id and s.id = k.id
      order by s.account_id, s.id for key share of s
    ) select 'stale', null, null where (select count(*) from found where is_wanted) <> (select count(*) from ${held.rows} as k where is_wanted)`
)

/** A key that is used again: its earlier session keeps its row, but not the key. */
const supersede = named(
  'supersede',
  fragment`update data_session s set superseded = true from ${replaced.rows} as k where s.account_id = k.account_id and s.id = k.id`
)

const insertSessions = named(
  'insert_sessions',
  fragment`insert into data_session (${inserted.names}) select ${inserted.names} from ${inserted.rows} as n`
)

const changeSessions = named(
  'change_sessions',
  fragment`with found as (
      update data_session s set ${setMoving}, ended_at = u.ended_at, end_cause = u.end_cause, rat = u.rat, mccmnc = u.mccmnc, imei = u.imei,
        cell = u.cell, ip = u.ip, live_after = u.live_after, odd = u.odd, uncounted_up = u.uncounted_up, uncounted_down = u.uncounted_down,
        interim_seconds = case when u.ended_at is null then ${interval} else s.interim_seconds end, heard_from = u.heard_from, forbidden = u.forbidden, disconnect = case when s.ended_at is not null and u.ended_at is null then null else s.disconnect end
      from ${changed.rows} as u where ${sameRow} returning 1
    ) select 'stale', null, null where (select count(*) from found) <> ${changed.size}`
)

const lookAtSessions = named(
  'look_at_sessions',
  fragment`select 'stale', null, null
    where ${seen.size} <> (select count(*) from ${seen.rows} as u join data_session s on ${sameRow} and not s.superseded)`
)

/** Sessions as they are now. Each is written, or checked, only at the revision it was taken to be at. */
export const sessions: Part = {
  share: {
    with: {
      moved: fragment`update data_session s set ${setMoving}, interim_seconds = ${interval} from ${moved.rows} as u where ${sameRow} returning 1`,
    },
    answers: [fragment`select 'stale', null, null where (select count(*) from moved) <> ${moved.size}`],
  },
  gather: (changes) => {
    // In the order of their keys, as everybody else locks them.
    const updated = Map.groupBy(changes.updated.toSorted(byAccount), ({ write }) => write)
    return { values: moved.values(updated.get('move') ?? []), before: before(changes, updated.get('change') ?? []) }
  },
}

function before(changes: BatchChanges, alsoChanged: readonly LiveSession[]): Ask[] {
  const asks: Ask[] = []
  const alone = claimed.values(changes.inserted.filter((each) => each.alone))
  if (changes.inserted.length > 0) asks.push({ statement: holdNames, values: alone })
  if (changes.inserted.length > 0) asks.push({ statement: holdSims, values: held.values(simsOf(changes.inserted)) })
  if (changes.superseded.length > 0) asks.push({ statement: supersede, values: replaced.values(changes.superseded) })
  if (changes.inserted.length > 0) asks.push({ statement: insertSessions, values: inserted.values(changes.inserted.toSorted(byKey)) })
  if (alsoChanged.length > 0) asks.push({ statement: changeSessions, values: changed.values(alsoChanged) })
  const own = written.values([...changes.inserted.map(({ live }) => live), ...changes.updated])
  if (changes.inserted.length > 0) asks.push({ statement: lookElsewhere, values: { ...alone, ...own, ...over.values(changes.over) } })
  const { onlySeen } = changes
  if (onlySeen.length > 0) asks.push({ statement: lookAtSessions, values: seen.values(onlySeen) })
  return asks
}

/** Each once. One that had a session under the key before may be gone. */
function simsOf(begun: readonly NewSession[]): HeldSim[] {
  const sims = new Map<string, HeldSim>()
  for (const { live, anew } of begun) {
    const { account_id, sim_id: id } = live
    const key = account_id + id
    sims.set(key, { account_id, id, is_wanted: !anew || (sims.get(key)?.is_wanted ?? false) })
  }
  return [...sims.values()]
}

// In the order of their keys, as another meter may be inserting the same ones.
const byAccount = (a: LiveSession, b: LiveSession) => (a.account_id + a.id < b.account_id + b.id ? -1 : 1)

const byKey = (a: NewSession, b: NewSession) =>
  compare(a.reading.nas, b.reading.nas) || compare(a.reading.acct_session_id, b.reading.acct_session_id)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
