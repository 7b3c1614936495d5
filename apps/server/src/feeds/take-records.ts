import { sql } from 'kysely'
import type { FeedRecord } from '@masthead/contract/usage/feed-record'
import type { App, Tx } from '../kernel/app.ts'
import { mostOfFirst, type Counting, type Reading } from '../metering/index.ts'
import type { KnownFeed } from './feed-key.ts'
import { findSims, type KnownSim } from './find-sims.ts'
import { noteRecords, withoutKnown } from './known-records.ts'
import { whichCount } from './which-feed-counts.ts'

/** A record, and where it stands in its call or file. */
export type Placed<Row> = { place: number; row: Row }
export type WrongRow = { place: number; words: string }
export type Taken = { counted: number; compared: number; duplicates: number; quarantined: number; errors: WrongRow[] }

const mostAhead = 5 * 60_000 // ms: as for gateways
/** What came later says nothing of the device that the SIM is in now, and must not hold a SIM that has moved on. */
const deviceIsCurrentFor = 3_600_000 // ms
const monthsAgo = 30 * 86_400_000 // ms

type Parts = { app: App; counting: Counting; at: Date }
type Outcome = 'counted' | 'compared' | 'quarantined'
type Judged = { record: FeedRecord; sim: KnownSim | null; outcome: Outcome; gateway_at: string | null }

/**
 * Takes records of a feed, at most some thousand: each once, by its id. Those that count go through the meter's ingest, on its own connections,
 * while `tx` keeps other calls of feeds waiting; what was done is written down after that. Broken off in between, the same records are taken again: their
 * sessions are there, and add nothing.
 */
export async function takeRecords(
  { app, counting, at }: Parts,
  tx: Tx,
  feed: KnownFeed,
  records: readonly Placed<FeedRecord>[]
): Promise<Taken> {
  await sql`select pg_advisory_xact_lock(hashtext('masthead.feeds'))`.execute(tx)
  const { fresh, duplicates } = await withoutKnown(tx, feed.id, 'usage', records)
  const [simOf, since] = [
    await findSims(
      tx,
      fresh.map(({ row }) => row)
    ),
    await sessionsSince(tx),
  ]
  const errors: WrongRow[] = []
  const fitting = fresh.filter(({ place, row }) => {
    const words = whyNot(row, at, since, app.config.fastestLink / 8)
    if (words) errors.push({ place, words })
    return words === null
  })
  const judged = await judge(
    tx,
    feed,
    fitting.map(({ row }) => ({ record: row, sim: simOf(row) }))
  )
  const readings = judged.filter(({ outcome }) => outcome !== 'compared').map((each) => readingOf(feed, each, at.getTime()))
  if (readings.length > 0) await counting.count(readings)
  await noteRecords(
    tx,
    feed.id,
    'usage',
    judged.map(({ record, outcome }) => ({ id: record.id, outcome })),
    at
  )
  await addDays(tx, feed.id, judged)
  await keepCounting(tx, feed.id, judged)
  const of = (wanted: Outcome) => judged.filter(({ outcome }) => outcome === wanted).length
  return { counted: of('counted'), compared: of('compared'), quarantined: of('quarantined'), duplicates, errors }
}

/** From when on every session is kept, in milliseconds; null: all are. */
async function sessionsSince(tx: Tx): Promise<number | null> {
  const row = await tx.selectFrom('usage_coverage').select('sessions_since').executeTakeFirst()
  return row?.sessions_since?.getTime() ?? null
}

/** Why a record can be neither counted nor compared, in words. */
function whyNot(record: FeedRecord, at: Date, since: number | null, fastest: number): string | null {
  const { ended_at, started_at = ended_at } = record
  if (ended_at > at.getTime() + mostAhead) return 'It ends in the future'
  if (since !== null && started_at <= since && started_at < at.getTime() - monthsAgo)
    return 'It is older than what is kept, so that it may have been counted before'
  const most = mostOfFirst({ kind: 'stop', session_time: secondsOf(record) }, fastest)
  return Math.max(record.bytes_up, record.bytes_down) > most ? 'It reports more bytes than any link carries in that time' : null
}

/** What becomes of each record. What began before its SIM was registered is not its account's, and staff decide. */
async function judge(tx: Tx, feed: KnownFeed, records: readonly Pick<Judged, 'record' | 'sim'>[]): Promise<Judged[]> {
  const ofSims = records.filter((each) => each.sim !== null)
  const used = ofSims.map(({ record, sim }) => ({
    account_id: sim!.account_id,
    sim_id: sim!.id,
    record_id: record.id,
    from: beganAt(record),
    to: record.ended_at,
  }))
  const count = await whichCount(tx, feed.id, used)
  const known = new Map(ofSims.map((each, i) => [each, count[i]!]))
  return records.map((each) => {
    const { record, sim } = each
    const { counts = false, gateway_at = null } = known.get(each) ?? {}
    if (!sim) return { ...each, gateway_at, outcome: 'quarantined' }
    if (!counts) return { ...each, gateway_at, outcome: 'compared' }
    return { ...each, gateway_at, outcome: beganAt(record) < Math.floor(sim.created_at / 1000) * 1000 ? 'quarantined' : 'counted' }
  })
}

const beganAt = ({ started_at, ended_at }: FeedRecord) => started_at ?? ended_at
const secondsOf = ({ started_at, ended_at }: FeedRecord) => (started_at === undefined ? null : Math.ceil((ended_at - started_at) / 1000))

/** Each record is a session that is over, named like it: so the ingest counts it once, whoever asks again. */
const readingOf = (feed: KnownFeed, { record, sim }: Judged, received_at: number): Reading => ({
  kind: 'stop',
  nas: feed.id,
  acct_session_id: record.id,
  gateway_id: feed.id,
  heard_from: null,
  imsi: sim?.imsi ?? record.imsi ?? null,
  msisdn: sim?.msisdn ?? record.msisdn ?? null,
  // A number that no IMSI is like: it says whose it is where nothing else does.
  user_name: sim ? null : (record.iccid ?? null),
  event_at: record.ended_at,
  is_timed: true,
  received_at,
  session_time: secondsOf(record),
  counter_up: record.bytes_up,
  counter_down: record.bytes_down,
  has_gigawords: true,
  end_cause: `Reported by ${feed.name}`,
  apn: record.apn ?? null,
  ip: null,
  rat: record.rat ?? null,
  mccmnc: record.mccmnc ?? null,
  imei: received_at - record.ended_at < deviceIsCurrentFor ? (record.imei ?? null) : null,
  cell: null,
})

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** What was reported of each SIM and day, for the comparison. */
async function addDays(tx: Tx, feed_id: string, judged: readonly Judged[]): Promise<void> {
  const days = new Map<string, { account_id: string; sim_id: string; day: string; records: number; bytes: number; counted_bytes: number }>()
  for (const { record, sim, outcome } of judged) {
    if (!sim) continue
    const of = { account_id: sim.account_id, sim_id: sim.id, day: dayOf(record.ended_at) }
    const key = Object.values(of).join(' ')
    const sum = days.get(key) ?? { ...of, records: 0, bytes: 0, counted_bytes: 0 }
    const bytes = record.bytes_up + record.bytes_down
    sum.records++
    sum.bytes += bytes
    if (outcome === 'counted') sum.counted_bytes += bytes
    days.set(key, sum)
  }
  if (days.size === 0) return
  await sql`insert into feed_day as d (account_id, sim_id, day, feed_id, records, bytes, counted_bytes)
    select account_id, sim_id, day, ${feed_id}, records, bytes, counted_bytes
    from jsonb_to_recordset(${JSON.stringify([...days.values()])}::jsonb) as given
      (account_id text, sim_id text, day date, records int, bytes bigint, counted_bytes bigint)
    on conflict (account_id, sim_id, day, feed_id) do update set records = d.records + excluded.records, bytes = d.bytes + excluded.bytes,
      counted_bytes = d.counted_bytes + excluded.counted_bytes`.execute(tx)
}

/**
 * It counts for these SIMs from now on. Where a gateway went on with a session of one while these were counted, the next records look for it as well: the mark
 * of that stands as far as this feed has counted.
 */
async function keepCounting(tx: Tx, feed_id: string, judged: readonly Judged[]): Promise<void> {
  const sims = new Map<string, { account_id: string; sim_id: string; counted_to: Date; gateway_at: string | null }>()
  for (const { record, sim, outcome, gateway_at } of judged) {
    if (!sim || outcome !== 'counted') continue
    const key = `${sim.account_id} ${sim.id}`
    const to = Math.max(record.ended_at, sims.get(key)?.counted_to.getTime() ?? 0)
    sims.set(key, { account_id: sim.account_id, sim_id: sim.id, counted_to: new Date(to), gateway_at })
  }
  if (sims.size === 0) return
  const given = sql`jsonb_to_recordset(${JSON.stringify([...sims.values()])}::jsonb) as given
      (account_id text, sim_id text, counted_to timestamptz, gateway_at timestamptz)`
  await sql`insert into sim_feed as f (account_id, sim_id, feed_id, counted_to, gateway_at)
    select account_id, sim_id, ${feed_id}, counted_to, gateway_at from ${given} order by account_id, sim_id
    on conflict (account_id, sim_id) do update set feed_id = excluded.feed_id,
      counted_to = case when f.feed_id = excluded.feed_id then greatest(f.counted_to, excluded.counted_to) else excluded.counted_to end,
      gateway_at = case when f.gateway_at is distinct from excluded.gateway_at then greatest(f.gateway_at, f.counted_to, excluded.counted_to)
        else f.gateway_at end`.execute(tx)
}
