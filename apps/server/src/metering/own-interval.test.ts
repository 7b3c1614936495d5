import { expect, test } from 'vitest'
import { listEnforcements, getEnforcement } from '@masthead/contract/assets/enforcement-operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { codes } from '@masthead/radius/packet'
import { confirmCuts } from '../datapools/test-pooled-house.ts'
import { openMeteredHouse, packetOf } from './test-network.ts'

const interval = 900 // s: longer than what the gateway is asked for
const each = 3000 // bytes in an interval

test('of a gateway that keeps to an interval of its own, silence is judged by that, and a limit is overshot by at most what it brings', async () => {
  await using house = await openMeteredHouse()
  confirmCuts(house)
  const sim = await house.newSim({ limit_bytes: 10_000 })
  const isSilent = async () => (await house.owner.call(getAsset, { params: { asset_id: sim.asset_id } })).body.sim!.session?.silent
  await house.client.account(packetOf(sim, 'start', { time: 0, up: 0 }))
  for (const n of [1, 2, 3]) {
    house.clock.advance({ seconds: interval })
    await house.client.account(packetOf(sim, 'interim', { time: n * interval, up: n * each }))
    expect((await house.sessionsOf(sim))[0]!.interim_seconds).toBe(interval)
  }
  // Four of the intervals that it was asked for.
  house.clock.advance({ seconds: 1200 })
  expect(await isSilent()).toBe(false)
  house.clock.advance({ seconds: 3 * interval - 1200 + 1 })
  expect(await isSilent()).toBe(true)
  await house.client.account(packetOf(sim, 'interim', { time: 6 * interval, up: 3 * each + 100 }))
  // It was away, and may go on as before: no gap is believed to be an interval of more than half an hour.
  expect((await house.sessionsOf(sim))[0]!.interim_seconds).toBe(1800)
  house.clock.advance({ seconds: interval })
  await house.client.account(packetOf(sim, 'interim', { time: 7 * interval, up: 4 * each }))
  await house.settle()
  expect((await house.client.access({ imsi: sim.imsi })).code).toBe(codes.access_reject)
  const { items } = (await house.owner.call(listEnforcements)).body
  const proof = (await house.owner.call(getEnforcement, { params: { enforcement_id: items[0]!.id } })).body
  expect(proof).toMatchObject({ limit_bytes: 10_000, used_bytes: 12_000, overshoot_bytes: 2000, answer: 'ack' })
  expect(proof.overshoot_bytes).toBeLessThanOrEqual(each)
  // A Stop right after the last report says nothing of the interval.
  expect(proof.session!.interim_seconds).toBe(interval)
})
