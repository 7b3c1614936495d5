import { describe, expect, test } from 'vitest'
import { listStays } from '@masthead/contract/assets/place-operations'
import { openHouse } from '@masthead/testkit/house'
import { keepConnectionEvents, prepareMetering } from '../../metering/index.ts'
import { addAsset, addSession } from '../test-stock.ts'
import { staysOf, type Seen } from './list-stays.ts'

const seen = (mccmnc: string, cell: string | null, since: number, until = since, rat: string | null = 'EUTRAN'): Seen => ({
  mccmnc,
  rat,
  cell,
  since: new Date(since),
  until: new Date(until),
})

describe('reports as stays', () => {
  test('what follows from the same network and cell is one, from its first report to its last', () => {
    expect(staysOf([seen('262-01', 'a', 30, 40), seen('262-01', 'a', 10, 20), seen('262-01', 'b', 5)])).toEqual([
      seen('262-01', 'a', 10, 40),
      seen('262-01', 'b', 5),
    ])
  })
  test('a report without a cell or a technology says nothing against the one before', () => {
    expect(staysOf([seen('262-01', null, 30, 30, null), seen('262-01', 'a', 10, 20)])).toEqual([seen('262-01', 'a', 10, 30)])
  })
  test('one who comes back was there twice', () => {
    const there = [seen('262-01', 'a', 30), seen('208-01', 'c', 20), seen('262-01', 'a', 10)]
    expect(staysOf(there)).toEqual(there)
  })
})

test('an asset with sessions and what a feed reported of it, in 30 days, newest first', async () => {
  await using house = await openHouse()
  const ada = await house.newOwner()
  const asset = await addAsset(house, ada, { name: 'buoy' })
  const now = house.clock.now().getTime()
  const ago = (hours: number) => new Date(now - hours * 3_600_000)
  const run = (from: number, to: number, changes: object) =>
    addSession(house, asset, ada.account_id, {
      started_at: ago(from),
      updated_at: ago(to),
      heard_at: ago(to),
      ended_at: ago(to),
      ...changes,
    })
  await run(24 * 40, 24 * 35, { mccmnc: '234-15' })
  await run(30, 20, { mccmnc: '262-01', cell: 'tai_ecgi 262-01 1 2' })
  await run(10, 2, { mccmnc: '208-01', cell: 'tai_ecgi 208-01 3 4' })
  await run(1, 1, { mccmnc: null })
  await prepareMetering(house.app)
  const event = (kind: 'network_changed' | 'accepted', hours: number, mccmnc: string) => ({
    account_id: ada.account_id,
    sim_id: asset.sim!.id,
    asset_id: asset.id,
    kind,
    key: `${hours}`,
    at: ago(hours).getTime(),
    words: null,
    mccmnc,
    rat: null,
    gateway: null,
    before: null,
    after: null,
  })
  await house.db
    .transaction()
    .execute((tx) => keepConnectionEvents(tx, [event('network_changed', 6, '208-01'), event('accepted', 0.5, '260-06')]))
  const { body } = await ada.call(listStays, { params: { asset_id: asset.id } })
  expect(body.items.map(({ network, cell, since, until }) => [network.country, cell, since, until])).toEqual([
    ['PL', null, ago(0.5).toISOString(), ago(0.5).toISOString()],
    // On another network before it changed: where that was, nobody reported.
    ['FR', 'tai_ecgi 208-01 3 4', ago(6).toISOString(), ago(2).toISOString()],
    ['DE', 'tai_ecgi 262-01 1 2', ago(30).toISOString(), ago(20).toISOString()],
  ])
  expect(body.more).toBe(false)
})
