import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAsset, getSimUsages, listAssetSessions } from '@masthead/contract/assets/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { prepareMetering } from '../../metering/index.ts'
import { addUsage } from '../../usage/test-usage.ts'
import { addAsset, addSession } from '../test-stock.ts'

let house: House
let ada: Person
let asset: Asset
beforeAll(async () => {
  house = await openHouse()
})
beforeEach(async () => {
  house.clock.set('2026-03-18T10:20:30Z')
  ada = await house.newOwner()
  asset = await addAsset(house, ada)
})
afterAll(() => house[Symbol.asyncDispose]())

/** Bytes up of the asset's SIM in an hour; twice as many down. */
const use = (hour: string, up: number, { mccmnc = '262-01', sim_id = asset.sim!.id } = {}) =>
  addUsage(house, ada, [{ sim_id, hour, up, down: 2 * up, mccmnc }])
const usages = (query: Record<string, string> = {}) => ada.call(getSimUsages, { params: { asset_id: asset.id }, query })

test('without a period: the days of this month that have begun, zeros where nothing was used', async () => {
  await use('2026-03-02T05:00:00Z', 10)
  await use('2026-03-02T06:00:00Z', 5)
  await use('2026-03-02T06:00:00Z', 1, { mccmnc: '208-01' })
  await use('2026-02-28T23:00:00Z', 100)
  const { status, body } = await usages()
  expect(status).toBe(200)
  expect(body.items).toHaveLength(18)
  expect(body.items[0]).toEqual({ at: '2026-03-01T00:00:00.000Z', bytes_up: 0, bytes_down: 0 })
  expect(body.items[1]).toEqual({ at: '2026-03-02T00:00:00.000Z', bytes_up: 16, bytes_down: 32 })
  expect(body).toMatchObject({ bytes_up: 16, bytes_down: 32, complete_until: null })
})

test('what was reported more than an hour late is shown where it was used', async () => {
  await prepareMetering(house.app)
  const record = (event_at: string, received_at: string, bytes: number) => ({
    account_id: ada.account_id,
    sim_id: asset.sim!.id,
    session_id: 'ses_1',
    event_at: new Date(event_at),
    received_at: new Date(received_at),
    bytes_up: bytes,
    bytes_down: bytes,
    mccmnc: '262-01',
    rat: 'EUTRAN',
  })
  const soon = record('2026-03-18T09:00:00Z', '2026-03-18T09:00:10Z', 10)
  const late = record('2026-03-17T09:00:00Z', '2026-03-18T09:00:10Z', 20)
  await house.db.insertInto('usage_record').values([soon, late]).execute()
  expect((await usages()).body.late).toEqual([{ at: '2026-03-17T00:00:00.000Z', bytes: 40 }])
})

test('by the hour and by the month, the ends cut to whole intervals', async () => {
  await use('2026-03-17T22:00:00Z', 3)
  await use('2026-03-18T00:00:00Z', 4)
  await use('2026-01-31T23:00:00Z', 50)
  const hours = (await usages({ interval: 'hour', start: '2026-03-17T22:59:59Z', end: '2026-03-18T00:00:01Z' })).body
  expect(hours.items.map(({ at, bytes_up }) => [at.slice(8, 13), bytes_up])).toEqual([
    ['17T22', 3],
    ['17T23', 0],
    ['18T00', 4],
  ])
  const months = (await usages({ interval: 'month', start: '2026-01-15T00:00:00Z' })).body
  expect(months.items.map(({ at, bytes_up }) => [at.slice(0, 7), bytes_up])).toEqual([
    ['2026-01', 50],
    ['2026-02', 0],
    ['2026-03', 7],
  ])
  expect(months).toMatchObject({ bytes_up: 57, bytes_down: 114 })
})

test('all SIMs of the asset count, and no other', async () => {
  const row = { account_id: ada.account_id, asset_id: asset.id, msisdn: null, eid: null, imei: null, state_changed_at: null }
  const second = {
    ...row,
    id: 'sim_second',
    iccid: '8944500000880000012',
    state: 'inactive' as const,
    state_changed_by: null,
    activated_at: null,
  }
  await house.db.insertInto('sim').values(second).execute()
  const other = await addAsset(house, ada)
  await use('2026-03-01T00:00:00Z', 1)
  await use('2026-03-01T00:00:00Z', 2, { sim_id: second.id })
  await use('2026-03-01T00:00:00Z', 4, { sim_id: other.sim!.id })
  expect((await usages()).body.bytes_up).toBe(3)
  // Where there are several, all are shown, and which is in use.
  const { body } = await ada.call(getAsset, { params: { asset_id: asset.id } })
  expect(body).toMatchObject({ sim: { id: asset.sim!.id }, sims: [{ id: asset.sim!.id }, { id: second.id }] })
})

test.each([
  [{ interval: 'hour', start: '2026-01-01T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
  [{ interval: 'day', start: '2024-01-01T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
  [{ interval: 'month', start: '1990-01-01T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
  [{ start: '2026-03-01T00:00:00Z', end: '2026-03-01T00:00:00Z' }],
  [{ start: 'yesterday' }],
  [{ interval: 'week' }],
])('%o is refused', async (query) => {
  expect(await usages(query as never)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
})

test('sessions come newest first, by number and by place', async () => {
  const at = (minutes: number) => new Date(house.clock.now().getTime() - minutes * 60_000)
  for (let i = 0; i < 5; i++) {
    const ended = { ended_at: at(i * 10), end_cause: 'User request', disconnect: null }
    await addSession(house, asset, ada.account_id, { started_at: at(i * 10 + 5), ...(i > 0 && ended) })
  }
  const list = async (query: Record<string, string>) =>
    (await ada.call(listAssetSessions, { params: { asset_id: asset.serial }, query })).body
  const all = await list({})
  expect(all).toMatchObject({ total: 5, total_capped: false, next: null })
  expect(all.items.map((session) => session.started_at)).toEqual([5, 15, 25, 35, 45].map((minutes) => at(minutes).toISOString()))
  expect(all.items[0]).toMatchObject({ iccid: asset.sim!.iccid, gateway: 'Test gateway', ended_at: null, silent: false, end_cause: null })
  expect(all.items[1]).toMatchObject({ ended_at: at(10).toISOString(), silent: false, end_cause: 'User request' })
  const first = await list({ page_size: '2' })
  // A session that begins meanwhile moves nothing.
  await addSession(house, asset, ada.account_id, { started_at: at(0) })
  const second = await list({ page_size: '2', after: first.next! })
  const third = await list({ page_size: '2', after: second.next! })
  expect([...first.items, ...second.items, ...third.items]).toEqual(all.items)
  expect(third.next).toBeNull()
  expect((await list({ page: '2', page_size: '4' })).items).toHaveLength(2)
  expect(await ada.call(listAssetSessions, { params: { asset_id: asset.id }, query: { after: 'x' } })).toMatchObject({ status: 400 })
})

test('a session says how its disconnect went', async () => {
  const disconnect = {
    requested_at: '2026-03-18T10:00:00.000Z',
    answered_at: null,
    attempts: 3,
    answer: 'timeout' as const,
    words: 'No answer',
  }
  await addSession(house, asset, ada.account_id, { disconnect: JSON.stringify(disconnect) })
  expect((await ada.call(listAssetSessions, { params: { asset_id: asset.id } })).body.items[0]!.disconnect).toEqual(disconnect)
})
