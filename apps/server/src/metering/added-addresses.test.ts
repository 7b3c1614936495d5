import { expect, test } from 'vitest'
import type { Attributes } from '@masthead/radius/dictionary'
import { type TestSim, openGateway, openMeteredHouse, packetOf } from './test-network.ts'

test('a session that reports first from an address which came to its gateway later brings a baseline, but not one that is known there already', async () => {
  await using house = await openMeteredHouse()
  const [paired, weeks, fine] = [await house.newSim(), await house.newSim(), await house.newSim()]
  const at = Math.floor(house.clock.now().getTime() / 1000)
  const began = (sim: TestSim, id: string, time: number, up: number, more: Attributes = {}) =>
    packetOf(sim, 'interim', { id, time, up, down: 0, at, ...more })
  const { gateway_id } = await house.db
    .selectFrom('gateway_address')
    .select('gateway_id')
    .where('address', '=', '127.0.0.1')
    .executeTakeFirstOrThrow()
  const other = await openGateway(house)
  await house.db
    .updateTable('gateway_address')
    .set({ gateway_id, created_at: new Date((at - 3600) * 1000) })
    .where('address', '=', '127.0.0.7')
    .execute()
  await expect.poll(() => house.meter.gateways.byAddress('127.0.0.7')?.id, { timeout: 20_000 }).toBe(gateway_id)
  await house.client.account(began(paired, 'pair', 3700, 100))
  await other.account(began(paired, 'pair', 3760, 150, { event_timestamp: at + 60 }))
  await other.account(began(weeks, 'weeks', 3700, 700_000))
  await other.account(began(fine, 'fine', 3500, 2000))
  const counters = [await house.counter(paired), await house.counter(weeks), await house.counter(fine)]
  expect(counters.map((counter) => counter?.lifetime_up ?? 0)).toEqual([150, 0, 2000])
  const kept = await house.db.selectFrom('quarantine').selectAll().execute()
  expect(kept).toMatchObject([
    { acct_session_id: 'weeks', kind: 'uncounted', counter_up: 700_000, reason: expect.stringContaining('before the address') },
  ])
  other.close()
})
