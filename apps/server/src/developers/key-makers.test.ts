import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getAccount } from '@masthead/contract/account/operations'
import { listAssets } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/developers/operations'
import { createTag, deleteTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'
import { newKey } from './test-keys.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const memberRow = (account_id: string, email: string) =>
  house.db
    .updateTable('membership')
    .where('account_id', '=', account_id)
    .where('person_id', '=', (eb) => eb.selectFrom('person').select('id').where('email', '=', email))

describe('the maker of a key', () => {
  test('gives it no more than they have', async () => {
    const ada = await house.newOwner()
    const tag = (await ada.call(createTag, { body: { name: 'north' } })).body.id
    const other = (await ada.call(createTag, { body: { name: 'south' } })).body.id
    const member = await house.newMember(ada, ['developers.view', 'developers.edit', 'assets.view'], [tag])
    const make = (body: object) => member.call(ops.createApiKey, { body: { name: 'x', scopes: ['assets.view'], ...body } as never })
    const beyond = { status: 403, body: { code: 'api_key_beyond_you' } }
    expect(await make({ scopes: ['assets.view', 'billing.view'] })).toMatchObject(beyond)
    expect(await make({ tags: [other] })).toMatchObject({ body: { code: 'tag_unknown' } })
    expect((await make({})).body).toMatchObject({ tags: [{ id: tag, name: 'north' }] })
    const wide = await newKey(house, ada, ['assets.view'])
    const strong = await newKey(house, ada, ['assets.view', 'billing.view'], { tags: [tag] })
    for (const op of [ops.getApiKey, ops.updateApiKey, ops.rotateApiKey, ops.disableApiKey, ops.enableApiKey, ops.deleteApiKey])
      expect([op.name, (await member.call(op, { params: { api_key_id: wide.id }, body: {} } as never)).status]).toEqual([op.name, 404])
    for (const op of [ops.updateApiKey, ops.rotateApiKey, ops.enableApiKey])
      expect(await member.call(op, { params: { api_key_id: strong.id }, body: {} } as never)).toMatchObject(beyond)
    expect((await member.call(ops.listApiKeys)).body.items.map(({ id }) => id)).not.toContain(wide.id)
    expect(await member.call(ops.disableApiKey, { params: { api_key_id: strong.id } })).toMatchObject({ status: 200 })
  })

  test('loses it what they lose, at the next call', async () => {
    const ada = await house.newOwner()
    const north = (await ada.call(createTag, { body: { name: 'north' } })).body.id
    const south = (await ada.call(createTag, { body: { name: 'south' } })).body.id
    const [inNorth, inSouth] = [await addAsset(house, ada, { tags: [north] }), await addAsset(house, ada, { tags: [south] })]
    const member = await house.newMember(ada, ['developers.view', 'developers.edit', 'assets.view', 'usage.view'])
    const key = await newKey(house, member, ['assets.view', 'usage.view'])
    const southern = await newKey(house, member, ['assets.view'], { tags: [south] })
    const seen = async (by: typeof key) => (await by.call(listAssets)).body as { items: { id: string }[]; total: number }
    expect((await seen(key)).total).toBe(2)
    expect((await seen(southern)).items.map(({ id }) => id)).toEqual([inSouth.id])
    await memberRow(ada.account_id, member.email)
      .set({ tags: [north] })
      .execute()
    expect((await seen(key)).items.map(({ id }) => id)).toEqual([inNorth.id])
    expect((await seen(southern)).total).toBe(0)
    await memberRow(ada.account_id, member.email)
      .set({ permissions: ['usage.view'] })
      .execute()
    expect(await key.call(listAssets)).toMatchObject({ status: 403 })
    expect((await ada.call(ops.getApiKey, { params: { api_key_id: key.id } })).body).toMatchObject({ lost_scopes: ['assets.view'] })
    await house.db.deleteFrom('membership').where('account_id', '=', ada.account_id).execute()
    expect(await key.call(getAccount)).toMatchObject({ status: 401, body: { detail: expect.stringContaining('no longer a member') } })
  })

  test('may be a key, which keeps what it makes within its own limits', async () => {
    const ada = await house.newOwner()
    const end = new Date(house.clock.now().getTime() + 3_600_000).toISOString()
    const limits = { addresses: ['127.0.0.0/8'], expires_at: end, calls_per_minute: 60 }
    const parent = await newKey(house, ada, ['assets.view', 'developers.edit', 'developers.view'], limits)
    const make = (body: object) =>
      parent.call(ops.createApiKey, { body: { name: 'child', scopes: ['assets.view'], ...limits, ...body } as never })
    expect(await make({ addresses: ['127.0.0.1'] })).toMatchObject({ status: 200, body: { created_by: ada.email } })
    expect(await make({ scopes: ['usage.view'] })).toMatchObject({
      status: 403,
      body: { code: 'api_key_beyond_you', fields: { scopes: expect.anything() } },
    })
    expect(await make({ addresses: [] })).toMatchObject({ status: 403, body: { fields: { addresses: expect.anything() } } })
    expect(await make({ addresses: ['126.0.0.0/7'] })).toMatchObject({ status: 403, body: { fields: { addresses: expect.anything() } } })
    expect(await make({ expires_at: null })).toMatchObject({ status: 403, body: { fields: { expires_at: expect.anything() } } })
    expect(await make({ calls_per_minute: 61 })).toMatchObject({ status: 403, body: { fields: { calls_per_minute: expect.anything() } } })
    const busy = await newKey(house, ada, ['assets.view'], { ...limits, calls_per_minute: 61 })
    const params = { api_key_id: busy.id }
    expect(await parent.call(ops.rotateApiKey, { params, body: {} })).toMatchObject({ status: 403, body: { code: 'api_key_beyond_you' } })
    const wide = await newKey(house, ada, ['assets.view'])
    expect(await parent.call(ops.rotateApiKey, { params: { api_key_id: wide.id }, body: {} })).toMatchObject({ status: 403 })
  })

  test('sees a deleted tag of a key named as gone, and the key no asset', async () => {
    const ada = await house.newOwner()
    const tag = (await ada.call(createTag, { body: { name: 'gone' } })).body.id
    await addAsset(house, ada, { tags: [tag] })
    const key = await newKey(house, ada, ['assets.view'], { tags: ['gone'] })
    expect((await key.call(listAssets)).body).toMatchObject({ total: 1 })
    await ada.call(deleteTag, { params: { tag_id: tag } })
    expect((await key.call(listAssets)).body).toMatchObject({ total: 0 })
    expect((await ada.call(ops.getApiKey, { params: { api_key_id: key.id } })).body.tags).toEqual([{ id: tag, name: null }])
  })
})
