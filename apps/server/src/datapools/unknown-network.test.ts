import { expect, test } from 'vitest'
import { correctUsage, undoCorrection } from '@masthead/contract/backoffice/correction-operations'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { packetOf } from '../metering/test-network.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { join, openPooledHouse, poolOf, week } from './test-pooled-house.ts'
import { putPool, putZones } from './test-pools.ts'

const germany = '262-01'
const usa = '310-260'

test('what was added on a day of no known network is given back, whichever network was used since', async () => {
  await using house = await openPooledHouse()
  await putZones(house, { [germany]: 'Europe', [usa]: 'America' })
  const sim = await house.newSim()
  const pools = [
    await putPool(house, house.owner, { ...week, zone: 'Europe', size_bytes: 10_000 }),
    await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 10_000 }),
  ]
  for (const pool_id of pools) await join(house, pool_id, [sim])
  const report = async (id: string, network: string, up: number) => {
    house.clock.advance({ minutes: 1 })
    await house.client.account(packetOf(sim, 'interim', { id, time: 30, up, sgsn_mccmnc: network.replace('-', '') }))
    await rollUpAll(house.app)
  }
  const used = async () => [(await poolOf(house, pools[0]!)).used_bytes, (await poolOf(house, pools[1]!)).used_bytes]
  const correct = async (bytes_up: number) => {
    const body = { day: house.clock.now().toISOString().slice(0, 10), bytes_up, bytes_down: 0, reason: 'A ticket' }
    const staff = await enterStaff(house)
    const { status, text, body: made } = await staff.call(correctUsage, { params: { any_asset_id: sim.asset_id }, body })
    expect(status, text).toBe(200)
    return made
  }
  const undo = async (correction_id: string) => {
    const staff = await enterStaff(house)
    const asked = { params: { any_asset_id: sim.asset_id, correction_id }, body: { reason: 'A mistake' } }
    const { status, text, body } = await staff.call(undoCorrection, asked)
    expect(status, text).toBe(200)
    return body
  }
  await report('a', germany, 500)
  house.clock.set('2026-11-21T13:00:00Z')
  await correct(3000)
  await report('b', usa, 100)
  expect(await used()).toEqual([3500, 100])
  // First what was used in America by its pool, and what is of any network by what is left. Undone, each pool has it again.
  const subtracted = await correct(-3100)
  expect(await used()).toEqual([500, 0])
  const again = await undo(subtracted.id)
  expect(await used()).toEqual([3500, 100])
  await undo(again.id)
  expect(await used()).toEqual([500, 0])
  await report('c', germany, 10)
  house.clock.set('2026-11-22T13:00:00Z')
  const { id: correction_id } = await correct(3000)
  await report('d', usa, 100)
  expect(await used()).toEqual([3510, 100])
  await undo(correction_id)
  expect(await used()).toEqual([510, 100])
})
