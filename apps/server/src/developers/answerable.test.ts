import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '@masthead/contract/developers/operations'
import { createTag, listTags } from '@masthead/contract/tags/operations'
import { updateAsset } from '@masthead/contract/assets/operations'
import { removeMember, updateInvitation } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'
import { openReceiver } from './webhooks/test-receiver.ts'
import { sendDue } from './webhooks/webhook-sender.ts'
import { newKey, withKey, type Keyed } from './test-keys.ts'

// What somebody has in their hands does not outlive their rights, whoever made it.

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
})
afterAll(() => house[Symbol.asyncDispose]())

const rights = ['developers.view', 'developers.edit', 'assets.view', 'overview.view']

test('a key that a member rotated ends with their membership: they have its new secret', async () => {
  const owner = await house.newOwner()
  const key = await newKey(house, owner, ['assets.view'])
  const member = await house.newMember(owner, rights)
  const rotated = (await member.call(ops.rotateApiKey, { params: { api_key_id: key.id }, body: { overlap_hours: 1 } })).body
  expect(rotated.created_by).toBe(member.email)
  expect((await withKey(house, rotated.secret).call(listTags)).status).toBe(200)
  expect((await owner.call(removeMember, { params: { member_email: member.email } })).status).toBe(200)
  expect((await withKey(house, rotated.secret).call(listTags)).status).toBe(401)
  // Whoever stays rotates it in turn.
  const again = (await owner.call(ops.rotateApiKey, { params: { api_key_id: key.id }, body: { overlap_hours: 0 } })).body
  expect((await withKey(house, again.secret).call(listTags)).status).toBe(200)
  expect((await withKey(house, rotated.secret).call(listTags)).status).toBe(401)
})

test('a webhook that a member turned to another address ends with their membership', async () => {
  await using theirs = await openReceiver()
  const owner = await house.newOwner()
  const body = { name: 'Ops', url: 'http://127.0.0.1:9/hooks', events: ['tags.*'] }
  const { id } = (await owner.call(ops.createWebhook, { body })).body
  const params = { webhook_id: id }
  const member = await house.newMember(owner, rights)
  expect((await member.call(ops.updateWebhook, { params, body: { name: 'Ops 2' } })).body.created_by).toBe(owner.email)
  expect((await member.call(ops.updateWebhook, { params, body: { url: theirs.url } })).body.created_by).toBe(member.email)
  await owner.call(removeMember, { params: { member_email: member.email } })
  await owner.call(createTag, { body: { name: 'secret plan' } })
  await house.settle()
  await sendDue(house.app)
  expect(theirs.received).toEqual([])
  expect((await owner.call(ops.getWebhook, { params })).body).toMatchObject({ state: 'disabled', disabled_because: 'maker_gone' })
})

test('a key that may not read activities makes no webhook that hears them', async () => {
  const owner = await house.newOwner()
  const body = { name: 'All', url: 'http://127.0.0.1:9/hooks', events: ['*'] }
  const { id } = (await owner.call(ops.createWebhook, { body: { ...body, events: ['tags.tag_created'] } })).body
  const narrow = await newKey(house, owner, ['developers.view', 'developers.edit'])
  const refused = { status: 403, body: { code: 'forbidden', detail: expect.stringContaining('overview.view') } }
  expect(await narrow.call(ops.createWebhook, { body })).toMatchObject(refused)
  expect(await narrow.call(ops.updateWebhook, { params: { webhook_id: id }, body: { events: ['*'] } })).toMatchObject(refused)
  expect(await narrow.call(ops.updateWebhook, { params: { webhook_id: id }, body: { url: body.url + '/else' } })).toMatchObject(refused)
  expect((await narrow.call(ops.updateWebhook, { params: { webhook_id: id }, body: { name: 'Ops' } })).status).toBe(200)
  const wide = await newKey(house, owner, ['developers.edit', 'overview.view'])
  expect((await wide.call(ops.createWebhook, { body })).status).toBe(200)
})

/** What a receiver gets of a new tag now. */
async function heard(receiver: { received: unknown[] }, teller: Person): Promise<number> {
  const before = receiver.received.length
  await teller.call(createTag, { body: { name: `tag ${count++}` } })
  await house.settle()
  await sendDue(house.app)
  return receiver.received.length - before
}
let count = 0
const stateOf = async (owner: Person, webhook_id: string) => (await owner.call(ops.getWebhook, { params: { webhook_id } })).body

test('a webhook that was made with a key ends with it: disabled, without the scope, expired, revoked', async () => {
  await using receiver = await openReceiver()
  const owner = await house.newOwner()
  const ends = new Date(house.clock.now().getTime() + 3_600_000).toISOString()
  const key = await newKey(house, owner, ['developers.edit', 'overview.view', 'assets.view'], { expires_at: ends })
  const made = await key.call(ops.createWebhook, { body: { name: 'By key', url: receiver.url, events: ['tags.*'] } })
  const { id } = made.body as unknown as { id: string }
  const params = { api_key_id: key.id }
  expect(await heard(receiver, owner)).toBe(1)

  await owner.call(ops.disableApiKey, { params })
  expect(await heard(receiver, owner)).toBe(0)
  expect(await stateOf(owner, id)).toMatchObject({ state: 'disabled', disabled_because: 'key_ended' })
  await owner.call(ops.enableApiKey, { params })
  expect(await heard(receiver, owner)).toBe(1)

  await owner.call(ops.updateApiKey, { params, body: { scopes: ['developers.edit'] } })
  expect(await heard(receiver, owner)).toBe(0)
  expect(await stateOf(owner, id)).toMatchObject({ disabled_because: 'maker_limited' })
  await owner.call(ops.updateApiKey, { params, body: { scopes: ['overview.view', 'assets.view'] } })
  expect(await heard(receiver, owner)).toBe(1)

  // What waits when the key ends is not sent either.
  await owner.call(createTag, { body: { name: 'waits' } })
  await house.settle()
  house.clock.advance({ hours: 1 })
  const before = receiver.received.length
  await sendDue(house.app)
  expect(receiver.received.length).toBe(before)
  expect(await heard(receiver, owner)).toBe(0)
  expect(await stateOf(owner, id)).toMatchObject({ disabled_because: 'key_ended' })

  // Whoever says anew where it goes answers for it from then on.
  await owner.call(ops.updateWebhook, { params: { webhook_id: id }, body: { url: `${receiver.url}?mine` } })
  await owner.call(ops.deleteApiKey, { params })
  expect(await heard(receiver, owner)).toBe(1)
})

test('a webhook that was made with a key limited by tags hears of their assets alone, also after the key lost one', async () => {
  await using receiver = await openReceiver()
  const owner = await house.newOwner()
  const tagOf = async (name: string) => (await owner.call(createTag, { body: { name } })).body.id
  const [north, south] = [await tagOf('north'), await tagOf('south')]
  const key = await newKey(house, owner, ['developers.edit', 'overview.view', 'assets.view'], { tags: [north, south] })
  await key.call(ops.createWebhook, { body: { name: 'By key', url: receiver.url, events: ['assets.asset_renamed'] } })
  const rename = async (id: string, name: string) => {
    expect((await owner.call(updateAsset, { params: { asset_id: id }, body: { name } })).status).toBe(200)
    await house.settle()
    await sendDue(house.app)
    return receiver.received.filter(({ body }) => body.includes(name)).length
  }
  const { id: mine } = await addAsset(house, owner, { tags: [north] })
  const { id: theirs } = await addAsset(house, owner, { tags: [south] })
  expect([await rename(mine, 'm one'), await rename(theirs, 't one')]).toEqual([1, 1])
  await owner.call(ops.updateApiKey, { params: { api_key_id: key.id }, body: { tags: [north] } })
  expect([await rename(mine, 'm two'), await rename(theirs, 't two')]).toEqual([1, 0])
})

test('a member who may no longer read activities hears of none by webhook, and makes none', async () => {
  await using receiver = await openReceiver()
  const owner = await house.newOwner()
  const member = await house.newMember(owner, rights)
  const body = { name: 'Mine', url: receiver.url, events: ['tags.*'] }
  const { id } = (await member.call(ops.createWebhook, { body })).body
  expect(await heard(receiver, owner)).toBe(1)
  const change = (permissions: readonly string[]) =>
    owner.call(updateInvitation, { body: { email: member.email, permissions: permissions as never, tags: [] } })
  await change(rights.filter((name) => name !== 'overview.view'))
  expect(await heard(receiver, owner)).toBe(0)
  expect(await stateOf(owner, id)).toMatchObject({ state: 'disabled', disabled_because: 'maker_limited' })
  expect(await member.call(ops.createWebhook, { body })).toMatchObject({
    status: 403,
    body: { detail: expect.stringMatching(/^You need/) },
  })
  await change(rights)
  expect(await heard(receiver, owner)).toBe(1)
})

test('what was sent and answered is for who may change webhooks and read activities; others see that it was', async () => {
  await using receiver = await openReceiver()
  const owner = await house.newOwner()
  const { id } = (await owner.call(ops.createWebhook, { body: { name: 'Ops', url: receiver.url, events: ['tags.*'] } })).body
  await owner.call(createTag, { body: { name: 'secret plan' } })
  await house.settle()
  await sendDue(house.app)
  const [delivery] = (await owner.call(ops.listDeliveries, { params: { webhook_id: id } })).body.items
  const params = { webhook_id: id, delivery_id: delivery!.id }
  const look = async (who: Person | Keyed) =>
    (await who.call(ops.getDelivery, { params })) as Awaited<ReturnType<typeof owner.call<typeof ops.getDelivery>>>
  const open = { status: 200, body: { withheld: null, body: expect.stringContaining('secret plan') } }
  for (const who of [owner, await newKey(house, owner, ['developers.view', 'developers.edit', 'overview.view', 'assets.view'])])
    expect(await look(who)).toMatchObject(open)
  // Of what one may not read among the activities there is no delivery to see.
  for (const who of [
    await house.newMember(
      owner,
      rights.filter((name) => name !== 'assets.view')
    ),
    await newKey(house, owner, ['developers.view']),
  ])
    expect(await look(who)).toMatchObject({ status: 404 })
  const seeing = ['developers.view', 'assets.view']
  for (const few of [[], ['overview.view'], ['developers.edit']])
    for (const who of [await house.newMember(owner, [...seeing, ...few]), await newKey(house, owner, [...seeing, ...few] as never)]) {
      const answer = await look(who)
      expect(answer).toMatchObject({ status: 200, body: { state: 'delivered', body: null, withheld: expect.stringMatching(/\w+\.\w+/) } })
      expect(answer.body.attempts.map(({ status, reply }) => [status, reply])).toEqual([[200, '']])
      expect(answer.text).not.toContain('secret plan')
    }
})
