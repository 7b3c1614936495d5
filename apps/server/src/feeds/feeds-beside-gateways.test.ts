import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FeedRecord } from '@masthead/contract/usage/feed-record'
import { openCounting, type Reading } from '../metering/index.ts'
import { expectConsistent, openMeteredHouse, readingOf, type MeteredHouse } from '../metering/test-network.ts'
import { readRows } from './take-call.ts'
import { takeRecords } from './take-records.ts'
import { putFeed } from './test-feed.ts'
import { type Feed, type FeedRow, feedRecord, minutesBefore, sendRecords } from './test-records.ts'
import { whichCount } from './which-feed-counts.ts'

let house: MeteredHouse
beforeAll(async () => {
  house = await openMeteredHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const minutesAgo = (minutes: number) => minutesBefore(house, minutes)
const record = (changes: FeedRow = {}) => feedRecord(house, changes)
const send = (feed: Feed, records: FeedRow[]) => sendRecords(house, feed, records)

test('where a gateway reports of a SIM a feed is compared; of two feeds the first counts, until it is silent for 7 days', async () => {
  const [first, second] = [await putFeed(house.db), await putFeed(house.db)]
  const [onRadius, onFeeds] = [await house.newSim(), await house.newSim()]
  await house.meter.ingest.addAll([readingOf(house, onRadius, { acct_session_id: 'radius', counter_up: 1000, counter_down: 0 })])
  const both = () => [record({ imsi: onRadius.imsi }), record({ imsi: onFeeds.imsi })]
  expect((await send(first, both())).body).toMatchObject({ counted: 1, compared: 1 })
  expect((await send(second, both())).body).toMatchObject({ counted: 0, compared: 2 })
  expect(await house.counter(onRadius)).toMatchObject({ bytes_up: 1000 })
  expect(await house.counter(onFeeds)).toMatchObject({ bytes_up: 100 })
  const days = await house.db
    .selectFrom('feed_day')
    .select(['sim_id', 'feed_id', 'bytes', 'counted_bytes'])
    .where('feed_id', 'in', [first.id, second.id])
    .execute()
  expect(days).toHaveLength(4)
  expect(days.filter(({ counted_bytes }) => counted_bytes > 0)).toEqual([
    { sim_id: onFeeds.id, feed_id: first.id, bytes: 300, counted_bytes: 300 },
  ])
  house.clock.advance({ days: 8 })
  expect((await send(second, [record({ imsi: onFeeds.imsi })])).body).toMatchObject({ counted: 1 })
  expect((await send(first, [record({ imsi: onFeeds.imsi })])).body).toMatchObject({ compared: 1 })
})

test('where a gateway begins to report of a SIM that a feed counted for, what it brings of the time before is not counted again', async () => {
  const feed = await putFeed(house.db)
  const [old, fresh] = [await house.newSim(), await house.newSim()]
  expect((await send(feed, [record({ imsi: old.imsi }), record({ imsi: fresh.imsi })])).body).toMatchObject({ counted: 2 })
  // Its session began 30 minutes ago, and the feed has counted up to 10 minutes ago.
  const of = { acct_session_id: 'taken-over', session_time: 1800, counter_up: 150, counter_down: 250 }
  await house.meter.ingest.addAll([
    readingOf(house, old, of),
    readingOf(house, fresh, { acct_session_id: 'began-since', session_time: 300, counter_up: 7, counter_down: 0 }),
  ])
  expect(await house.counter(old)).toMatchObject({ bytes_up: 100, bytes_down: 200 })
  expect(await house.counter(fresh)).toMatchObject({ bytes_up: 107, bytes_down: 200 })
  house.clock.advance({ minutes: 5 })
  await house.meter.ingest.addAll([readingOf(house, old, { ...of, session_time: 2100, counter_up: 160, counter_down: 250 })])
  expect(await house.counter(old)).toMatchObject({ bytes_up: 110, bytes_down: 200 })
  const rows = await house.db.selectFrom('quarantine').selectAll().where('imsi', '=', old.imsi).execute()
  expect(rows).toMatchObject([{ reason: expect.stringContaining('a feed of records counted') as string }])
  await expectConsistent(house)
})

test('what a gateway reported in one long session that is over is not counted again by a record of its middle', async () => {
  const feed = await putFeed(house.db)
  const [during, longBefore] = [await house.newSim(), await house.newSim()]
  const ofLong = { acct_session_id: 'three-weeks', session_time: 0, counter_up: 0 }
  const short = readingOf(house, longBefore, { kind: 'stop', acct_session_id: 'short' })
  await house.meter.ingest.addAll([readingOf(house, during, { ...ofLong, kind: 'start' }), short])
  house.clock.advance({ days: 20 })
  await house.meter.ingest.addAll([readingOf(house, during, { ...ofLong, kind: 'stop', session_time: 20 * 86_400, counter_up: 1000 })])
  const before = await house.counter(during)
  const middle = { started_at: minutesAgo(9 * 1440), ended_at: minutesAgo(8 * 1440) }
  expect((await send(feed, [record({ imsi: during.imsi, ...middle })])).body).toMatchObject({ counted: 0, compared: 1 })
  expect(await house.counter(during)).toEqual(before)
  // The gateway said nothing of this one in the week before.
  expect((await send(feed, [record({ imsi: longBefore.imsi, ...middle })])).body).toMatchObject({ counted: 1, compared: 0 })
})

/** Two SIMs whose sessions at a gateway were over for long when a feed counted for them. */
async function overForLong(nas: string) {
  const feed = await putFeed(house.db)
  const [sim, other] = [await house.newSim(), await house.newSim()]
  const report = (of: typeof sim, changes: Partial<Reading>) =>
    house.meter.ingest.addAll([readingOf(house, of, { nas, acct_session_id: of.imsi, counter_down: 0, ...changes })])
  await report(sim, { session_time: 600, counter_up: 1000 })
  await report(other, { kind: 'stop', session_time: 600, counter_up: 1000 })
  await report(sim, { kind: 'on' })
  house.clock.advance({ days: 8 })
  const records = [record({ imsi: sim.imsi }), record({ imsi: other.imsi })]
  expect((await send(feed, records)).body).toMatchObject({ counted: 2 })
  return { feed, sim, other, report }
}

test('what a session that was over for long brings when it goes on, or its id is used again, is not counted again where a feed counted since', async () => {
  const { sim, other, report } = await overForLong('goes-on')
  await report(sim, { session_time: 600 + 8 * 86_400, counter_up: 1500 })
  await report(other, { session_time: 1800, counter_up: 500 })
  for (const each of [sim, other]) expect(await house.counter(each)).toMatchObject({ lifetime_up: 1100, lifetime_down: 200 })
  const rows = await house.db.selectFrom('quarantine').select(['kind', 'counter_up']).where('nas', '=', 'goes-on').execute()
  expect(rows).toEqual(Array(2).fill({ kind: 'uncounted', counter_up: 500 }))
  house.clock.advance({ minutes: 5 })
  await report(sim, { session_time: 900 + 8 * 86_400, counter_up: 1510 })
  await report(other, { session_time: 2100, counter_up: 510 })
  for (const each of [sim, other]) expect(await house.counter(each)).toMatchObject({ lifetime_up: 1110, lifetime_down: 200 })
  await expectConsistent(house)
})

test('and so it is where its packets do not say whose SIM it is', async () => {
  const { sim, other, report } = await overForLong('says-no-name')
  await report(sim, { imsi: null, session_time: 600 + 8 * 86_400, counter_up: 1500 })
  await report(other, { imsi: null, session_time: 1800, counter_up: 500 })
  for (const each of [sim, other]) expect(await house.counter(each)).toMatchObject({ lifetime_up: 1100, lifetime_down: 200 })
  const rows = await house.db.selectFrom('quarantine').select(['kind', 'counter_up']).where('nas', '=', 'says-no-name').execute()
  expect(rows).toEqual(Array(2).fill({ kind: 'uncounted', counter_up: 500 }))
  await expectConsistent(house)
})

test('and so it is where one batch ends a session and uses its id again, without saying whose SIM it is', async () => {
  const { sim, report } = await overForLong('one-batch')
  const fresh = await house.newSim()
  expect((await send(await putFeed(house.db), [record({ imsi: fresh.imsi })])).body).toMatchObject({ counted: 1 })
  const at = (minutes: number) => Date.parse(minutesAgo(minutes))
  const lasted = 600 + 8 * 86_400
  // It goes on, and both feeds have counted up to 10 minutes ago.
  await report(sim, { event_at: at(13), session_time: lasted - 780, counter_up: 1500 })
  const of = (imsi: string) => ({ nas: 'one-batch', acct_session_id: imsi, imsi: null, counter_down: 0 })
  await house.meter.ingest.addAll([
    readingOf(house, sim, { ...of(sim.imsi), kind: 'stop', event_at: at(12), session_time: lasted - 720, counter_up: 1510 }),
    readingOf(house, fresh, {
      ...of(fresh.imsi),
      imsi: fresh.imsi,
      kind: 'stop',
      event_at: at(12),
      session_time: 60,
      counter_up: 40,
    }),
    ...[sim, fresh].map((each) => readingOf(house, each, { ...of(each.imsi), event_at: at(11), session_time: 30, counter_up: 70 })),
  ])
  expect(await house.counter(sim)).toMatchObject({ lifetime_up: 1110 })
  expect(await house.counter(fresh)).toMatchObject({ lifetime_up: 100 })
  await expectConsistent(house)
})

test('a session from before the feed counted that went on is the gateway’s again, and the feed is compared', async () => {
  const { feed, sim, other, report } = await overForLong('went-on')
  const lasted = 600 + 8 * 86_400
  await report(sim, { session_time: lasted, counter_up: 1500 })
  await report(sim, { kind: 'stop', session_time: lasted, counter_up: 1500 })
  // This one a gateway reports of for the first time, and it is over.
  await report(other, { kind: 'stop', acct_session_id: 'long', session_time: lasted, counter_up: 70 })
  house.clock.advance({ minutes: 30 })
  const records = [record({ imsi: sim.imsi }), record({ imsi: other.imsi })]
  expect((await send(feed, records)).body).toMatchObject({ counted: 0, compared: 2 })
  house.clock.advance({ days: 8 })
  expect((await send(feed, [record({ imsi: sim.imsi }), record({ imsi: other.imsi })])).body).toMatchObject({ counted: 2 })
})

test('a session that goes on while records of the feed are counted is looked for by the next ones', async () => {
  const { feed, sim, report } = await overForLong('goes-on-meanwhile')
  const lasted = 600 + 8 * 86_400
  house.clock.advance({ minutes: 30 })
  const counting = openCounting(house.app)
  const goesOn = { nas: 'goes-on-meanwhile', counter_up: 1500 }
  const meanwhile = async (readings: readonly Reading[]) => {
    // By now it is known that the feed counts; it has counted up to ten minutes ago once this is done.
    await report(sim, { ...goesOn, event_at: Date.parse(minutesAgo(15)), session_time: lasted + 15 * 60 })
    await counting.count(readings)
  }
  try {
    const { good } = readRows(FeedRecord, [record({ imsi: sim.imsi })])
    const parts = { app: house.app, counting: { ...counting, count: meanwhile }, at: house.clock.now() }
    expect(await house.app.db.transaction().execute((tx) => takeRecords(parts, tx, feed, good))).toMatchObject({ counted: 1 })
  } finally {
    await counting.stop()
  }
  await report(sim, { ...goesOn, kind: 'stop', event_at: Date.parse(minutesAgo(14)), session_time: lasted + 16 * 60 })
  house.clock.advance({ minutes: 30 })
  expect((await send(feed, [record({ imsi: sim.imsi })])).body).toMatchObject({ counted: 0, compared: 1 })
})

test('of a SIM that the feed counted for within the week no old session is looked for, until a gateway has gone on with one', async () => {
  const { feed, other } = await overForLong('looked-for')
  house.clock.advance({ minutes: 30 })
  // As no report leaves one, so that it shows whether it is looked for: from long before the record, and over within the week before it.
  await sql`update data_session set started_at = ${minutesAgo(20 * 1440)}, ended_at = ${minutesAgo(60)}
    where sim_id = ${other.id} and nas = 'looked-for'`.execute(house.db)
  const at = house.clock.now().getTime()
  const used = {
    account_id: house.owner.account_id,
    sim_id: other.id,
    record_id: 'not sent',
    from: at - 20 * 60_000,
    to: at - 10 * 60_000,
  }
  expect(await whichCount(house.app.db, feed.id, [used])).toMatchObject([{ counts: true }])
  await sql`update sim_feed set gateway_at = counted_to where sim_id = ${other.id}`.execute(house.db)
  expect(await whichCount(house.app.db, feed.id, [used])).toMatchObject([{ counts: false }])
})
