import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { newId } from '@masthead/contract/kernel/id'
import { createApiKey } from '@masthead/contract/developers/operations'
import { acknowledgeAlerts, getAlert, getSummary, listAlerts, readAlerts, setPreference } from '@masthead/contract/notifications/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { tasks } from '../tasks.ts'
import { resolveEndedCauses } from './ended-causes.ts'
import { newAsset, setBlock } from './test-alerts.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const alertsOf = async (person: Person, query: object = {}) => {
  const { status, body } = await person.call(listAlerts, { query })
  expect(status, body.detail).toBe(200)
  return body.items
}
const effect = tasks.find(({ name }) => name === 'notifications.update_alerts')!
const again = (account_id: string, event_id: string) => effect.run(house.app, { account_id, event_id } as never)

describe('a blocked SIM', () => {
  test('is an alert until the block is lifted', async () => {
    const owner = await house.newOwner()
    const sim = await newAsset(house, owner, 'truck')
    await setBlock(house, owner, sim, 'data_limit', true)
    await house.settle()
    const [alert] = await alertsOf(owner)
    expect(alert).toMatchObject({
      severity: 'warn',
      source: 'policy',
      state: 'open',
      title: 'truck has no service: data limit reached',
      words: 'Used 1 GB of 1 GB',
      asset_id: sim.asset_id,
      link: `/assets/${sim.asset_id}`,
      count: 1,
      read: false,
    })
    await setBlock(house, owner, sim, 'data_limit', false)
    await house.settle()
    expect(await alertsOf(owner)).toMatchObject([{ id: alert!.id, state: 'resolved', resolved_words: 'The block was lifted' }])
  })

  test('reported again by a repeated job, it is counted once; happening again, it is counted', async () => {
    const owner = await house.newOwner()
    const sim = await newAsset(house, owner, 'truck')
    const event_id = await setBlock(house, owner, sim, 'data_limit', true)
    await house.settle()
    await Promise.all([again(owner.account_id, event_id), again(owner.account_id, event_id), again(owner.account_id, event_id)])
    expect(await alertsOf(owner)).toMatchObject([{ count: 1 }])
    house.clock.advance({ minutes: 1 })
    await setBlock(house, owner, sim, 'data_limit', true)
    await house.settle()
    const [alert] = await alertsOf(owner)
    expect(alert).toMatchObject({ count: 2, last_at: house.clock.now().toISOString() })
    expect((await owner.call(getAlert, { params: { alert_id: alert!.id } })).body.happened_at).toHaveLength(2)
    expect(await house.db.selectFrom('alert_delivery').selectAll().where('account_id', '=', owner.account_id).execute()).toHaveLength(1)
  })

  test('whose end is reported first does not stand for ever', async () => {
    const owner = await house.newOwner()
    const sim = await newAsset(house, owner, 'truck')
    const begun = await setBlock(house, owner, sim, 'data_limit', true)
    const ended = await setBlock(house, owner, sim, 'data_limit', false)
    await again(owner.account_id, ended)
    await again(owner.account_id, begun)
    expect(await alertsOf(owner)).toMatchObject([{ state: 'resolved' }])
    await house.settle()
    expect(await alertsOf(owner)).toMatchObject([{ state: 'resolved', count: 1 }])
  })

  test('that comes and goes is one alert; long after, it is another', async () => {
    const owner = await house.newOwner()
    const sim = await newAsset(house, owner, 'truck')
    const again = async () => {
      for (const on of [true, false]) {
        await setBlock(house, owner, sim, 'data_limit', on)
        await house.settle()
      }
    }
    await again()
    const { id } = (await alertsOf(owner))[0]!
    house.clock.advance({ minutes: 10 })
    await setBlock(house, owner, sim, 'data_limit', true)
    await house.settle()
    expect(await alertsOf(owner)).toMatchObject([{ id, state: 'open', count: 2, resolved_at: null }])
    await again()
    house.clock.advance({ hours: 1 })
    await again()
    expect(await alertsOf(owner)).toHaveLength(2)
  })

  test('for one reason with many others is one alert, until the last of them has service', async () => {
    const owner = await house.newOwner()
    const sims = await Promise.all(['a', 'b', 'c'].map((name) => newAsset(house, owner, name)))
    for (const sim of sims) await setBlock(house, owner, sim, 'balance', true)
    await house.settle()
    expect(await alertsOf(owner)).toMatchObject([
      { title: 'a and 2 more have no service: no credits left', count: 3, asset_id: null, link: '/assets?search=block:balance' },
    ])
    for (const [i, sim] of sims.entries()) {
      await setBlock(house, owner, sim, 'balance', false)
      await house.settle()
      expect(await alertsOf(owner)).toMatchObject([{ state: i < 2 ? 'open' : 'resolved' }])
    }
  })

  test('names of those it holds the ones that its reader may see', async () => {
    const owner = await house.newOwner()
    const { account_id } = owner
    const tag_id = newId('tag')
    await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
    const rights = ['notifications.view', 'assets.view']
    const [limited, blind] = [await house.newMember(owner, rights, [tag_id]), await house.newMember(owner, rights, [newId('tag')])]
    const a = await newAsset(house, owner, 'a')
    for (const sim of [a, await newAsset(house, owner, 'b', tag_id)]) await setBlock(house, owner, sim, 'balance', true)
    await house.settle()
    const title = async (person: Person) => (await alertsOf(person))[0]!.title
    expect(await title(owner)).toBe('a and b have no service: no credits left')
    expect(await title(limited)).toBe('b has no service: no credits left')
    expect((await alertsOf(blind))[0]).toMatchObject({ title: 'SIMs outside your tags have no service: no credits left', link: null })
    await setBlock(house, owner, a, 'balance', false)
    await house.settle()
    const { id } = (await alertsOf(owner))[0]!
    expect((await owner.call(getAlert, { params: { alert_id: id } })).body.title).toBe('b has no service: no credits left')
  })

  test('that is terminated is over, without an event of the block', async () => {
    const owner = await house.newOwner()
    const sim = await newAsset(house, owner, 'truck')
    await setBlock(house, owner, sim, 'data_limit', true)
    await house.settle()
    await resolveEndedCauses(house.app)
    expect(await alertsOf(owner)).toMatchObject([{ state: 'open' }])
    await house.db.updateTable('sim').set({ state: 'terminated' }).where('id', '=', sim.sim_id).execute()
    await resolveEndedCauses(house.app)
    expect(await alertsOf(owner)).toMatchObject([{ state: 'resolved', resolved_words: 'It is over' }])
  })
})

test('a hundred tellings at once make one alert for each cause', async () => {
  const owner = await house.newOwner()
  const sims = await Promise.all(['a', 'b'].map((name) => newAsset(house, owner, name)))
  const events: string[] = []
  for (let i = 0; i < 50; i++) for (const sim of sims) events.push(await setBlock(house, owner, sim, 'data_limit', true))
  await Promise.all(events.map((id) => again(owner.account_id, id)))
  expect(await alertsOf(owner)).toMatchObject([{ count: 50 }, { count: 50 }])
})

describe('who sees what', () => {
  test('a member limited by tags sees only what is about their assets; others see nothing', async () => {
    const owner = await house.newOwner()
    const { account_id } = owner
    const tag_id = newId('tag')
    await house.db.insertInto('tag').values({ account_id, id: tag_id, name: 'north', color: 'teal' }).execute()
    const [theirs, hidden] = [await newAsset(house, owner, 'theirs', tag_id), await newAsset(house, owner, 'hidden')]
    for (const sim of [theirs, hidden]) await setBlock(house, owner, sim, 'data_limit', true)
    await house.settle()
    const [second, first] = await alertsOf(owner)
    const member = await house.newMember(owner, ['notifications.view', 'notifications.edit', 'assets.view'], [tag_id])
    expect((await alertsOf(member)).map(({ id }) => id)).toEqual([first!.id])
    expect((await member.call(getSummary)).body).toEqual({ unread: 1, open: { info: 0, warn: 1, critical: 0 } })
    expect((await member.call(getAlert, { params: { alert_id: second!.id } })).status).toBe(404)
    for (const op of [acknowledgeAlerts, readAlerts])
      expect((await member.call(op, { body: { alert_ids: [first!.id, second!.id] } })).status).toBe(404)
    expect((await member.call(acknowledgeAlerts, { body: {} })).body).toEqual({ acknowledged: 1 })
    expect((await alertsOf(owner)).map(({ state }) => state)).toEqual(['open', 'acknowledged'])
    // Nor do the activities say what was acknowledged there.
    expect((await owner.call(acknowledgeAlerts, { body: { alert_ids: [second!.id] } })).body).toEqual({ acknowledged: 1 })
    const said = (person: Person) => person.call(listActivities, { query: { category: ['notifications'] } as never })
    expect((await said(owner)).body.items.map(({ sentence }) => sentence)).toEqual([
      `Acknowledged the alert ${second!.title}`,
      `Acknowledged the alert ${first!.title}`,
    ])
    expect((await said(member)).body.items.map(({ sentence }) => sentence)).toEqual([`Acknowledged the alert ${first!.title}`])
    const blind = await house.newMember(owner, ['notifications.view'])
    expect(await alertsOf(blind)).toEqual([])
    expect((await (await house.newMember(owner, ['assets.view'])).call(listAlerts)).status).toBe(403)
    expect(await alertsOf(await house.newOwner())).toEqual([])
  })
})

describe('acknowledged and read', () => {
  async function newScene() {
    const owner = await house.newOwner()
    for (const name of ['a', 'b', 'c']) await setBlock(house, owner, await newAsset(house, owner, name), 'data_limit', true)
    await house.settle()
    return { owner, alerts: await alertsOf(owner) }
  }

  test('one, several, all: for everybody, once, and in the activities', async () => {
    const { owner, alerts } = await newScene()
    const member = await house.newMember(owner, ['notifications.view', 'notifications.edit', 'assets.view'])
    const acknowledge = async (body: { alert_ids?: string[] }) => (await member.call(acknowledgeAlerts, { body })).body.acknowledged
    expect(await acknowledge({ alert_ids: [alerts[0]!.id] })).toBe(1)
    expect(await acknowledge({ alert_ids: [alerts[0]!.id, alerts[1]!.id] })).toBe(1)
    expect(await acknowledge({})).toBe(1)
    expect(await acknowledge({})).toBe(0)
    expect(await alertsOf(owner)).toMatchObject(Array(3).fill({ state: 'acknowledged', acknowledged_by: member.email }))
    expect((await house.events(owner.account_id)).filter(({ name }) => name.startsWith('notifications.'))).toMatchObject([
      { actor_email: member.email, detail: { count: 1, title: alerts[0]!.title } },
      { detail: { count: 1 } },
      { detail: { count: 1 } },
    ])
    expect((await (await house.newMember(owner, ['notifications.view'])).call(acknowledgeAlerts, { body: {} })).status).toBe(403)
  })

  test('read is each person’s own, and what happens again is unread again', async () => {
    const { owner, alerts } = await newScene()
    const member = await house.newMember(owner, ['notifications.view', 'assets.view'])
    const unread = async (person: Person) => (await person.call(getSummary)).body.unread
    expect((await member.call(readAlerts, { body: { alert_ids: [alerts[0]!.id] } })).body).toEqual({ changed: 1 })
    expect([await unread(member), await unread(owner)]).toEqual([2, 3])
    expect(await alertsOf(member, { unread: 'true' })).toHaveLength(2)
    expect((await member.call(readAlerts, { body: {} })).body).toEqual({ changed: 2 })
    expect(await unread(member)).toBe(0)
    house.clock.advance({ minutes: 1 })
    const [sim] = await house.db
      .selectFrom('sim')
      .innerJoin('asset', 'asset.id', 'sim.asset_id')
      .select(['sim.id as sim_id', 'sim.asset_id', 'iccid', 'asset.name as asset_name'])
      .where('sim.account_id', '=', owner.account_id)
      .execute()
    await setBlock(house, owner, sim!, 'data_limit', true)
    await house.settle()
    expect(await unread(member)).toBe(1)
    expect((await member.call(readAlerts, { body: { read: false } })).body).toEqual({ changed: 3 })
    expect(await unread(member)).toBe(3)
  })

  test('filters, pages and the reader’s own choice', async () => {
    const { owner, alerts } = await newScene()
    await owner.call(acknowledgeAlerts, { body: { alert_ids: [alerts[1]!.id] } })
    expect(await alertsOf(owner, { state: 'open' })).toHaveLength(2)
    expect(await alertsOf(owner, { state: ['open', 'acknowledged'], severity: 'warn', source: 'policy' })).toHaveLength(3)
    expect(await alertsOf(owner, { severity: 'critical' })).toEqual([])
    expect(await alertsOf(owner, { asset_id: alerts[2]!.asset_id! })).toMatchObject([{ id: alerts[2]!.id }])
    const first = await owner.call(listAlerts, { query: { page_size: 2 } })
    expect(first.body).toMatchObject({ total: 3, items: alerts.slice(0, 2).map(({ id }) => ({ id })) })
    expect(await alertsOf(owner, { page_size: 2, after: first.body.next! })).toMatchObject([{ id: alerts[2]!.id }])
    expect(await alertsOf(owner, { page_size: 2, page: 2 })).toMatchObject([{ id: alerts[2]!.id }])
    const wanted = {
      in_app: ['critical' as const],
      mail: [],
      webhook: [],
      muted: [],
      quiet_from: null,
      quiet_to: null,
      timezone: 'UTC',
      urgent: true,
    }
    await owner.call(setPreference, { body: { ...wanted, cooldown_minutes: 60 } })
    expect(await alertsOf(owner)).toEqual([])
    expect((await owner.call(getSummary)).body.unread).toBe(0)
    await owner.call(setPreference, { body: { ...wanted, in_app: ['warn'], muted: ['policy'], cooldown_minutes: 60 } })
    expect(await alertsOf(owner)).toEqual([])
  })
})

test('a person’s preferences are no place to put things', async () => {
  const owner = await house.newOwner()
  const wish = { mail: [], webhook: [], muted: [], quiet_from: null, quiet_to: null, timezone: 'UTC', urgent: true, cooldown_minutes: 0 }
  const many = await owner.call(setPreference, { body: { ...wish, in_app: Array(1000).fill('info') as never } })
  expect(many).toMatchObject({ status: 400, body: { fields: { in_app: expect.any(String) } } })
})

test('by urgency what is open comes first, the worst of it at the top; what one did oneself is apart', async () => {
  const owner = await house.newOwner()
  const other = await house.newMember(owner, ['notifications.view', 'developers.view', 'assets.view'])
  const [calm, bad, gone] = [
    await newAsset(house, owner, 'calm'),
    await newAsset(house, owner, 'bad'),
    await newAsset(house, owner, 'gone'),
  ]
  for (const [sim, code] of [
    [bad, 'imei_mismatch'],
    [gone, 'imei_mismatch'],
    [calm, 'data_limit'],
  ] as const) {
    house.clock.advance({ minutes: 1 })
    await setBlock(house, owner, sim, code, true)
  }
  house.clock.advance({ minutes: 1 })
  await setBlock(house, owner, gone, 'imei_mismatch', false)
  await owner.call(createApiKey, { body: { name: 'mine', scopes: ['assets.view'] } })
  await house.settle()
  const titles = async (person: Person, query: object) =>
    (await person.call(listAlerts, { query })).body.items.map(({ title }) => title.split(' ')[0])
  expect(await titles(owner, { sort: 'urgency', own: 'false' })).toEqual(['bad', 'calm', 'gone'])
  expect(await titles(owner, { own: 'true' })).toEqual([owner.email])
  expect(await titles(other, { sort: 'urgency', own: 'false' })).toEqual(['bad', 'calm', owner.email, 'gone'])
  expect((await owner.call(getSummary)).body).toEqual({ unread: 3, open: { critical: 1, warn: 1, info: 0 } })
  // Page by page it is the same order.
  const first = await owner.call(listAlerts, { query: { sort: 'urgency', own: 'false', page_size: 2 } })
  expect(await titles(owner, { sort: 'urgency', own: 'false', page_size: 2, after: first.body.next! })).toEqual(['gone'])
})
