import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeAccount } from '@masthead/contract/account/closing-operations'
import { createApiKey } from '@masthead/contract/developers/operations'
import { claimDevice } from '@masthead/contract/devices/agent/device-operations'
import { makeClaimCode } from '@masthead/contract/devices/agent/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'
import { hashPassword } from '../../auth/index.ts'
import { password } from '../test-person.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const somebodyWaits = () => expect.poll(async () => (await waiting.execute(house.db)).rows.length).toBeGreaterThan(0)

async function newCustomer(name: string) {
  const owner = await house.newOwner(name)
  const password_hash = await hashPassword(password)
  await house.db.updateTable('person').set({ password_hash }).where('email', '=', owner.email).execute()
  return owner
}

test('what the owner has under way in another window while they close it is refused', async () => {
  const owner = await house.newOwner('two windows')
  const [closed, write] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The key is checked by its operation, its row waits for the account.
  const closing = house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('account').select('id').where('id', '=', owner.account_id).forUpdate().execute()
    await tx
      .updateTable('account')
      .set({ closed_at: house.clock.now(), erase_at: house.clock.now() })
      .where('id', '=', owner.account_id)
      .execute()
    closed.resolve()
    await write.promise
  })
  await closed.promise
  const under = owner.call(createApiKey, { body: { name: 'Late', scopes: ['assets.view'] } })
  await somebodyWaits()
  write.resolve()
  await closing
  expect(await under).toMatchObject({ status: 409, body: { code: 'account_closed' } })
  const keys = await house.db.selectFrom('api_key').select('id').where('account_id', '=', owner.account_id).execute()
  expect(keys).toEqual([])
})

test('closing waits for what is under way on the account, and holds nothing that it needs', async () => {
  const { account_id, email, call } = await newCustomer('three windows')
  // In an object, because a transaction would wait for a promise that it gives.
  const { closing } = await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
    const closing = call(closeAccount, { body: { password, confirmation: email } })
    await somebodyWaits()
    // As whoever writes a row that names its maker.
    await sql`select from person where email = ${email} for key share`.execute(tx)
    return { closing }
  })
  expect((await closing).status).toBe(200)
})

test('a claim code that was made before sets up no device of a closed account', async () => {
  const owner = await newCustomer('claimed')
  const { id: asset_id } = await addAsset(house, owner)
  const { code } = (await owner.call(makeClaimCode, { params: { asset_id } })).body
  expect((await owner.call(closeAccount, { body: { password, confirmation: owner.email } })).status).toBe(200)
  expect(await house.anyone.call(claimDevice, { body: { code } })).toMatchObject({ status: 404, body: { code: 'claim_code_unknown' } })
})
