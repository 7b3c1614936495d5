import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportActivities, listActivities } from '@masthead/contract/activities/operations'
import { deleteApiKey, disableApiKey, enableApiKey, updateApiKey } from '@masthead/contract/developers/operations'
import { createRobot, deleteRobot, listRobots } from '@masthead/contract/registry/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { saidOf } from '../../developers/webhooks/index.ts'
import { newKey } from '../../developers/test-keys.ts'
import { basic, client, pushImage } from '../test-registry.ts'

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

test('what a robot does is said to be done by it: in activities, their CSV, webhooks and the stream', async () => {
  const owner = await house.newOwner('Who pushed')
  const { id, secret } = (await owner.call(createRobot, { body: { name: 'ci.push', can_push: true } })).body
  const robot = client(address, basic(secret))
  await robot('/v2/')
  const { slug } = await house.db
    .selectFrom('registry_account')
    .select('slug')
    .where('account_id', '=', owner.account_id)
    .executeTakeFirstOrThrow()
  await pushImage(robot, `${slug}/app`, { tag: '1.0' })
  const key = await newKey(house, owner, ['registry.view', 'registry.edit'], { name: 'ci.push' })
  await pushImage(client(address, basic(key.secret)), `${slug}/app`, { tag: '2.0' })
  await owner.call(deleteRobot, { params: { robot_id: id } })

  const pushed = async (query: object) => {
    const { body } = await owner.call(listActivities, { query })
    return body.items
      .filter(({ metadata }) => metadata.action === 'image_pushed')
      .map(({ sentence, actor }) => [sentence.slice(-3), actor.kind, actor.email, actor.key, actor.robot])
  }
  const byRobot = ['1.0', 'robot', owner.email, null, 'ci.push']
  expect(await pushed({})).toEqual([['2.0', 'api_key', owner.email, 'ci.push', null], byRobot])
  expect(await pushed({ actor: 'robot:ci.push' })).toEqual([byRobot])
  expect(await pushed({ actor: 'robot:ci' })).toEqual([])
  expect(await pushed({ actor: owner.email })).toHaveLength(2)
  const { text } = await owner.call(exportActivities, { query: { actor: 'robot:ci.push' } })
  const [head, line, ...more] = text.trimEnd().split('\r\n')
  expect(head).toContain(',actor_kind,actor,api_key,robot,')
  expect(line).toContain(`,robot,${owner.email},,ci.push,`)
  expect(more).toEqual([])
  const event = await house.db
    .selectFrom('event')
    .selectAll()
    .where('account_id', '=', owner.account_id)
    .where('actor_kind', '=', 'robot')
    .executeTakeFirstOrThrow()
  expect(saidOf(event).data.actor).toEqual({ kind: 'robot', email: owner.email, api_key: null, robot: 'ci.push' })
})
