import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/developers/operations'
import { deleteTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { addAsset } from '../../assets/test-stock.ts'
import { newKey } from '../test-keys.ts'
import { deliver, newWebhook, openReceiver, saying, tag, type Received } from './test-receiver.ts'
import { sendDue } from './webhook-sender.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
})
afterAll(() => house[Symbol.asyncDispose]())

const told = (received: Received[]) => received.map(({ body }) => (JSON.parse(body) as { type: string }).type)
/** What a receiver does to know a message as ours. */
const signatureOf = ({ headers, body }: Received, secret: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`)
    .digest('base64')}`

describe('an event', () => {
  test('is sent to whoever chose it, once, signed, and the answer is logged', async () => {
    await using receiver = await openReceiver()
    const ada = await house.newOwner()
    const webhook = await newWebhook(ada, receiver.url)
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const tag_id = await tag(ada, 'north')
    expect(await deliver(house)).toBe(1)
    await house.settle()
    expect(await sendDue(house.app)).toBe(0)
    const [received] = receiver.received
    expect(receiver.received).toHaveLength(1)
    expect(JSON.parse(received!.body)).toEqual({
      type: 'tags.tag_created',
      timestamp: house.clock.now().toISOString(),
      data: {
        event_id: expect.stringMatching(/^evt_/),
        account_id: ada.account_id,
        asset_id: null,
        sentence: 'Created tag north',
        actor: { kind: 'member', email: ada.email, api_key: null, robot: null },
        detail: { tag_id, tag_name: 'north' },
      },
    })
    expect(received!.headers['webhook-timestamp']).toBe(String(Math.floor(house.clock.now().getTime() / 1000)))
    expect(received!.headers['webhook-signature']).toBe(signatureOf(received!, webhook.secret))
    const log = (await ada.call(ops.listDeliveries, { params: webhook.params })).body
    expect(log).toMatchObject({
      total: 1,
      items: [{ id: received!.headers['webhook-id'], state: 'delivered', status: 200, tries: 1, words: null }],
    })
    const delivery = (await ada.call(ops.getDelivery, { params: { ...webhook.params, delivery_id: log.items[0]!.id } })).body
    expect(delivery).toMatchObject({ body: received!.body, attempts: [{ status: 200, words: null, reply: 'thanks' }] })
    expect((await ada.call(ops.getWebhook, { params: webhook.params })).body).toMatchObject({
      state: 'active',
      waiting: 0,
      last_delivered_at: house.clock.now().toISOString(),
    })
  })

  test('is chosen by name, by area or with all others; a webhook is not sent what is about itself', async () => {
    await using receiver = await openReceiver()
    const ada = await house.newOwner()
    for (const [path, events] of [
      ['/name', ['tags.tag_deleted']],
      ['/area', ['tags.*', 'assets.*']],
      ['/all', ['*', 'tags.tag_created']],
      ['/other', ['assets.*']],
    ] as const) {
      await newWebhook(ada, receiver.url + path, { events })
      house.clock.advance({ seconds: 1 })
    }
    const tag_id = await tag(ada, 'north')
    await ada.call(deleteTag, { params: { tag_id } })
    await deliver(house)
    const at = (path: string) => told(receiver.received.filter((each) => each.path === `/hooks${path}`)).toSorted()
    expect(at('/name')).toEqual(['tags.tag_deleted'])
    expect(at('/area')).toEqual(['tags.tag_created', 'tags.tag_deleted'])
    expect(at('/all')).toEqual(['developers.webhook_created', 'tags.tag_created', 'tags.tag_deleted'])
    expect(at('/other')).toEqual([])
  })

  test('of an asset outside the maker’s tags, or the key’s, is not sent', async () => {
    await using receiver = await openReceiver()
    const ada = await house.newOwner()
    const [north, south] = [await tag(ada, 'north'), await tag(ada, 'south')]
    const assets = { north: await addAsset(house, ada, { tags: [north] }), south: await addAsset(house, ada, { tags: [south] }) }
    house.clock.advance({ seconds: 1 })
    const member = await house.newMember(ada, ['developers.view', 'developers.edit', 'assets.view', 'overview.view'], [north])
    const limited = await newWebhook(member, `${receiver.url}/member`, { events: ['assets.*'] })
    expect(limited.tags).toEqual([{ id: north, name: 'north' }])
    const key = await newKey(house, ada, ['developers.edit', 'overview.view', 'assets.view'], { tags: [south] })
    await key.call(ops.createWebhook, { body: { name: 'by key', url: `${receiver.url}/key`, events: ['assets.*'] } })
    const wide = await newWebhook(ada, `${receiver.url}/owner`, { events: ['assets.*'] })
    for (const [name, { id }] of Object.entries(assets))
      await ada.call(updateAsset, { params: { asset_id: id }, body: { name: `${name} 2` } })
    await deliver(house)
    const names = (path: string) =>
      receiver.received
        .filter((each) => each.path === `/hooks${path}`)
        .map(({ body }) => (JSON.parse(body) as { data: { detail: { new_name: string } } }).data.detail.new_name)
        .toSorted()
    expect(names('/member')).toEqual(['north 2'])
    expect(names('/key')).toEqual(['south 2'])
    expect(names('/owner')).toEqual(['north 2', 'south 2'])
    // A limited member sees no webhook that is sent more than they may see.
    expect((await member.call(ops.listWebhooks)).body.items.map(({ id }) => id)).toEqual([limited.id])
    expect(await member.call(ops.listDeliveries, { params: wide.params })).toMatchObject({ status: 404 })
    await house.db.deleteFrom('membership').where('account_id', '=', ada.account_id).execute()
    expect((await ada.call(ops.getWebhook, { params: limited.params })).body).toMatchObject({
      state: 'disabled',
      disabled_because: 'maker_gone',
    })
    receiver.received.length = 0
    await ada.call(updateAsset, { params: { asset_id: assets.north.id }, body: { name: 'north 3' } })
    await deliver(house)
    expect(names('/member')).toEqual([])
  })
})

test('of an answer the first bytes are kept, and the rest is not read', async () => {
  await using receiver = await openReceiver((reply) => {
    reply.write(`\u0000<b>${'x'.repeat(5000)}`)
    // It never ends.
  })
  const ada = await house.newOwner()
  const webhook = await newWebhook(ada, receiver.url)
  const { id } = (await ada.call(ops.testWebhook, { params: webhook.params })).body
  await deliver(house)
  const { attempts } = (await ada.call(ops.getDelivery, { params: { ...webhook.params, delivery_id: id } })).body
  expect(attempts[0]).toMatchObject({ status: 200, words: null, reply: `<b>${'x'.repeat(996)}` })
})

test('a rotated secret signs beside the one before, for a while', async () => {
  await using receiver = await openReceiver()
  const ada = await house.newOwner()
  const webhook = await newWebhook(ada, receiver.url)
  const { secret, previous_secret_ends_at } = (await ada.call(ops.rotateWebhook, { params: webhook.params, body: { overlap_hours: 2 } }))
    .body
  expect(previous_secret_ends_at).toBe(new Date(house.clock.now().getTime() + 7_200_000).toISOString())
  await ada.call(ops.testWebhook, { params: webhook.params })
  await deliver(house)
  house.clock.advance({ hours: 2 })
  await ada.call(ops.testWebhook, { params: webhook.params })
  await deliver(house)
  const [first, second] = receiver.received
  expect(first!.headers['webhook-signature']).toBe(`${signatureOf(first!, secret)} ${signatureOf(first!, webhook.secret)}`)
  expect(second!.headers['webhook-signature']).toBe(signatureOf(second!, secret))
  const kept = await house.db.selectFrom('webhook').selectAll().where('id', '=', webhook.id).executeTakeFirstOrThrow()
  for (const hidden of [secret, webhook.secret]) expect(JSON.stringify(kept)).not.toContain(hidden)
})

test('a disabled webhook hears nothing, and neither a test nor a replay is sent to it', async () => {
  await using receiver = await openReceiver(saying(500))
  const ada = await house.newOwner()
  const webhook = await newWebhook(ada, receiver.url)
  const delivery_id = (await ada.call(ops.testWebhook, { params: webhook.params })).body.id
  await deliver(house)
  expect((await ada.call(ops.disableWebhook, { params: webhook.params })).body).toMatchObject({ state: 'disabled', waiting: 0 })
  await tag(ada, 'north')
  house.clock.advance({ days: 1 })
  await deliver(house)
  expect(told(receiver.received)).toEqual(['webhook.test'])
  const refused = { status: 409, body: { code: 'webhook_disabled' } }
  expect(await ada.call(ops.testWebhook, { params: webhook.params })).toMatchObject(refused)
  expect(await ada.call(ops.replayDelivery, { params: { ...webhook.params, delivery_id } })).toMatchObject(refused)
  await ada.call(ops.enableWebhook, { params: webhook.params })
  expect(await ada.call(ops.replayDelivery, { params: { ...webhook.params, delivery_id } })).toMatchObject({ status: 200 })
  await house.db.updateTable('webhook_delivery').set({ state: 'sending' }).where('id', '=', delivery_id).execute()
  expect(await ada.call(ops.replayDelivery, { params: { ...webhook.params, delivery_id } })).toMatchObject({
    status: 409,
    body: { code: 'delivery_under_way' },
  })
})

test('wrong addresses and events are refused in words', async () => {
  const ada = await house.newOwner()
  const fields = async (body: object) =>
    (await ada.call(ops.createWebhook, { body: { name: 'x', url: 'https://example.com/', events: ['*'], ...body } })).body.fields
  expect(await fields({ url: 'ftp://example.com/' })).toHaveProperty('url')
  expect(await fields({ url: 'https://me:secret@example.com/' })).toEqual({ url: expect.stringContaining('signed') })
  expect(await fields({ events: [] })).toEqual({ events: 'Choose at least one event' })
  expect(await fields({ events: ['tags.tag_painted'] })).toEqual({ events: 'There is no event tags.tag_painted' })
  expect(await fields({ events: ['nothing.*'] })).toEqual({ events: 'There is no event nothing.*' })
  const names = (await ada.call(ops.listWebhookEvents)).body.items
  expect(names).toContainEqual({ name: 'tags.tag_created', words: 'Created tag …' })
})

test('an account has at most so many webhooks', async () => {
  const ada = await house.newOwner()
  for (let i = 0; i < 50; i++) await newWebhook(ada, 'https://example.com/')
  const refused = await ada.call(ops.createWebhook, { body: { name: 'x', url: 'https://example.com/', events: ['*'] } })
  expect(refused).toMatchObject({ status: 409, body: { code: 'too_many_webhooks' } })
})

test('deliveries are forgotten two weeks after they ended', async () => {
  await using receiver = await openReceiver()
  const ada = await house.newOwner()
  const webhook = await newWebhook(ada, receiver.url)
  await tag(ada, 'north')
  await deliver(house)
  const { forgetDeliveries } = await import('./add-deliveries.ts')
  const count = async () =>
    (await house.db.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', webhook.id).execute()).length
  house.clock.advance({ days: 13 })
  await forgetDeliveries(house.app)
  expect(await count()).toBe(1)
  house.clock.advance({ days: 2 })
  await forgetDeliveries(house.app)
  expect(await count()).toBe(0)
})
