import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { usageCorrected } from '@masthead/contract/assets/events'
import { getAsset, listSimCorrections } from '@masthead/contract/assets/operations'
import { correctUsage, getCorrectionPreview, listCorrections, undoCorrection } from '@masthead/contract/backoffice/correction-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { getTotalUsage } from '@masthead/contract/usage/operations'
import { addTag } from '../usage/test-usage.ts'
import { enterStaff, type Staff } from '../backoffice/test-backoffice.ts'
import { openMeteredHouse, readingOf, stored, type MeteredHouse, type TestSim } from '../metering/test-network.ts'
import { lockRollUps, rollUp } from '../usage/roll-up.ts'
import { expectTotalsAgree } from './test-corrections.ts'

let house: MeteredHouse
let staff: Staff
const noon = '2026-11-20T12:00:00Z'
beforeAll(async () => {
  house = await openMeteredHouse()
  house.clock.set(noon)
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

/** A SIM that was registered long ago. */
async function newSim(options?: { limit_bytes?: number }): Promise<TestSim> {
  house.clock.set(noon)
  const sim = await house.newSim(options)
  await sql`update sim set created_at = '2026-01-01' where id = ${sim.id}`.execute(house.db)
  await sql`update gateway set created_at = '2026-01-01'`.execute(house.db)
  return sim
}

let sessions = 0
/** A session of ten minutes up to a time, reported and rolled up. */
async function use(sim: TestSim, at: string, up: number, down = 0, mccmnc = '262-01') {
  const told = { acct_session_id: `c${++sessions}`, event_at: Date.parse(at), session_time: 600, mccmnc, rat: 'LTE' }
  expect(await stored(house, readingOf(house, sim, { ...told, counter_up: up, counter_down: down }))).toBe(true)
  while (await rollUp(house.app));
}

type Given = { day?: string; bytes_up?: number; bytes_down?: number; mccmnc?: string; rat?: string; reason?: string }
const params = (sim: TestSim) => ({ any_asset_id: sim.asset_id })
const correct = (sim: TestSim, given: Given, headers = {}) =>
  staff.call(
    correctUsage,
    { params: params(sim), body: { day: '2026-11-20', bytes_up: 0, bytes_down: 0, reason: 'Ticket 7', ...given } },
    headers
  )
const undo = (sim: TestSim, correction_id: string) =>
  staff.call(undoCorrection, { params: { ...params(sim), correction_id }, body: { reason: 'A mistake' } })
const preview = async (sim: TestSim, query: Given) =>
  (await staff.call(getCorrectionPreview, { params: params(sim), query: { day: '2026-11-20', ...query } as never })).body
const hoursOf = async ({ id }: TestSim) =>
  (
    await sql<{ hour: string; mccmnc: string; up: number; down: number }>`
      select to_char(hour at time zone 'UTC', 'MM-DD HH24') as hour, mccmnc, sum(bytes_up) as up, sum(bytes_down) as down from (
        select * from usage_hour union all select * from usage_open_hour) h where sim_id = ${id} group by 1, 2 order by 1, 2`.execute(
      house.db
    )
  ).rows.map(({ hour, mccmnc, up, down }) => [hour, mccmnc, up, down])

test('a correction takes from the hours with the most; every total moves with it, and session counters stay', async () => {
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 100, 10)
  await use(sim, '2026-11-20T09:30:00Z', 3000, 400)
  await use(sim, '2026-11-19T09:30:00Z', 5000)
  const before = await house.sessionsOf(sim)
  const { status, body } = await correct(sim, { bytes_up: -3050, bytes_down: -5 })
  expect([status, body]).toMatchObject([
    200,
    { day: '2026-11-20', bytes_up: -3050, bytes_down: -5, by: staff.email, adjustment_month: null },
  ])
  expect(await hoursOf(sim)).toEqual([
    ['11-19 09', '262-01', 5000, 0],
    ['11-20 08', '262-01', 50, 10],
    ['11-20 09', '262-01', 0, 395],
  ])
  const counted = { bytes_up: 5050, bytes_down: 405, lifetime_up: 5050, lifetime_down: 405, period_start: '2026-11-01' }
  expect(await house.counter(sim)).toMatchObject(counted)
  await expectTotalsAgree(house)
  while (await rollUp(house.app));
  await expectTotalsAgree(house)
  expect(await house.sessionsOf(sim)).toEqual(before)
  const shown = (await house.owner.call(getAsset, { params: { asset_id: sim.asset_id } })).body
  expect(shown.sim!.usage.period_bytes).toBe(5455)
})

test('the meter goes on from the same counters, whatever was corrected', async () => {
  const sim = await newSim()
  const told = { acct_session_id: 'goes-on', mccmnc: '262-01', rat: 'LTE' }
  const report = (minute: number, up: number) =>
    stored(
      house,
      readingOf(house, sim, { ...told, event_at: Date.parse(noon) - (30 - minute) * 60_000, session_time: minute * 60, counter_up: up })
    )
  await report(10, 1000)
  while (await rollUp(house.app));
  expect((await correct(sim, { bytes_up: -400 })).status).toBe(200)
  await report(20, 1500)
  while (await rollUp(house.app));
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 1100, lifetime_up: 1100 })
  expect(await house.sessionsOf(sim)).toMatchObject([{ counter_up: 1500, bytes_up: 1500 }])
  await expectTotalsAgree(house)
})

test('one network alone can be corrected; what is added goes where the most was, or to the start of an unused day', async () => {
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 100, 0, '262-01')
  await use(sim, '2026-11-20T09:30:00Z', 900, 0, '208-01')
  expect((await correct(sim, { bytes_up: -150, mccmnc: '262-01' })).body.code).toBe('usage_below_zero')
  expect((await correct(sim, { bytes_up: -60, mccmnc: '262-01', rat: 'LTE' })).status).toBe(200)
  expect((await correct(sim, { bytes_up: 7, bytes_down: 5 })).status).toBe(200)
  expect((await correct(sim, { day: '2026-11-18', bytes_down: 11 })).status).toBe(200)
  expect(await hoursOf(sim)).toEqual([
    ['11-18 00', '', 0, 11],
    ['11-20 08', '262-01', 40, 0],
    ['11-20 09', '208-01', 907, 5],
  ])
  await expectTotalsAgree(house)
})

test('a block of the data limit is lifted when the month is below it again, and set when it is reached', async () => {
  const sim = await newSim({ limit_bytes: 1000 })
  await use(sim, '2026-11-20T08:30:00Z', 2500)
  const blocks = async () => (await house.db.selectFrom('sim').select('blocks').where('id', '=', sim.id).executeTakeFirstOrThrow()).blocks
  expect(await blocks()).toMatchObject([{ code: 'data_limit' }])
  expect(await preview(sim, { bytes_up: -1500 })).toMatchObject({
    block: 'kept',
    month: { bytes_before: 2500, bytes_after: 1000, limit_bytes: 1000 },
  })
  await correct(sim, { bytes_up: -1500 })
  expect(await blocks()).toHaveLength(1)
  expect(await preview(sim, { bytes_up: -1 })).toMatchObject({ block: 'lifted', before: { bytes_up: 1000 }, after: { bytes_up: 999 } })
  await correct(sim, { bytes_up: -1 })
  expect(await blocks()).toEqual([])
  expect(await house.db.selectFrom('enforcement').select('lifted_at').where('sim_id', '=', sim.id).executeTakeFirst()).toMatchObject({
    lifted_at: new Date(noon),
  })
  expect(await preview(sim, { bytes_down: 1 })).toMatchObject({ block: 'set' })
  await correct(sim, { bytes_down: 1 })
  expect(await blocks()).toMatchObject([{ code: 'data_limit' }])
  const names = (await house.events(house.owner.account_id))
    .filter(({ detail }) => detail.asset_id === sim.asset_id)
    .map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('assets.sim'))).toEqual([
    'assets.sim_blocked',
    'assets.sim_unblocked',
    'assets.sim_blocked',
  ])
})

test('a day of an earlier month is in the lifetime alone; of a closed month the correction is an adjustment', async () => {
  const sim = await newSim({ limit_bytes: 1000 })
  await use(sim, '2026-10-31T08:30:00Z', 700)
  await use(sim, '2026-11-20T08:30:00Z', 300)
  expect((await correct(sim, { day: '2026-10-31', bytes_up: -100 })).body.adjustment_month).toBe('2026-11-01')
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 300, lifetime_up: 900, period_start: '2026-11-01' })
  house.clock.set('2026-12-02T00:00:00Z')
  staff = await enterStaff(house) // a stay is half an hour
  expect((await correct(sim, { day: '2026-11-20', bytes_up: -50 })).body.adjustment_month).toBeNull()
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 250, lifetime_up: 850, period_start: '2026-11-01' })
  // What is added to the running month begins it, as usage does.
  await correct(sim, { day: '2026-12-01', bytes_down: 8 })
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 0, bytes_down: 8, lifetime_up: 850, period_start: '2026-12-01' })
  await expectTotalsAgree(house)
  house.clock.set(noon)
  staff = await enterStaff(house)
})

test('an undo takes a correction back in the hours it corrected, once', async () => {
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 100)
  await use(sim, '2026-11-20T09:30:00Z', 900)
  const was = await hoursOf(sim)
  const { id } = (await correct(sim, { bytes_up: -950 })).body
  // More is reported of an hour meanwhile: it is no reason to give back elsewhere.
  await use(sim, '2026-11-20T08:40:00Z', 5000)
  const undone = (await undo(sim, id)).body
  expect(undone).toMatchObject({ bytes_up: 950, undoes: id, reason: 'A mistake' })
  expect(await hoursOf(sim)).toEqual([['11-20 08', '262-01', 5100, 0], was[1]])
  expect((await undo(sim, id)).body).toMatchObject({ code: 'correction_undone' })
  const { items } = (await staff.call(listCorrections, { params: params(sim) })).body
  expect(items).toMatchObject([
    { id: undone.id, undoes: id, undone_by: null },
    { id, undone_by: undone.id },
  ])
  // What was added and is gone by now cannot be taken back.
  const added = (await correct(sim, { day: '2026-11-18', bytes_up: 10 })).body
  await correct(sim, { day: '2026-11-18', bytes_up: -6 })
  expect((await undo(sim, added.id)).body).toMatchObject({ code: 'usage_below_zero' })
  expect((await undo(await newSim(), added.id)).status).toBe(404)
  await expectTotalsAgree(house)
})

/** Resolves once a statement waits for a lock of this kind. */
const untilWaiting = (kind: 'advisory' | 'transactionid') =>
  expect.poll(async () => (await sql`select from pg_locks where not granted and locktype = ${kind}`.execute(house.db)).rows.length).toBe(1)

test('a correction waits for a rebuild, and for a meter without keeping the SIM from it', async () => {
  const sim = await newSim({ limit_bytes: 1000 })
  await use(sim, '2026-11-20T08:30:00Z', 1500)
  const rebuilding = await house.db.transaction().execute(async (tx) => {
    await lockRollUps(tx)
    const answer = correct(sim, { bytes_up: -600 })
    await untilWaiting('advisory')
    return { answer }
  })
  expect((await rebuilding.answer).status).toBe(200)
  // A meter has moved the counter, and blocks the SIM next.
  const metering = await house.db.transaction().execute(async (tx) => {
    await sql`update sim_counter set seen_at = seen_at where sim_id = ${sim.id}`.execute(tx)
    const answer = correct(sim, { bytes_up: -600 })
    await untilWaiting('transactionid')
    await sql`update sim set imei = imei where id = ${sim.id}`.execute(tx)
    return { answer }
  })
  expect((await metering.answer).status).toBe(200)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 300 })
  await expectTotalsAgree(house)
})

test('what cannot be corrected is refused in words, and nothing is changed', async () => {
  const sim = await newSim()
  expect((await correct(sim, { bytes_up: 5 })).body).toMatchObject({ code: 'nothing_counted' })
  expect(await preview(sim, { bytes_up: 5 })).toMatchObject({
    refused: 'Nothing was ever counted for this SIM: there is nothing to correct',
  })
  await use(sim, '2026-11-20T08:30:00Z', 100)
  const counter = await house.counter(sim)
  const refused = async (given: Given, expected: object) => {
    const { body } = await correct(sim, given)
    expect(body).toMatchObject(expected)
    return body
  }
  await refused({ day: '2026-11-21', bytes_up: 1 }, { code: 'day_not_correctable', fields: { day: expect.stringMatching(/days to come/) } })
  await refused({ day: '2025-12-31', bytes_up: 1 }, { fields: { day: expect.stringMatching(/registered on 1 Jan 2026/) } })
  await sql`update sim set created_at = '2020-01-01' where id = ${sim.id}`.execute(house.db)
  await refused({ day: '2025-10-01', bytes_up: 1 }, { fields: { day: expect.stringMatching(/^Days can be corrected for 400 days/) } })
  await refused(
    { bytes_up: -101 },
    { code: 'usage_below_zero', detail: 'More would be taken away than was counted: 100 B up and 0 B down on 20 Nov 2026' }
  )
  await refused({ bytes_up: 5, bytes_down: -1 }, { code: 'usage_below_zero' })
  await refused({}, { fields: { bytes_up: 'Write how much is taken away or added' } })
  await refused({ bytes_up: 1.5 }, { fields: { bytes_up: 'Write whole bytes' } })
  await refused({ bytes_up: 21_600_000_000_001 }, { fields: { bytes_up: expect.stringMatching(/at most 21\.6 TB/) } })
  await refused({ bytes_up: -1, reason: ' ' }, { fields: { reason: 'Say why' } })
  await refused({ day: '2026-02-30', bytes_up: 1 }, { fields: { day: 'Write a day as 2026-11-03' } })
  expect(await house.counter(sim)).toEqual(counter)
  expect(await hoursOf(sim)).toEqual([['11-20 08', '262-01', 100, 0]])
  expect((await staff.call(listCorrections, { params: params(sim) })).body.total).toBe(0)
  expect(await preview(sim, { bytes_up: -101 })).toMatchObject({ refused: expect.stringMatching(/^More would be/), after: null })
})

test('what a garbled packet counted is taken away to the byte', async () => {
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 3_000_000_000, 7)
  const [most, hour] = [2n ** 53n - 1n, '2026-11-20T09:00:00Z']
  const { account_id } = house.owner
  for (const table of ['usage_open_hour', 'account_usage_hour']) {
    const of = table === 'account_usage_hour' ? sql`${account_id}` : sql`${account_id}, ${sim.id}`
    await sql`insert into ${sql.table(table)} values (${of}, ${hour}, '', '', ${most}, ${most})`.execute(house.db)
  }
  await sql`insert into usage_record values (${account_id}, ${sim.id}, 's', ${hour}, ${house.clock.now()}, ${most}, ${most}, '', '', '1')`.execute(
    house.db
  )
  await sql`update sim_counter set bytes_up = bytes_up + ${most}, bytes_down = bytes_down + ${most}, lifetime_up = lifetime_up + ${most},
    lifetime_down = lifetime_down + ${most} where sim_id = ${sim.id}`.execute(house.db)
  expect((await preview(sim, {})).before.bytes_up).toBe(Number(most + 3_000_000_000n))
  expect((await correct(sim, { bytes_up: -Number(most), bytes_down: -Number(most) })).status).toBe(200)
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 3_000_000_000, bytes_down: 7, lifetime_up: 3_000_000_000 })
  expect(await hoursOf(sim)).toEqual([
    ['11-20 08', '262-01', 3_000_000_000, 7],
    ['11-20 09', '', 0, 0],
  ])
  await expectTotalsAgree(house)
})

test('the customer sees it: in activities, on the asset, in what is used; staff in their log', async () => {
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 2_000_000_000)
  const key = { 'idempotency-key': 'one correction' }
  const [first, again] = [await correct(sim, { bytes_up: -1_200_000_000 }, key), await correct(sim, { bytes_up: -1_200_000_000 }, key)]
  expect(again.body).toEqual(first.body)
  await correct(sim, { day: '2026-09-03', bytes_up: 1_000_000 })
  const events = (await house.events(house.owner.account_id)).filter(
    ({ name, detail }) => name === usageCorrected.name && detail.sim_id === sim.id
  )
  const [{ detail }] = events as [(typeof events)[0]]
  expect(events.map(({ name, detail }) => sentenceOf(usageCorrected, name, detail))).toEqual([
    `Corrected the usage of ${detail.asset_name as string} on 20 Nov 2026 by −1.2 GB: Ticket 7`,
    `Corrected the usage of ${detail.asset_name as string} on 3 Sep 2026 by +1 MB, as an adjustment in Nov 2026: Ticket 7`,
  ])
  const list = (query: object = {}) =>
    house.owner.call(listSimCorrections, { params: { asset_id: sim.iccid }, query: { page_size: '1', ...query } as never })
  const one = (await list()).body
  expect([one.total, one.items[0]!.day]).toEqual([2, '2026-09-03'])
  expect((await list({ after: one.next! })).body).toMatchObject({ items: [{ id: first.body.id }], next: null })
  expect((await list({ after: 'x' })).status).toBe(400)
  const log = (await staff.call(listStaffLog, { query: { asset_id: sim.asset_id, action: [usageCorrected.name] } })).body.items
  expect(log).toMatchObject([
    { reason: 'Ticket 7' },
    {
      before: { day: '2026-11-20', bytes_up: 2_000_000_000 },
      after: { bytes_up: 800_000_000 },
      sentence: expect.stringMatching(/by −1\.2 GB$/),
    },
  ])
  const { items } = (await house.owner.call(getTotalUsage, { query: { start: '2026-11-20T00:00:00Z', end: '2026-11-21T00:00:00Z' } })).body
  expect(items.find((item) => item.key === sim.asset_id)!.bytes).toBe(800_000_000)
  // Nobody sees that of an asset that is not theirs to see.
  const tag = await addTag(house, house.owner, 'elsewhere')
  const limited = await house.newMember(house.owner, ['assets.view'], [tag])
  expect((await limited.call(listSimCorrections, { params: { asset_id: sim.asset_id } })).status).toBe(404)
})
