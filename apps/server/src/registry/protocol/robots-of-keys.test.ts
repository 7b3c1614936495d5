import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteApiKey, disableApiKey, enableApiKey, updateApiKey } from '@masthead/contract/developers/operations'
import { createRobot, listRobots } from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { newKey } from '../../developers/test-keys.ts'
import { basic, client } from '../test-registry.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

test('a robot that was made with an API key ends with it: disabled, without the scope, revoked', async () => {
  const owner = await house.newOwner('Robots')
  const key = await newKey(house, owner, ['registry.view', 'registry.edit', 'assets.view'], { name: 'ci' })
  const made = await key.call(createRobot, { body: { name: 'puller' } })
  const { secret } = made.body as unknown as { secret: string }
  const own = (await owner.call(createRobot, { body: { name: 'own' } })).body
  const params = { api_key_id: key.id }
  const ask = async (of: string) => client(address, basic(of))('/v2/')
  const listed = async () => (await owner.call(listRobots)).body.items.map(({ name, api_key }) => [name, api_key?.name, api_key?.ended])
  expect((await ask(secret)).status).toBe(200)
  expect(await listed()).toEqual([
    ['own', undefined, undefined],
    ['puller', 'ci', false],
  ])
  const token = (
    JSON.parse((await client(address, basic(secret))('/v2/token?service=x&scope=registry:catalog:*')).text) as { token: string }
  ).token
  const byToken = client(address, `Bearer ${token}`)
  expect((await byToken('/v2/')).status).toBe(200)

  await owner.call(disableApiKey, { params })
  expect(await ask(secret)).toMatchObject({ status: 401, words: 'The API key that made this robot has ended, and the robot with it' })
  expect((await byToken('/v2/')).status).toBe(401)
  await owner.call(enableApiKey, { params })
  expect((await ask(secret)).status).toBe(200)
  await owner.call(updateApiKey, { params, body: { scopes: ['assets.view'] } })
  expect((await ask(secret)).words).toBe('The API key that made this robot no longer has the scope registry.edit')
  await owner.call(updateApiKey, { params, body: { scopes: ['registry.edit'] } })
  expect((await ask(secret)).status).toBe(200)
  await owner.call(deleteApiKey, { params })
  expect((await ask(secret)).status).toBe(401)
  expect((await listed())[1]).toEqual(['puller', null, true])
  expect((await ask(own.secret)).status).toBe(200)
  const closed = (closed_at: Date | null) => house.db.updateTable('account').set({ closed_at }).where('id', '=', owner.account_id).execute()
  await closed(house.clock.now())
  expect(await ask(own.secret)).toMatchObject({ status: 401, words: 'The account is closed' })
  await closed(null)
  expect((await ask(own.secret)).status).toBe(200)
})
