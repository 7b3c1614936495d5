import { formatDay } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { asRead, eventsRead, type Reader } from '../../activities/index.ts'
import type { Db } from '../../kernel/app.ts'
import { simSeen } from '../../usage/index.ts'
import { saidOf } from '../webhooks/index.ts'
import { placeText, type StreamPlace } from './stream-place.ts'

/** Records of all accounts that one step looks at, so that a stream that was away for long takes nobody's time. */
const mostRecords = 20_000
const mostEntries = 200

/** What there is between two places, as server-sent events. `isBehind`: there is more to read at once. */
type Step = { text: string; next: StreamPlace; isBehind: boolean }

const message = (name: string, data: unknown, id: string | null) =>
  `${id === null ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

type Record = {
  xid: string
  asset_id: string | null
  iccid: string | null
  session_id: string
  event_at: Date
  bytes_up: number
  bytes_down: number
  mccmnc: string
  rat: string
}

/**
 * Says that records from a place on were dropped; null: none was. Asked once they were read from there: so what was dropped meanwhile is said, too. It has no id, as some that
 * are kept may lie before the last that was dropped: a transaction of before midnight may write after it.
 */
export async function readGap(db: Db, place: StreamPlace): Promise<string | null> {
  const { rows } = await sql<{ since: Date }>`select records_since as since from usage_coverage
    where dropped_xid >= ${String(place.xid)}::xid8 and dropped_xid < pg_snapshot_xmax(pg_current_snapshot())`.execute(db)
  const [row] = rows
  if (!row) return null
  const words = `Usage records of before ${formatDay(row.since)} are kept no longer: those that came after your last id are missing here. The total usage has what they add up to.`
  return message('gap', { type: 'gap', data: { kept_since: row.since.toISOString(), words } }, null)
}

/**
 * Usage records in the order of their transactions, of those that are over: so none commits later at a place that was passed. An id stands at the last of a
 * transaction alone: who goes on from it misses nothing of it.
 */
export async function readUsage(db: Db, viewer: Pick<Reader, 'account_id' | 'tags'>, place: StreamPlace): Promise<Step> {
  const { rows: bounds } = await sql<{ last: string | null; upto: string }>`select (select max(xid)::text from (
      select xid from usage_record where xid >= ${String(place.xid)}::xid8 and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid fetch first ${sql.lit(mostRecords)} rows with ties) step) as last, pg_snapshot_xmin(pg_current_snapshot())::text as upto`.execute(
    db
  )
  const { last, upto } = bounds[0]!
  if (last === null) return { text: '', next: { ...place, xid: max(BigInt(upto), place.xid) }, isBehind: false }
  const { rows } =
    await sql<Record>`select u.xid::text as xid, s.asset_id, s.iccid, u.session_id, u.event_at, u.bytes_up, u.bytes_down, u.mccmnc, u.rat
    from usage_record u left join sim s on s.account_id = u.account_id and s.id = u.sim_id
    where u.xid >= ${String(place.xid)}::xid8 and u.xid <= ${last}::xid8 and u.account_id = ${viewer.account_id} and ${simSeen(viewer, sql`u.sim_id`)}
    order by u.xid, u.sim_id, u.session_id, u.event_at`.execute(db)
  const texts = rows.map(({ xid, event_at, mccmnc, rat, ...row }, i) => {
    const isLast = rows[i + 1]?.xid !== xid
    const data = { ...row, at: event_at.toISOString(), mccmnc: mccmnc || null, rat: rat || null }
    return message('usage', { type: 'usage', data }, isLast ? placeText({ xid: BigInt(xid) + 1n, entry: place.entry }) : null)
  })
  const next = { ...place, xid: BigInt(last) + 1n }
  return { text: texts.join(''), next, isBehind: next.xid < BigInt(upto) }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)

/**
 * Activities in the order in which they were added to the chain, each as a webhook sends it: of those that somebody may read. Of a change of many assets it is the
 * one of the whole change.
 */
export async function readActivities(db: Db, reader: Reader, place: StreamPlace): Promise<Step> {
  const entries = await db
    .selectFrom('event_seal')
    .select(['number', 'event_id'])
    .where('account_id', '=', reader.account_id)
    .where('number', '>', place.entry)
    .orderBy('number')
    .limit(mostEntries)
    .execute()
  const ids = entries.map(({ event_id }) => event_id)
  const events =
    ids.length === 0
      ? []
      : await asRead(
          db,
          reader,
          await eventsRead(db, reader, { ordered: false }).selectAll().where('id', 'in', ids).where('bulk_id', 'is', null).execute()
        )
  const byId = new Map(events.map((event) => [event.id, event]))
  const texts = entries.flatMap(({ number, event_id }) => {
    const event = byId.get(event_id)
    if (!event) return []
    const said = saidOf(event)
    return [message(said.type, said, placeText({ ...place, entry: number }))]
  })
  const next = { ...place, entry: entries.at(-1)?.number ?? place.entry }
  return { text: texts.join(''), next, isBehind: entries.length === mostEntries }
}
