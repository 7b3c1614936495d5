import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '@masthead/contract/developers/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addNetworks, addTag, addUsage } from '../../usage/test-usage.ts'
import { newWebhook, openReceiver, saying, type Received } from './test-receiver.ts'
import { addUsageHours } from './usage-hours.ts'
import { sendDue } from './webhook-sender.ts'

let house: House
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
  await addNetworks(house)
})
afterAll(() => house[Symbol.asyncDispose]())

type Usage = { type: string; timestamp: string; data: { account_id: string; hour: string; sims: Record<string, unknown>[] } }
const said = (received: Received[]) => received.map(({ body }) => JSON.parse(body) as Usage)

/** A time of the day, up to which all usage is counted. */
async function at(time: string) {
  house.clock.set(`2026-11-21T${time}:00Z`)
  await sql`insert into rollup_progress as p (name, xid, complete_until) values ('usage', '1'::xid8, ${house.clock.now()})
    on conflict (name) do update set complete_until = excluded.complete_until`.execute(house.db)
  await addUsageHours(house.app)
}

/** An owner with two SIMs, one of them tagged, and a webhook of usage since 9:10. */
async function openScene(receiver: { url: string }, { maker }: { maker?: (owner: Person, tag: string) => Promise<Person> } = {}) {
  house.clock.set('2026-11-21T09:10:00Z')
  const owner = await house.newOwner()
  const tag = await addTag(house, owner, 'north')
  const [truck, van] = [await addAsset(house, owner, { name: 'truck', tags: [tag] }), await addAsset(house, owner, { name: 'van' })]
  const who = (await maker?.(owner, tag)) ?? owner
  const webhook = await newWebhook(who, receiver.url, { events: ['usage.hour'], ...(maker && { tags: [tag] }) })
  await at('09:10')
  await addUsage(house, owner, [
    { sim_id: truck.sim_id, hour: '2026-11-21T08:00:00Z', up: 1, down: 1 },
    { sim_id: truck.sim_id, hour: '2026-11-21T09:00:00Z', up: 700, down: 30 },
    { sim_id: truck.sim_id, hour: '2026-11-21T09:00:00Z', up: 40, down: 2, mccmnc: '208-01' },
    { sim_id: van.sim_id, hour: '2026-11-21T09:00:00Z', up: 5, down: 0 },
  ])
  return { owner, truck, van, who, webhook }
}

test('the hours that are over are sent once each, with what each SIM used, signed and logged', async () => {
  await using receiver = await openReceiver()
  const { owner, truck, van, webhook } = await openScene(receiver)
  await at('10:05') // late reports of the hour before may come
  expect(await sendDue(house.app)).toBe(0)
  await at('10:06')
  await at('10:07')
  expect(await sendDue(house.app)).toBe(1)
  expect(said(receiver.received)).toEqual([
    {
      type: 'usage.hour',
      timestamp: '2026-11-21T10:00:00.000Z',
      data: {
        account_id: owner.account_id,
        hour: '2026-11-21T09:00:00.000Z',
        sims: expect.arrayContaining([
          { asset_id: truck.asset_id, iccid: truck.iccid, bytes_up: 740, bytes_down: 32 },
          { asset_id: van.asset_id, iccid: van.iccid, bytes_up: 5, bytes_down: 0 },
        ]) as unknown,
      },
    },
  ])
  expect(said(receiver.received)[0]!.data.sims).toHaveLength(2)
  expect(receiver.received[0]!.headers['webhook-signature']).toMatch(/^v1,/)
  const { items } = (await owner.call(ops.listDeliveries, { params: webhook.params })).body
  expect(items).toMatchObject([{ type: 'usage.hour', event_id: null, state: 'delivered' }])
  const params = { ...webhook.params, delivery_id: items[0]!.id }
  expect((await owner.call(ops.getDelivery, { params })).body.body).toBe(receiver.received[0]!.body)
  // An hour in which nothing was used is not sent.
  await at('11:10')
  expect(await sendDue(house.app)).toBe(0)
})

test('a piece has so many SIMs at most, and none is left out', async () => {
  await using receiver = await openReceiver()
  const { owner, webhook } = await openScene(receiver)
  const { account_id } = owner
  await house.db.transaction().execute(async (tx) => {
    await sql`insert into asset (account_id, id, type, serial, name) select ${account_id}, 'ast_p' || ${account_id} || n, 'core', 'P' || ${account_id} || n, 'p'
      from generate_series(1, 900) n`.execute(tx)
    await sql`insert into sim (account_id, id, asset_id, iccid, state) select ${account_id}, 'sim_p' || ${account_id} || n, 'ast_p' || ${account_id} || n,
      '895' || lpad(n::text, 16, '0'), 'active' from generate_series(1, 900) n`.execute(tx)
    await sql`insert into usage_open_hour select ${account_id}, 'sim_p' || ${account_id} || n, '2026-11-21T09:00:00Z', '262-01', 'LTE', n, 0
      from generate_series(1, 900) n`.execute(tx)
  })
  await at('10:10')
  expect(await sendDue(house.app)).toBe(3)
  const pieces = said(receiver.received)
  for (const { body } of receiver.received) expect(Buffer.byteLength(body)).toBeLessThan(64 * 1024)
  const sims = pieces.flatMap(({ data }) => data.sims)
  expect(new Set(sims.map(({ iccid }) => iccid)).size).toBe(902)
  expect(sims.reduce((sum, { bytes_up }) => sum + (bytes_up as number), 0)).toBe((900 * 901) / 2 + 745)
  expect((await owner.call(ops.listDeliveries, { params: webhook.params })).body.total).toBe(3)
})

test('who sees some assets alone is sent theirs, and without the permission to see usage there is no such webhook', async () => {
  await using receiver = await openReceiver()
  const rights = ['developers.view', 'developers.edit', 'overview.view', 'usage.view']
  const { owner, truck, who } = await openScene(receiver, { maker: (owner, tag) => house.newMember(owner, rights, [tag]) })
  await at('10:10')
  await sendDue(house.app)
  expect(said(receiver.received)[0]!.data.sims).toEqual([{ asset_id: truck.asset_id, iccid: truck.iccid, bytes_up: 740, bytes_down: 32 }])
  const blind = await house.newMember(owner, rights.slice(0, 3))
  const asked = { name: 'x', url: receiver.url, events: ['usage.hour'], tags: [] }
  expect((await blind.call(ops.createWebhook, { body: asked })).body).toMatchObject({
    code: 'forbidden',
    detail: expect.stringContaining('usage.view') as string,
  })
  // All events bring no usage, and need no right to it.
  expect((await blind.call(ops.createWebhook, { body: { ...asked, events: ['*'] } })).status).toBe(200)
  expect((await blind.call(ops.listWebhookEvents, {})).body.items.map(({ name }) => name)).toContain('usage.hour')
  // What was taken away since is not sent.
  await addUsage(house, owner, [{ sim_id: truck.sim_id, hour: '2026-11-21T10:00:00Z', up: 9, down: 0 }])
  receiver.answers(saying(500))
  await at('11:10')
  expect(await sendDue(house.app)).toBe(1)
  await sql`update membership set permissions = ${rights.slice(0, 3)} where person_id = (select id from person where email = ${who.email})`.execute(
    house.db
  )
  const before = receiver.received.length
  house.clock.advance({ minutes: 1 })
  expect(await sendDue(house.app)).toBe(1)
  expect(receiver.received).toHaveLength(before)
})

test('a webhook that was off begins with the hour that runs', async () => {
  await using receiver = await openReceiver()
  const { owner, truck, webhook } = await openScene(receiver)
  await owner.call(ops.disableWebhook, { params: webhook.params })
  await at('11:10')
  await owner.call(ops.enableWebhook, { params: webhook.params })
  await at('11:20')
  await addUsage(house, owner, [{ sim_id: truck.sim_id, hour: '2026-11-21T11:00:00Z', up: 9, down: 0 }])
  await at('12:10')
  await sendDue(house.app)
  expect(said(receiver.received).map(({ data }) => data.hour)).toEqual(['2026-11-21T11:00:00.000Z'])
})

test('a webhook for which an hour cannot be added keeps no other waiting', async () => {
  await using receiver = await openReceiver()
  const scenes = [await openScene(receiver), await openScene(receiver)]
  const hours = async ({ owner, webhook }: (typeof scenes)[number]) =>
    (await owner.call(ops.listDeliveries, { params: webhook.params })).body.total
  await sql`create function no_delivery() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`.execute(house.db)
  for (const [n, broken] of scenes.entries()) {
    const other = scenes[1 - n]!
    await sql`create trigger no_delivery before insert on webhook_delivery for each row
      when (new.account_id = ${sql.lit(broken.owner.account_id)}) execute function no_delivery()`.execute(house.db)
    const ended = 10 + 2 * n
    await expect(at(`${ended}:10`)).rejects.toThrow('not now')
    expect([await hours(broken), await hours(other)]).toEqual([n, n + 1])
    await sql`drop trigger no_delivery on webhook_delivery`.execute(house.db)
    await at(`${ended}:11`)
    expect([await hours(broken), await hours(other)]).toEqual([n + 1, n + 1])
    for (const { owner, truck } of scenes)
      await addUsage(house, owner, [{ sim_id: truck.sim_id, hour: `2026-11-21T${ended + 1}:00:00Z`, up: 9, down: 0 }])
  }
})
