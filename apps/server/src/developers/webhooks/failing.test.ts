import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as ops from '@masthead/contract/developers/operations'
import { mostTries } from '@masthead/contract/developers/webhook'
import { openHouse, type House } from '@masthead/testkit/house'
import { deliver, newWebhook, openReceiver, saying, tag } from './test-receiver.ts'
import { addDatabaseFigures } from '../../kernel/database-figures.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import { webhookFigures } from './webhook-figures.ts'
import { sendDue } from './webhook-sender.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
})
afterAll(() => house[Symbol.asyncDispose]())

describe('a delivery that fails', () => {
  test('is tried again later and later with the same id and body, then given up, and sent again by hand', async () => {
    await using receiver = await openReceiver(saying(500))
    const ada = await house.newOwner()
    const webhook = await newWebhook(ada, receiver.url)
    await tag(ada, 'north')
    const started = house.clock.now().getTime()
    expect(await deliver(house)).toBe(1)
    const delivery_id = receiver.received[0]!.headers['webhook-id'] as string
    const params = { ...webhook.params, delivery_id }
    const read = async () => (await ada.call(ops.getDelivery, { params })).body
    const waits = []
    for (let tries = 1; tries < mostTries; tries++) {
      const delivery = await read()
      expect(delivery).toMatchObject({ state: 'waiting', tries, status: 500, words: 'Answered with 500' })
      const due = new Date(delivery.next_try_at!)
      waits.push(due.getTime() - house.clock.now().getTime())
      house.clock.set(new Date(due.getTime() - 1))
      expect(await sendDue(house.app)).toBe(0)
      house.clock.set(due)
      expect(await sendDue(house.app)).toBe(1)
    }
    for (const [i, wait] of waits.entries()) if (i > 0) expect(wait).toBeGreaterThan(waits[i - 1]!)
    expect(house.clock.now().getTime() - started).toBeGreaterThan(18 * 3_600_000)
    const end = await read()
    expect(end).toMatchObject({ state: 'failed', tries: mostTries, next_try_at: null })
    expect(end.attempts).toHaveLength(mostTries)
    expect(new Set(receiver.received.map(({ headers, body }) => `${headers['webhook-id'] as string} ${body}`)).size).toBe(1)
    receiver.answers(saying(204))
    expect((await ada.call(ops.replayDelivery, { params })).body).toMatchObject({ state: 'waiting', tries: mostTries })
    house.clock.advance({ hours: 1 })
    await sendDue(house.app)
    expect(await read()).toMatchObject({ state: 'delivered', tries: mostTries + 1, status: 204 })
  })

  test('ten times in a row pauses the webhook; single tries find out that it works again, and nothing was lost', async () => {
    await using receiver = await openReceiver(saying(503))
    const ada = await house.newOwner()
    const webhook = await newWebhook(ada, receiver.url, { events: ['tags.*', 'developers.*'] })
    for (let i = 0; i < 12; i++) await tag(ada, `tag ${i}`)
    await deliver(house)
    const read = async () => (await ada.call(ops.getWebhook, { params: webhook.params })).body
    const paused = await read()
    expect(paused).toMatchObject({ state: 'paused', failing_since: house.clock.now().toISOString(), waiting: 12 })
    const tries = receiver.received.length
    expect(tries).toBeLessThanOrEqual(12)
    const events = async () =>
      (await house.events(ada.account_id)).map(({ name }) => name).filter((name) => /webhook_(paused|resumed)/.test(name))
    expect(await events()).toEqual(['developers.webhook_paused'])
    house.clock.set(paused.next_try_at!)
    expect(await sendDue(house.app)).toBe(1)
    expect(receiver.received).toHaveLength(tries + 1)
    receiver.answers(saying(200))
    house.clock.set((await read()).next_try_at!)
    await deliver(house)
    expect(await read()).toMatchObject({ state: 'active', failures: 0, failing_since: null })
    house.clock.advance({ hours: 1 })
    await deliver(house)
    expect(await read()).toMatchObject({ waiting: 0 })
    expect(await events()).toEqual(['developers.webhook_paused', 'developers.webhook_resumed'])
    const log = await ada.call(ops.listDeliveries, { params: webhook.params, query: { state: 'delivered', type: 'tags.tag_created' } })
    expect(log.body.total).toBe(12)
  })

  test('is a line in the log of who runs the installation, and figures, when a receiver goes down, is paused and comes back', async () => {
    await using receiver = await openReceiver(saying(503))
    const ada = await house.newOwner()
    const webhook = await newWebhook(ada, `${receiver.url}?secret=abc`)
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
    const app = { ...house.app, log, metrics: createMetrics() }
    const send = async () => {
      await house.settle()
      return sendDue(app)
    }
    for (let i = 0; i < 10; i++) await tag(ada, `tag ${i}`)
    await send()
    const target = { webhook: webhook.id, account: ada.account_id, host: `127.0.0.1:${receiver.port}` }
    expect(lines).toMatchObject([
      { level: 40, ...target, status: 503, words: 'Answered with 503', msg: 'a webhook could not be delivered and will be tried again' },
      { level: 40, ...target, failures: 10, msg: 'a webhook is paused: it failed too often' },
    ])
    expect(JSON.stringify(lines)).not.toContain('abc')
    const triesOf = async (outcome: string) =>
      (await app.metrics.webhookTries.get()).values.find(({ labels }) => labels.outcome === outcome)!.value
    expect(await triesOf('failed')).toBe(10)
    addDatabaseFigures(app, webhookFigures)
    const shown = await app.metrics.registry.metrics()
    expect(shown).toMatch(/masthead_webhooks\{state="paused"\} [1-9]/)
    expect(shown).toMatch(/masthead_webhook_deliveries_waiting [1-9]/)
    receiver.answers(saying(200))
    house.clock.advance({ hours: 1 })
    await send()
    expect(lines.at(-1)).toMatchObject({ level: 30, ...target, msg: 'a webhook is delivered again' })
    expect(await triesOf('delivered')).toBeGreaterThan(0)
  })

  test('sent by hand it goes at once, though the webhook is paused, and wakes it; in the log all else waits for that', async () => {
    await using receiver = await openReceiver(saying(500))
    const ada = await house.newOwner()
    const webhook = await newWebhook(ada, receiver.url)
    for (let i = 0; i < 11; i++) await tag(ada, `tag ${i}`)
    await deliver(house)
    house.clock.advance({ seconds: 30 })
    const paused = (await ada.call(ops.getWebhook, { params: webhook.params })).body
    const { items } = (await ada.call(ops.listDeliveries, { params: webhook.params })).body
    expect(new Set(items.map(({ next_try_at }) => next_try_at))).toEqual(new Set([paused.next_try_at]))
    const before = receiver.received.length
    const { id } = (await ada.call(ops.testWebhook, { params: webhook.params })).body
    expect(await sendDue(house.app)).toBe(1)
    expect(receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([id])
    expect((await ada.call(ops.getWebhook, { params: webhook.params })).body.state).toBe('paused')
    receiver.answers(saying(200))
    const params = { ...webhook.params, delivery_id: items[0]!.id }
    await ada.call(ops.replayDelivery, { params })
    await sendDue(house.app)
    expect(receiver.received[before + 1]!.headers['webhook-id']).toBe(params.delivery_id)
    expect((await ada.call(ops.getDelivery, { params })).body.state).toBe('delivered')
    expect((await ada.call(ops.getWebhook, { params: webhook.params })).body.state).toBe('active')
  })

  test('for days disables the webhook, and what waited is given up', async () => {
    await using receiver = await openReceiver(saying(500))
    const ada = await house.newOwner()
    const webhook = await newWebhook(ada, receiver.url)
    for (let i = 0; i < 10; i++) await tag(ada, `tag ${i}`)
    await deliver(house)
    house.clock.advance({ days: 5 })
    await tag(ada, 'later')
    await deliver(house)
    expect((await ada.call(ops.getWebhook, { params: webhook.params })).body).toMatchObject({
      state: 'disabled',
      disabled_because: 'failures',
      waiting: 0,
      next_try_at: null,
    })
    expect(await house.events(ada.account_id)).toContainEqual({
      name: 'developers.webhook_disabled',
      actor_email: 'system',
      detail: { webhook_id: webhook.id, webhook_name: 'Ops', because: 'failures' },
    })
    expect((await ada.call(ops.enableWebhook, { params: webhook.params })).body).toMatchObject({ state: 'active', failures: 0 })
  })

  test.each([
    ['a redirect', saying(302, { location: 'http://127.0.0.1:1/' }), 'Answered with a redirect (302), which is not followed'],
    ['a connection cut short', (reply: { destroy: () => void }) => reply.destroy(), 'The connection was cut before an answer came'],
    ['a status of its own', saying(418), 'Answered with 418'],
  ])('by %s says so', async (_, answer, words) => {
    await using receiver = await openReceiver(answer)
    const ada = await house.newOwner()
    const webhook = await newWebhook(ada, receiver.url)
    await ada.call(ops.testWebhook, { params: webhook.params })
    await deliver(house)
    expect((await ada.call(ops.listDeliveries, { params: webhook.params })).body.items[0]).toMatchObject({ type: 'webhook.test', words })
    expect(receiver.received).toHaveLength(1)
  })
})
