import type { Currency } from '@masthead/contract/billing/money'
import { afterAll, expect, test } from 'vitest'
import { openCorrectingHouse } from '../../backoffice/corrections/test-correcting.ts'
import { readingOf, stored, type TestSim } from '../../metering/test-network.ts'
import { loadNetworks } from '../../networks/index.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { switchOn } from '../ledger/index.ts'
import { putAssignment, putTariff } from '../tariffs/test-tariffs.ts'

const { house, setClock, newSim, use, correct, undo } = await openCorrectingHouse()
afterAll(() => house[Symbol.asyncDispose]())

const { account_id } = house.owner
await house.db
  .transaction()
  .execute((tx) => switchOn(tx, { account_id, currency: 'USD' as Currency, by: 'staff@example.test', at: house.clock.now() }))
async function payBy(rounding_scope: 'session' | 'day', block_bytes: number) {
  await house.db.deleteFrom('account_tariff').execute()
  const tariff_id = await putTariff(house, { effective_from: '2026-01-01', rounding_scope, block_bytes })
  await putAssignment(house, account_id, tariff_id, { from_day: '2026-01-01' })
}
const chargesOf = async (sim: TestSim) =>
  (await house.db.selectFrom('charge').selectAll().where('sim_id', '=', sim.id).orderBy('day').orderBy('mccmnc').execute()).map(
    ({ day, is_late, mccmnc, bytes, charged_micros }) => [day.slice(5), is_late, mccmnc, bytes, charged_micros]
  )

test('what staff subtract is given back, and undone it costs what it did: of a day rounded as a whole, to the micro', async () => {
  await payBy('day', 1000)
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 1_000_500)
  await use(sim, '2026-11-20T09:30:00Z', 2_000_000, 0, '310-410')
  const before = [
    ['11-20', false, '262-01', 1_000_500, 100_100],
    ['11-20', false, '310-410', 2_000_000, 4_000_000],
  ]
  expect(await chargesOf(sim)).toEqual(before)
  const { body } = await correct(sim, { bytes_up: -500_000, mccmnc: '310-410' })
  expect(await chargesOf(sim)).toEqual([before[0], ['11-20', false, '310-410', 1_500_000, 3_000_000]])
  await undo(sim, body.id)
  expect(await chargesOf(sim)).toEqual(before)
  // Without a network it is where most was used; all of it costs nothing more.
  await correct(sim, { bytes_up: -3_000_500 })
  expect((await chargesOf(sim)).map((row) => row[4])).toEqual([0, 0])
})

test('what was subtracted of no known network costs what it did when it is undone, whichever network was used since', async () => {
  await payBy('session', 1000)
  const sim = await newSim()
  await use(sim, '2026-11-19T08:30:00Z', 1000)
  expect((await correct(sim, { day: '2026-11-18', bytes_up: 1_000_000 })).status).toBe(200)
  const before = await chargesOf(sim)
  expect(before).toEqual([
    ['11-18', false, '262-01', 1_000_000, 100_000],
    ['11-19', false, '262-01', 1000, 100],
  ])
  const { body } = await correct(sim, { day: '2026-11-18', bytes_up: -600_000 })
  await use(sim, '2026-11-20T08:30:00Z', 1000, 0, '310-410')
  const dear = ['11-20', false, '310-410', 1000, 2000]
  expect(await chargesOf(sim)).toEqual([['11-18', false, '262-01', 400_000, 40_000], before[1], dear])
  const undone = await undo(sim, body.id)
  expect(await chargesOf(sim)).toEqual([...before, dear])
  await undo(sim, undone.body.id)
  expect(await chargesOf(sim)).toEqual([['11-18', false, '262-01', 400_000, 40_000], before[1], dear])
})

test('what staff add within the free test of a SIM costs nothing', async () => {
  await payBy('session', 1000)
  const sim = await newSim()
  await house.db.updateTable('sim').set({ state: 'ready', test_bytes: 5_000_000 }).where('id', '=', sim.id).execute()
  await use(sim, '2026-11-20T08:30:00Z', 3_000_000)
  const inOrder = async () => (await chargesOf(sim)).toSorted((a, b) => Number(b[3]) - Number(a[3]))
  const { body } = await correct(sim, { bytes_up: 3_000_000 })
  expect(await inOrder()).toEqual([
    ['11-20', false, '262-01', 5_000_000, 0],
    ['11-20', false, '262-01', 1_000_000, 100_000],
  ])
  // What was charged goes first.
  await undo(sim, body.id)
  expect((await inOrder()).map(([, , , bytes, micros]) => [bytes, micros])).toEqual([
    [3_000_000, 0],
    [0, 0],
  ])
})

test('of a session it is the share that the bytes have; what is added is not rounded up; of a closed month it is an adjustment of today', async () => {
  await payBy('session', 1_000_000)
  const sim = await newSim()
  await use(sim, '2026-11-20T08:30:00Z', 1_500_000)
  expect(await chargesOf(sim)).toEqual([['11-20', false, '262-01', 1_500_000, 200_000]])
  await correct(sim, { bytes_up: -750_000 })
  expect(await chargesOf(sim)).toEqual([['11-20', false, '262-01', 750_000, 100_000]])
  await correct(sim, { bytes_up: 250_000 })
  expect(await chargesOf(sim)).toEqual([['11-20', false, '262-01', 1_000_000, 125_000]])
  await setClock('2026-12-05T12:00:00Z')
  await correct(sim, { bytes_up: -500_000 })
  expect(await chargesOf(sim)).toEqual([
    ['11-20', false, '262-01', 1_000_000, 125_000],
    ['12-05', true, '262-01', -500_000, -62_500],
  ])
})

test('what was added to a closed month and is taken back again costs nothing, once', async () => {
  await loadNetworks(house.db)
  await payBy('session', 1000)
  const sim = await newSim()
  await setClock('2026-12-07T12:00:00Z')
  // 0.10 on another day: it stays.
  await use(sim, '2026-12-07T08:30:00Z', 1_000_000)
  const total = async () => (await chargesOf(sim)).reduce((sum, row) => sum + Number(row[4]), 0)
  const { body } = await correct(sim, { bytes_up: 250_000_000, mccmnc: '262-01' })
  expect(await total()).toBe(25_100_000)
  await setClock('2026-12-08T12:00:00Z')
  await undo(sim, body.id)
  expect(await total()).toBe(100_000)
  const again = await correct(sim, { bytes_up: 100_000_000, mccmnc: '262-01' })
  expect(await total()).toBe(10_100_000)
  await undo(sim, again.body.id)
  expect(await total()).toBe(100_000)
})

test('what was used through several midnights and reported after them is given back on all of its days, the last first', async () => {
  await payBy('session', 1)
  const sim = await newSim()
  await setClock('2026-12-12T12:00:00Z')
  const report = async (acct_session_id: string, event_at: string, session_time: number, counter_up: number) => {
    const told = {
      acct_session_id,
      event_at: Date.parse(event_at),
      session_time,
      mccmnc: '262-01',
      rat: 'LTE',
      counter_up,
      counter_down: 0,
    }
    expect(await stored(house, readingOf(house, sim, told))).toBe(true)
    await rollUpAll(house.app)
  }
  // Reported on its own day: it stays.
  await report('short', '2026-12-09T12:00:00Z', 600, 1_000_000)
  await report('long', '2026-12-12T12:00:00Z', 48 * 3600, 4_000_000)
  const day9 = ['12-09', false, '262-01', 1_000_000, 100_000]
  expect(await chargesOf(sim)).toEqual([
    day9,
    ['12-10', false, '262-01', 1_000_000, 100_000],
    ['12-11', false, '262-01', 2_000_000, 200_000],
    ['12-12', false, '262-01', 1_000_000, 100_000],
  ])
  await correct(sim, { day: '2026-12-12', bytes_up: -3_500_000, mccmnc: '262-01' })
  expect(await chargesOf(sim)).toEqual([
    day9,
    ['12-10', false, '262-01', 500_000, 50_000],
    ['12-11', false, '262-01', 0, 0],
    ['12-12', false, '262-01', 0, 0],
  ])
  await correct(sim, { day: '2026-12-12', bytes_up: -500_000, mccmnc: '262-01' })
  expect((await chargesOf(sim)).map((row) => row[4])).toEqual([100_000, 0, 0, 0])
})

test('what was reported at midnight is given back on the day before, where all of it was used', async () => {
  await payBy('session', 1)
  const sim = await newSim()
  await setClock('2026-12-13T12:00:00Z')
  const reported = { event_at: Date.parse('2026-12-13T00:00:00Z'), session_time: 600, mccmnc: '262-01', rat: 'LTE' }
  const counted = { acct_session_id: 'until midnight', counter_up: 1_000_000, counter_down: 0 }
  expect(await stored(house, readingOf(house, sim, { ...reported, ...counted }))).toBe(true)
  await rollUpAll(house.app)
  expect(await chargesOf(sim)).toEqual([['12-12', false, '262-01', 1_000_000, 100_000]])
  await correct(sim, { day: '2026-12-13', bytes_up: -400_000, mccmnc: '262-01' })
  expect(await chargesOf(sim)).toEqual([['12-12', false, '262-01', 600_000, 60_000]])
})
