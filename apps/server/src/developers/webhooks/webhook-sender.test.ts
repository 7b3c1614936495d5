import { expect, test } from 'vitest'
import { sql } from 'kysely'
import * as ops from '@masthead/contract/developers/operations'
import { openHouse, type Person } from '@masthead/testkit/house'
import { atOncePerWebhook, claimDeliveries } from './claim-deliveries.ts'
import { finishDelivery, pauseAfter, waitAfter } from './finish-delivery.ts'
import { openReceiver } from './test-receiver.ts'
import { startWebhookSender } from './webhook-sender.ts'

const config = { webhookPrivate: true }

test('a receiver that never answers holds nobody back, and what was under way at the end waits for the next start', async () => {
  await using slow = await openReceiver(() => {})
  await using quick = await openReceiver()
  await using house = await openHouse({ config })
  const ada = await house.newOwner()
  const make = async (url: string) => (await ada.call(ops.createWebhook, { body: { name: 'x', url, events: ['*'] } })).body.id
  const [stuck, fine] = [await make(slow.url), await make(quick.url)]
  for (let i = 0; i < 20; i++) await ada.call(ops.testWebhook, { params: { webhook_id: stuck } })
  for (let i = 0; i < 20; i++) await ada.call(ops.testWebhook, { params: { webhook_id: fine } })
  const sender = startWebhookSender(house.app)
  await expect.poll(() => quick.received.length, { timeout: 20_000 }).toBe(20)
  expect(slow.received).toHaveLength(atOncePerWebhook)
  const list = async (webhook_id: string) =>
    (await ada.call(ops.listDeliveries, { params: { webhook_id }, query: { page_size: 100 } })).body.items
  const delivered = async () => (await list(fine)).filter(({ state }) => state === 'delivered').length
  await expect.poll(delivered, { timeout: 20_000 }).toBe(20)
  await sender.stop()
  expect((await list(stuck)).map(({ state, tries }) => ({ state, tries }))).toEqual(
    Array.from({ length: 20 }, () => ({ state: 'waiting', tries: 0 }))
  )
})

test('several processes share what is due, and what a dead one took is taken again when its lease has ended', async () => {
  await using house = await openHouse({ config })
  const ada = await house.newOwner()
  for (let i = 0; i < 3; i++) {
    const { id } = (await ada.call(ops.createWebhook, { body: { name: 'x', url: 'https://example.com/', events: ['*'] } })).body
    for (let j = 0; j < 3; j++) await ada.call(ops.testWebhook, { params: { webhook_id: id } })
  }
  const taken = (await Promise.all(Array.from({ length: 5 }, () => claimDeliveries(house.app, 100)))).flat()
  expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length)
  taken.push(...(await claimDeliveries(house.app, 100)))
  expect(taken).toHaveLength(9)
  expect(await claimDeliveries(house.app, 100)).toEqual([])
  house.clock.advance({ seconds: 61 })
  const again = await claimDeliveries(house.app, 100)
  expect(again.map(({ tries }) => tries)).toEqual(Array.from({ length: 9 }, () => 2))
  // The dead one wakes up: what it has to say counts no more.
  await finishDelivery(house.app, taken[0]!, { status: 200, words: null, duration_ms: 1, reply: '' })
  const row = await house.db.selectFrom('webhook_delivery').select('state').where('id', '=', taken[0]!.id).executeTakeFirstOrThrow()
  expect(row.state).toBe('sending')
})

test('a process that looks while another takes its share gives the receiver no second one', async () => {
  await using house = await openHouse({ config })
  const ada = await house.newOwner()
  const { id } = (await ada.call(ops.createWebhook, { body: { name: 'x', url: 'https://example.com/', events: ['*'] } })).body
  for (let j = 0; j < 3 * atOncePerWebhook; j++) await ada.call(ops.testWebhook, { params: { webhook_id: id } })
  await house.db.transaction().execute(async (tx) => {
    expect(await claimDeliveries({ ...house.app, db: tx }, 100)).toHaveLength(atOncePerWebhook)
    expect(await claimDeliveries(house.app, 100)).toEqual([])
  })
})

test('accounts take turns: one with very many slow receivers leaves places to others', async () => {
  await using house = await openHouse({ config })
  const [many, one] = [await house.newOwner(), await house.newOwner()]
  const fill = async (owner: Person, webhooks: number) => {
    for (let i = 0; i < webhooks; i++) {
      const { id } = (await owner.call(ops.createWebhook, { body: { name: 'x', url: 'https://example.com/', events: ['*'] } })).body
      for (let j = 0; j < atOncePerWebhook; j++) await owner.call(ops.testWebhook, { params: { webhook_id: id } })
    }
  }
  await fill(many, 4)
  expect(await claimDeliveries(house.app, 8)).toHaveLength(8)
  await fill(one, 1)
  const accounts = async () => (await claimDeliveries(house.app, 3)).map(({ account_id }) => account_id)
  expect(await accounts(), 'whoever has less under way comes first').toEqual(Array.from({ length: 3 }, () => one.account_id))
  expect(new Set(await accounts())).toEqual(new Set([one.account_id, many.account_id]))
})

test('waits grow, with a fifth of chance, and end; pauses grow to an hour', () => {
  const [low, high] = [0, 1].map((random) => Array.from({ length: 10 }, (_, i) => waitAfter(i + 1, random)))
  expect(low!.at(-1)).toBeNull()
  for (let i = 1; i < 9; i++) expect(low![i]).toBeGreaterThan(high![i - 1]!)
  const usual = Array.from({ length: 9 }, (_, i) => waitAfter(i + 1, 0.5)!)
  expect(usual.reduce((sum, wait) => sum + wait)).toBeGreaterThan(24 * 3_600_000)
  expect([10, 11, 12, 15, 16, 17, 1000].map((failures) => pauseAfter(failures) / 60_000)).toEqual([1, 2, 4, 32, 60, 60, 60])
})

test('a try that ends while its webhook is switched off or sent by hand waits its turn: neither stops the other', async () => {
  await using house = await openHouse({ config })
  const ada = await house.newOwner()
  const { id } = (await ada.call(ops.createWebhook, { body: { name: 'x', url: 'https://example.com/', events: ['*'] } })).body
  await ada.call(ops.testWebhook, { params: { webhook_id: id } })
  const [claimed] = await claimDeliveries(house.app, 1)
  let ending: Promise<void> | undefined
  let disabling: ReturnType<typeof ada.call> | undefined
  const waiting = async () =>
    (
      await sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(house.db)
    ).rows[0]!.count
  await house.db.transaction().execute(async (tx) => {
    await tx.selectFrom('webhook').select('id').where('id', '=', id).forUpdate().execute()
    disabling = ada.call(ops.disableWebhook, { params: { webhook_id: id } })
    await expect.poll(waiting).toBe(1)
    ending = finishDelivery(house.app, claimed!, { status: 200, words: null, duration_ms: 1, reply: '' })
    await expect.poll(waiting).toBe(2)
  })
  const [ended, disabled] = await Promise.allSettled([ending, disabling])
  expect(ended.status).toBe('fulfilled')
  expect(disabled).toMatchObject({ value: { status: 200 } })
})
