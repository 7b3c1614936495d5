import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerAsset } from '@masthead/contract/assets/operations'
import { releaseAsset } from '@masthead/contract/assets/sim-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'
import { resolveEndedCauses } from './ended-causes.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('who assets are handed over to is notified, once for all that wait, until they are registered', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  const [first, second, third] = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const handOver = async ({ id, serial }: { id: string; serial: string }, to: string | null) => {
    house.clock.advance({ seconds: 1 })
    const { status, text } = await ada.call(releaseAsset, { params: { asset_id: id }, body: { to, serial } })
    expect(status, text).toBeLessThan(300)
    await house.settle()
  }
  const alerts = async (who: Person) =>
    (await who.call(listAlerts, {})).body.items.filter(({ title }) => title === 'Assets were handed over to you')
  await handOver(first, null)
  expect(await alerts(bob)).toEqual([])
  await handOver(second, bob.email)
  const [alert] = await alerts(bob)
  expect(alert).toMatchObject({ state: 'open', link: '/assets', count: 1 })
  expect(alert!.words).toContain('1 asset waits')
  await handOver(third, bob.email)
  expect(await alerts(bob)).toMatchObject([{ id: alert!.id, state: 'open', count: 2 }])
  expect((await alerts(bob))[0]!.words).toContain('2 assets wait')
  expect(await alerts(ada)).toEqual([])
  expect((await bob.call(registerAsset, { body: { token: second.serial } })).status).toBe(200)
  await resolveEndedCauses(house.app)
  expect(await alerts(bob)).toMatchObject([{ state: 'open' }])
  expect((await bob.call(registerAsset, { body: { token: third.serial } })).status).toBe(200)
  await resolveEndedCauses(house.app)
  expect(await alerts(bob)).toMatchObject([{ state: 'resolved' }])
})

test('an address that nobody has registered is handed assets, and nobody is notified', async () => {
  const ada = await house.newOwner()
  const { id, serial } = await addAsset(house, ada)
  const body = { to: 'nobody-yet@example.test', serial }
  expect((await ada.call(releaseAsset, { params: { asset_id: id }, body })).status).toBeLessThan(300)
  await house.settle()
  const open = house.db.selectFrom('alert').select('cause').where('cause', '=', 'handed_over:').where('resolved_at', 'is', null)
  expect(await open.execute()).toEqual([])
})
