import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { putTestDevice } from '../test-device.ts'
import { openWindow, soon } from '../test-terminal.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

async function openWatched() {
  const { owner, open } = await putTestDevice(house, address)
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const { id, window } = await open(member)
  const beside = await openWindow(address, owner, id, { client: 'beside' })
  const { you } = await beside.message('who', ({ people }) => people.length === 2)
  const takeAway = () =>
    house.db
      .updateTable('membership')
      .set({ permissions: ['assets.view'] })
      .where('account_id', '=', owner.account_id)
      .execute()
  return { window, beside, you, takeAway }
}

test('a terminal ends when who opened it may not open it any more, also while their window is away', async () => {
  const { window, beside, takeAway } = await openWatched()
  window.socket.terminate()
  await beside.message('who', ({ people }) => people.length === 1)
  await takeAway()
  expect(await soon('The end without the permission', beside.message('ended'))).toMatchObject({ reason: 'not_allowed' })
}, 60_000)

test('the same while another one types', async () => {
  const { window, beside, you, takeAway } = await openWatched()
  window.say({ t: 'give', to: you })
  await beside.message('who', ({ people }) => people.some(({ id, types }) => types && id === you))
  await takeAway()
  expect(await soon('The end without the permission', beside.message('ended'))).toMatchObject({ reason: 'not_allowed' })
}, 60_000)
