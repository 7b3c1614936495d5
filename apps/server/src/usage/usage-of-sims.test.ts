import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { exportTotalUsage, getTotalUsage } from '@masthead/contract/usage/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { addSession } from '../assets/test-stock.ts'
import { openBilling } from '../billing/ledger/test-ledger.ts'
import { addAsset, addNetworks, addUsage } from './test-usage.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
  house.clock.set('2026-11-21T14:31:48Z')
})
afterAll(() => house[Symbol.asyncDispose]())

test('the usage of SIMs says how much of it was charged, of whole days of an account that is', async () => {
  const owner = await house.newOwner()
  const { account_id } = owner
  await addNetworks(house)
  const [truck, pooled] = [await addAsset(house, owner, { name: 'truck' }), await addAsset(house, owner, { name: 'pooled' })]
  await addUsage(house, owner, [
    { sim_id: truck.sim_id, hour: '2026-11-02T09:00:00Z', up: 900, down: 0 },
    { sim_id: truck.sim_id, hour: '2026-11-20T09:00:00Z', up: 300, down: 0 },
    { sim_id: pooled.sim_id, hour: '2026-11-20T09:00:00Z', up: 100, down: 0 },
  ])
  const ask = async (query: object = {}) => {
    const { items } = (await owner.call(getTotalUsage, { query })).body
    return items.map(({ label, billed_bytes }) => [label, billed_bytes])
  }
  expect(await ask()).toEqual([
    ['truck', null],
    ['pooled', null],
  ])
  await openBilling(house, account_id)
  const charge = (day: string, billed: number) =>
    sql`insert into charge (account_id, sim_id, day, tariff_id, number, from_day, zone_id, source, mccmnc, is_late, price_micros, bytes, billed_bytes,
        charged_micros, used_from, used_to) values (${account_id}, ${truck.sim_id}, ${day}, 'trf', 1, '2026-01-01', 'EU1', 'payg', '262-01', false, 1, 1, ${billed},
        1, ${`${day}T11:00:00Z`}, ${`${day}T11:00:00Z`})`.execute(house.db)
  await charge('2026-10-31', 4096)
  await charge('2026-11-02', 1024)
  await charge('2026-11-20', 512)
  expect(await ask()).toEqual([
    ['truck', 1536],
    ['pooled', 0],
  ])
  const day = { start: '2026-11-20T00:00:00Z', end: '2026-11-21T00:00:00Z' }
  expect(await ask(day)).toEqual([
    ['truck', 512],
    ['pooled', 0],
  ])
  const hours = { start: '2026-11-20T08:00:00Z', end: '2026-11-20T12:00:00Z', interval: 'hour' }
  expect((await ask(hours))[0]).toEqual(['truck', null])
  expect((await ask({ group_by: 'network' }))[0]![1]).toBeNull()
  const lines = (await owner.call(exportTotalUsage, { query: day })).text.split('\r\n')
  expect([
    lines[0]!.split(',').at(-1),
    lines
      .find((line) => line.includes(',truck,'))!
      .split(',')
      .at(-1),
  ]).toEqual(['billed_bytes', '512'])
})

test('the usage of SIMs says how many sessions they began in the period; a record of a feed is none', async () => {
  const owner = await house.newOwner()
  const [truck, fed] = [await addAsset(house, owner, { name: 'truck' }), await addAsset(house, owner, { name: 'fed' })]
  await addUsage(house, owner, [
    { sim_id: truck.sim_id, hour: '2026-11-20T09:00:00Z', up: 900, down: 0 },
    { sim_id: fed.sim_id, hour: '2026-11-20T09:00:00Z', up: 100, down: 0 },
  ])
  const begin = ({ asset_id, sim_id }: typeof truck, started_at: string, more = {}) =>
    addSession(house, { id: asset_id, sim: { id: sim_id, imsi: null } } as Asset, owner.account_id, {
      started_at: new Date(started_at),
      ...more,
    })
  for (const at of ['2026-10-31T23:59:59Z', '2026-11-01T00:00:00Z', '2026-11-20T09:00:00Z']) await begin(truck, at)
  const { gateway_id } = await begin(truck, '2026-12-01T00:00:00Z')
  await begin(fed, '2026-11-20T09:00:00Z', { nas: gateway_id })
  const items = async (query: object) =>
    (await owner.call(getTotalUsage, { query })).body.items.map(({ label, sessions }) => [label, sessions])
  expect(await items({})).toEqual([
    ['truck', 2],
    ['fed', 0],
  ])
  expect((await items({ group_by: 'network' }))[0]![1]).toBeNull()
})
