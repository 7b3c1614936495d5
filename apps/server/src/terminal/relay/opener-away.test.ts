import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTerminal } from '@masthead/contract/terminal/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { mayStill } from '../may-still.ts'
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
  const { owner, asset_id, open } = await putTestDevice(house, address)
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
  const demandFactor = async () => {
    await prove(owner)
    await house.db
      .updateTable('account')
      .set({ second_factor_demanded_at: house.clock.now() } as never)
      .where('id', '=', owner.account_id)
      .execute()
  }
  const person_id = await idOf(member)
  const may = () => mayStill(house.db, { account_id: owner.account_id, person_id, asset_id }, openTerminal, house.clock.now())
  return { member, person_id, window, beside, you, takeAway, demandFactor, may }
}

const idOf = async ({ email }: Person) =>
  (await house.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

/** Somebody has a second factor, and proved it in their sessions. */
async function prove(person: Person) {
  const at = house.clock.now()
  const person_id = await idOf(person)
  await house.db.insertInto('authenticator').values({ person_id, sealed_secret: 'encrypted', started_at: at, confirmed_at: at }).execute()
  await house.db.updateTable('session').set({ two_factors_at: at }).where('person_id', '=', person_id).execute()
}

test('a terminal ends when who opened it may not open it any more, also while their window is away', async () => {
  const { window, beside, takeAway } = await openWatched()
  window.socket.terminate()
  await beside.message('who', ({ people }) => people.length === 1)
  await takeAway()
  expect(await soon('The end without the permission', beside.message('ended'))).toMatchObject({ reason: 'not_allowed' })
}, 60_000)

test('the same where the account demands a second factor meanwhile, which they did not prove', async () => {
  const { member, person_id, window, beside, demandFactor, may } = await openWatched()
  await prove(member)
  window.socket.terminate()
  await beside.message('who', ({ people }) => people.length === 1)
  await demandFactor()
  expect(await may()).toBe(true)
  await house.db.updateTable('session').set({ two_factors_at: null }).where('person_id', '=', person_id).execute()
  expect(await may()).toBe(false)
  expect(await soon('The end without a second factor', beside.message('ended'))).toMatchObject({ reason: 'not_allowed' })
}, 60_000)

test('the same while another one types', async () => {
  const { window, beside, you, takeAway } = await openWatched()
  window.say({ t: 'give', to: you })
  await beside.message('who', ({ people }) => people.some(({ id, types }) => types && id === you))
  await takeAway()
  expect(await soon('The end without the permission', beside.message('ended'))).toMatchObject({ reason: 'not_allowed' })
}, 60_000)
