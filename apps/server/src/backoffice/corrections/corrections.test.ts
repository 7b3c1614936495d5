import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { usageCorrected } from '@masthead/contract/assets/events'
import { getAsset } from '@masthead/contract/assets/operations'
import { listCorrections } from '@masthead/contract/backoffice/correction-operations'
import { readingOf, stored } from '../../metering/test-network.ts'
import { lockRollUps } from '../../usage/roll-ups/roll-up.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { openCorrectingHouse } from './test-correcting.ts'
import { expectTotalsAgree } from './test-corrections.ts'

const { house, noon, setClock, newSim, use, params, correct, undo, preview, hoursOf, call } = await openCorrectingHouse()
afterAll(() => house[Symbol.asyncDispose]())

test('a correction takes from the hours with the most; every total moves with it, and session counters stay', async () => {
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 100, 10)
  await use(sim, '2026-11-20T09:30:00Z', 3000, 400)
  await use(sim, '2026-11-19T09:30:00Z', 5000)
  const before = await house.sessionsOf(sim)
  const { status, body } = await correct(sim, { bytes_up: -3050, bytes_down: -5 })
  expect([status, body]).toMatchObject([
    200,
    { day: '2026-11-20', bytes_up: -3050, bytes_down: -5, by: expect.stringMatching(/^staff-/), adjustment_month: null },
  ])
  expect(await hoursOf(sim)).toEqual([
    ['11-19 09', '262-01', 5000, 0],
    ['11-20 08', '262-01', 50, 10],
    ['11-20 09', '262-01', 0, 395],
  ])
  const counted = { bytes_up: 5050, bytes_down: 405, lifetime_up: 5050, lifetime_down: 405, period_start: '2026-11-01' }
  expect(await house.counter(sim)).toMatchObject(counted)
  await expectTotalsAgree(house)
  await rollUpAll(house.app)
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
  await rollUpAll(house.app)
  expect((await correct(sim, { bytes_up: -400 })).status).toBe(200)
  await report(20, 1500)
  await rollUpAll(house.app)
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
  // Nobody reported it, and nothing was counted in it.
  const words = 'No network has the code 999-99, and nothing was counted in it on that day'
  const unknown = await correct(sim, { bytes_up: 7, mccmnc: '999-99' })
  expect([unknown.status, unknown.body]).toMatchObject([400, { detail: words, fields: { mccmnc: words } }])
  expect((await correct(sim, { bytes_up: 7, mccmnc: 'Europe' })).body).toMatchObject({ code: 'invalid_request' })
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
  // What follows from a correction is an event after it.
  expect(names.filter((name) => name === usageCorrected.name || name.startsWith('assets.sim'))).toEqual([
    'assets.sim_blocked',
    usageCorrected.name,
    usageCorrected.name,
    'assets.sim_unblocked',
    usageCorrected.name,
    'assets.sim_blocked',
  ])
})

test('a day of an earlier month is in the lifetime alone; of a closed month the correction is an adjustment', async () => {
  const sim = await newSim({ limit_bytes: 1000 })
  await use(sim, '2026-10-31T08:30:00Z', 700)
  await use(sim, '2026-11-20T08:30:00Z', 300)
  expect((await correct(sim, { day: '2026-10-31', bytes_up: -100 })).body.adjustment_month).toBe('2026-11-01')
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 300, lifetime_up: 900, period_start: '2026-11-01' })
  await setClock('2026-12-02T00:00:00Z')
  expect((await correct(sim, { day: '2026-11-20', bytes_up: -50 })).body.adjustment_month).toBeNull()
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 250, lifetime_up: 850, period_start: '2026-11-01' })
  // What is added to the running month begins it, as usage does.
  await correct(sim, { day: '2026-12-01', bytes_down: 8 })
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 0, bytes_down: 8, lifetime_up: 850, period_start: '2026-12-01' })
  await expectTotalsAgree(house)
  await setClock(noon)
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
  const { items } = (await call(listCorrections, { params: params(sim) })).body
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
