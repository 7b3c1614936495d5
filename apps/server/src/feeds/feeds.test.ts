import { listTimeline } from '@masthead/contract/assets/connection-operations'
import { addConnectionEvents } from '@masthead/contract/assets/feed-operations'
import { addFeed, listFeeds, rotateFeedKey, updateFeed } from '@masthead/contract/backoffice/feed-operations'
import { listGateways } from '@masthead/contract/backoffice/gateway-operations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enterStaff, type Staff } from '../backoffice/test-backoffice.ts'
import { expectConsistent, openMeteredHouse, readingOf, type MeteredHouse } from '../metering/test-network.ts'
import { watchFeeds } from './silent-feeds.ts'
import { putFeed } from './test-feed.ts'
import { type Feed, type FeedRow, feedRecord, minutesBefore, sendRecords } from './test-records.ts'

let house: MeteredHouse
let staff: Staff
beforeAll(async () => {
  house = await openMeteredHouse()
  staff = await enterStaff(house, ['backoffice', 'manage_networks'])
})
afterAll(() => house[Symbol.asyncDispose]())

const minutesAgo = (minutes: number) => minutesBefore(house, minutes)
const record = (changes: FeedRow = {}) => feedRecord(house, changes)
const send = (feed: Feed, records: FeedRow[], headers: Record<string, string> = {}) => sendRecords(house, feed, records, headers)

test('staff add a feed, its key works until it gets another one, and it is no gateway', async () => {
  const added = await staff.call(addFeed, { body: { name: 'Carrier North', folder: 'north', silent_after_minutes: 60 } })
  expect(added).toMatchObject({ status: 200, body: { feed: { name: 'Carrier North', state: 'never', folder: 'north' } } })
  const { feed, key } = added.body
  expect(key).toMatch(/^mhf_/)
  const sim = await house.newSim()
  expect((await send({ key }, [record({ imsi: sim.imsi })])).body).toMatchObject({ counted: 1, errors: [] })
  const listed = await staff.call(listFeeds)
  expect(listed.body.items.find(({ id }) => id === feed.id)).toMatchObject({
    state: 'hearing',
    key_prefix: key.split('_').slice(0, 2).join('_'),
  })
  expect(listed.text).not.toContain(key)
  const next = await staff.call(rotateFeedKey, { params: { feed_id: feed.id } })
  expect(await send({ key }, [record({ imsi: sim.imsi })])).toMatchObject({ status: 403, body: { code: 'feed_key_unknown' } })
  expect((await send(next.body, [record({ imsi: sim.imsi })])).status).toBe(200)
  expect((await staff.call(updateFeed, { params: { feed_id: feed.id }, body: { disabled: true } })).body).toMatchObject({
    state: 'disabled',
  })
  expect(await send(next.body, [record({ imsi: sim.imsi })])).toMatchObject({
    status: 403,
    body: { detail: expect.stringMatching(/switched off/) },
  })
  expect(await staff.call(addFeed, { body: { name: 'Other', folder: 'north' } })).toMatchObject({
    status: 409,
    body: { code: 'feed_folder_taken' },
  })
  expect((await staff.call(listGateways)).body.items.map(({ id }) => id)).toEqual([house.gateway_id])
  const lines = await house.db.selectFrom('staff_log').select('action').where('target', '=', 'Carrier North').execute()
  expect(lines.map(({ action }) => action).toSorted()).toEqual(
    ['feed_added', 'feed_changed', 'feed_key_changed'].map((name) => `backoffice.${name}`)
  )
})

test('records are counted by IMSI, ICCID or MSISDN, once each, and wrong rows are named by their index', async () => {
  const feed = await putFeed(house.db)
  const sims = await Promise.all([house.newSim(), house.newSim(), house.newSim()])
  const rows = [
    record({ imsi: sims[0].imsi }),
    record({ iccid: sims[1].iccid, msisdn: '4915100000' }),
    record({ imsi: sims[0].imsi, bytes_up: -1 }),
    record({ msisdn: `+${sims[2].msisdn}` }),
    record({}),
    record({ imsi: sims[0].imsi, ended_at: minutesAgo(-60) }),
    record({ imsi: sims[0].imsi, bytes_up: 9e15 }),
  ]
  const answer = await send(feed, [...rows, rows[0]!])
  expect(answer.body).toMatchObject({ counted: 3, compared: 0, quarantined: 0, duplicates: 1 })
  expect(answer.body.errors).toEqual([
    { index: 2, words: 'bytes_up: Whole bytes, from 0' },
    { index: 4, words: 'One of imsi, iccid and msisdn is needed' },
    { index: 5, words: 'It ends in the future' },
    { index: 6, words: 'It reports more bytes than any link carries in that time' },
  ])
  for (const sim of sims) expect(await house.counter(sim)).toMatchObject({ bytes_up: 100, bytes_down: 200 })
  expect((await send(feed, rows)).body).toMatchObject({ counted: 0, duplicates: 3 })
  for (const sim of sims) expect(await house.counter(sim)).toMatchObject({ bytes_up: 100, bytes_down: 200 })
  const [session] = await house.sessionsOf(sims[0])
  expect(session).toMatchObject({
    mccmnc: '262-01',
    end_cause: `Reported by ${feed.name}`,
    started_at: new Date(minutesAgo(20)),
    ended_at: new Date(minutesAgo(10)),
  })
  await expectConsistent(house)
})

test('a call that broke off after its records were counted adds nothing when it is sent again', async () => {
  const feed = await putFeed(house.db)
  const sim = await house.newSim()
  const rows = [record({ imsi: sim.imsi }), record({ imsi: sim.imsi })]
  expect((await send(feed, rows)).body).toMatchObject({ counted: 2 })
  // As it is when the process ended between the ingest and what the feed keeps of it; a gateway reports of the SIM since.
  for (const table of ['feed_record', 'feed_day'] as const) await house.db.deleteFrom(table).where('feed_id', '=', feed.id).execute()
  await house.meter.ingest.addAll([readingOf(house, sim, { acct_session_id: 'since', counter_up: 5, counter_down: 0 })])
  expect((await send(feed, rows)).body).toMatchObject({ counted: 2, compared: 0 })
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 205, bytes_down: 400 })
})

test('two calls with the same records at once count them once', async () => {
  const feed = await putFeed(house.db)
  const sims = await Promise.all(Array.from({ length: 20 }, () => house.newSim()))
  const rows = sims.map(({ imsi }) => record({ imsi }))
  const answers = await Promise.all([send(feed, rows), send(feed, rows), send(feed, rows)])
  expect(answers.map(({ body }) => body.counted).toSorted()).toEqual([0, 0, 20])
  for (const sim of sims) expect(await house.counter(sim)).toMatchObject({ bytes_up: 100, bytes_down: 200 })
})

test('an Idempotency-Key is the feed’s own: another feed with the same key and records is not answered in its place', async () => {
  const [first, second] = [await putFeed(house.db), await putFeed(house.db)]
  const sim = await house.newSim()
  const rows = [record({ imsi: sim.imsi })]
  const key = { 'idempotency-key': 'nightly' }
  expect((await send(first, rows, key)).body).toMatchObject({ counted: 1, compared: 0 })
  expect((await send(first, rows, key)).body).toMatchObject({ counted: 1, duplicates: 0 })
  expect((await send(second, rows, key)).body).toMatchObject({ counted: 0, compared: 1 })
})

test('a limit that a record reaches blocks the SIM, and what no SIM has goes into quarantine', async () => {
  const feed = await putFeed(house.db)
  const sim = await house.newSim({ limit_bytes: 250 })
  const answer = await send(feed, [
    record({ imsi: sim.imsi }),
    record({ imsi: '999990000000001' }),
    record({ iccid: '8999900000000000017' }),
  ])
  expect(answer.body).toMatchObject({ counted: 1, quarantined: 2 })
  const { blocks } = await house.db.selectFrom('sim').select('blocks').where('id', '=', sim.id).executeTakeFirstOrThrow()
  expect(blocks.map(({ code }) => code)).toEqual(['data_limit'])
  const rows = await house.db
    .selectFrom('quarantine')
    .select(['identity', 'counter_up', 'counter_down'])
    .where('gateway_id', '=', feed.id)
    .orderBy('identity')
    .execute()
  expect(rows).toEqual([
    { identity: '8999900000000000017', counter_up: 100, counter_down: 200 },
    { identity: '999990000000001', counter_up: 100, counter_down: 200 },
  ])
})

test('what was used before the SIM was registered is not counted for its account', async () => {
  const feed = await putFeed(house.db)
  const sim = await house.newSim()
  await house.db
    .updateTable('sim')
    .set({ created_at: new Date(minutesAgo(15)) })
    .where('id', '=', sim.id)
    .execute()
  expect((await send(feed, [record({ imsi: sim.imsi })])).body).toMatchObject({ counted: 0, quarantined: 1 })
  expect((await house.counter(sim))?.bytes_up ?? 0).toBe(0)
})

const sendEvents = (feed: Feed, events: Record<string, string | number | null>[]) =>
  house.anyone.call(addConnectionEvents, { body: { events } }, { 'x-feed-key': feed.key })

test('connection events stand on the network tab, each once, also some days late', async () => {
  const feed = await putFeed(house.db)
  const sim = await house.newSim()
  const about = { imsi: sim.imsi, mccmnc: '262-01', rat: 'EUTRAN' }
  const refused = { kind: 'rejected', reason: 'Roaming is not allowed', at: minutesAgo(3 * 1440) }
  const events = [
    { id: 'e1', ...about, ...refused },
    { id: 'e2', ...about, ...refused },
    { id: 'e3', ...about, kind: 'accepted', at: minutesAgo(60) },
    { id: 'e4', ...about, kind: 'imei_changed', imei: '490154203237518', imei_before: '356938035643809', at: minutesAgo(30) },
    { id: 'e5', ...about, kind: 'detached', at: minutesAgo(10) },
    { id: 'e6', imsi: '999990000000009', kind: 'detached', at: minutesAgo(10) },
    { id: 'e7', ...about, kind: 'imei_changed', at: minutesAgo(10) },
    { id: 'e8', ...about, kind: 'detached', at: minutesAgo(60 * 24 * 400) },
  ]
  const answer = await sendEvents(feed, events)
  expect(answer.body).toMatchObject({ kept: 5, duplicates: 0 })
  expect(answer.body.errors).toEqual([
    { index: 5, words: 'No SIM has this number' },
    { index: 6, words: 'imei: Say the new IMEI' },
    { index: 7, words: 'It is older than what is kept' },
  ])
  expect((await sendEvents(feed, events)).body).toMatchObject({ kept: 0, duplicates: 5 })
  const { items } = (await house.owner.call(listTimeline, { params: { asset_id: sim.asset_id }, query: { kind: ['network'] } })).body
  expect(items.map(({ kind, count, words, gateway }) => [kind, count, words, gateway])).toEqual([
    ['detached', 1, null, feed.name],
    ['imei_changed', 1, null, feed.name],
    ['accepted', 1, null, feed.name],
    ['rejected', 2, 'Roaming is not allowed', feed.name],
  ])
})

test('a feed that is silent for too long is an alert of staff, once, until it reports again; and nobody is blocked', async () => {
  const feed = await putFeed(house.db)
  const sim = await house.newSim()
  await house.db.updateTable('feed').set({ silent_after_minutes: 60 }).where('id', '=', feed.id).execute()
  await send(feed, [record({ imsi: sim.imsi })])
  const alerts = () =>
    house.db
      .selectFrom('alert')
      .select(['title', 'count', 'resolved_at'])
      .where('account_id', '=', staff.account_id)
      .where('cause', '=', `feed:${feed.id}`)
      .execute()
  await watchFeeds(house.app)
  expect(await alerts()).toEqual([])
  house.clock.advance({ minutes: 61 })
  for (let looks = 0; looks < 3; looks++) await watchFeeds(house.app)
  expect(await alerts()).toEqual([{ title: `The feed ${feed.name} is silent`, count: 1, resolved_at: null }])
  const { blocks } = await house.db.selectFrom('sim').select('blocks').where('id', '=', sim.id).executeTakeFirstOrThrow()
  expect(blocks).toEqual([])
  await send(feed, [record({ imsi: sim.imsi })])
  await watchFeeds(house.app)
  expect(await alerts()).toMatchObject([{ resolved_at: expect.any(Date) }])
})

test('who has no key is refused at once, and keeps nobody waiting who has one', async () => {
  const feed = await putFeed(house.db)
  const sim = await house.newSim()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const holding = house.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('masthead.feeds'))`.execute(tx)
    await held
  })
  const waiting = send(feed, [record({ imsi: sim.imsi })])
  const strangers = await Promise.all(Array.from({ length: 40 }, () => send({ key: 'mhf_none' }, [record()])))
  expect(strangers.map(({ body: { code } }) => code)).toEqual(Array(40).fill('feed_key_unknown'))
  release()
  await holding
  expect((await waiting).body).toMatchObject({ counted: 1 })
})
