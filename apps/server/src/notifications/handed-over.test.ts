import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerAsset } from '@masthead/contract/assets/operations'
import { releaseAsset } from '@masthead/contract/assets/sim-operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { eraseClosed } from '../account/closing/erase-account.ts'
import { chainEvents } from '../activities/chain-events.ts'
import { addAsset } from '../assets/test-stock.ts'
import { resolveEndedCauses } from './ended-causes.ts'
import { notifyOfWaiting } from './handed-over.ts'

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

const handOver = async (from: Person, to: string) => {
  const { id, serial } = await addAsset(house, from)
  const { status, text } = await from.call(releaseAsset, { params: { asset_id: id }, body: { to, serial } })
  expect(status, text).toBeLessThan(300)
  await house.settle()
  return serial
}
const titles = async (who: Person) => (await who.call(listAlerts, {})).body.items.map(({ title, state }) => `${state} ${title}`)

test('whose address nobody has confirmed is not notified until it is; who registers it later is then, too', async () => {
  const ada = await house.newOwner()
  const bob = await house.newOwner('bob', { proved: false })
  await handOver(ada, bob.email)
  await handOver(ada, 'later@example.test')
  await notifyOfWaiting(house.app)
  expect(await titles(bob)).toEqual([])
  const cleo = await house.newOwner('cleo')
  await house.db.updateTable('person').set({ email: 'later@example.test' }).where('account_id', '=', cleo.account_id).execute()
  const proved = { email_proven_at: house.clock.now(), email_proven_by: 'staff' as const }
  await house.db.updateTable('person').set(proved).where('account_id', '=', bob.account_id).execute()
  for (const _ of [1, 2]) await notifyOfWaiting(house.app)
  for (const who of [bob, cleo]) expect(await titles(who)).toEqual(['open Assets were handed over to you'])
  await resolveEndedCauses(house.app)
  expect(await titles(bob)).toEqual(['open Assets were handed over to you'])
})

test('what comes back as an account is erased is said to whoever handed it over; it is free where they are gone, too', async () => {
  const [ada, bob, cleo] = [await house.newOwner('ada', { proved: false }), await house.newOwner(), await house.newOwner()]
  const [one, other] = [await handOver(ada, bob.email), await handOver(cleo, bob.email)]
  for (const { account_id } of [cleo, bob]) {
    const closed_at = house.clock.now()
    // Over by the clock of the database as well, which the tests before did not advance.
    const erase_at = new Date(closed_at.getTime() - 3_600_000)
    await house.db.updateTable('account').set({ closed_at, erase_at }).where('id', '=', account_id).execute()
    while (await chainEvents(house.app));
    await eraseClosed(house.app)
  }
  await notifyOfWaiting(house.app)
  expect(await titles(ada)).toEqual(['open Assets that you handed over came back'])
  const stock = house.db.selectFrom('inventory').select(['serial', 'reserved_for']).where('serial', 'in', [one, other])
  expect(new Map((await stock.execute()).map(({ serial, reserved_for }) => [serial, reserved_for]))).toEqual(
    new Map([
      [one, ada.email],
      [other, null],
    ])
  )
  expect((await ada.call(registerAsset, { body: { token: one } })).status).toBe(200)
  await resolveEndedCauses(house.app)
  expect(await titles(ada)).toEqual(['resolved Assets that you handed over came back'])
})
