import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fleetDeleted } from '@masthead/contract/alpon-fleets/events'
import { deploymentDeleted } from '@masthead/contract/core/events'
import { deviceConfigured } from '@masthead/contract/devices/events'
import { slugChosen } from '@masthead/contract/registry/events'
import { exportActivities, getActivity, listActivities } from '@masthead/contract/activities/operations'
import { startBulkChange } from '@masthead/contract/assets/bulk/bulk-operations'
import { assetRenamed } from '@masthead/contract/assets/events'
import { passwordChanged } from '@masthead/contract/auth/events'
import { accountViewed } from '@masthead/contract/backoffice/events'
import { cardSetupChanged } from '@masthead/contract/billing/events'
import { apiKeyDeleted, webhookDeleted } from '@masthead/contract/developers/events'
import { createWebhook, listDeliveries } from '@masthead/contract/developers/operations'
import { poolRenamed } from '@masthead/contract/datapools/events'
import { eventCategories } from '@masthead/contract/event-reading'
import { permissions } from '@masthead/contract/kernel/permission'
import { groupRenamed } from '@masthead/contract/network-groups/events'
import { alertRaised, alertsAcknowledged } from '@masthead/contract/notifications/events'
import { getOverview } from '@masthead/contract/overview/operations'
import { reportRequested } from '@masthead/contract/reports/events'
import { tagCreated } from '@masthead/contract/tags/events'
import { terminalOpened } from '@masthead/contract/terminal/events'
import { memberRemoved } from '@masthead/contract/teams/events'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'
import { newKey } from '../developers/test-keys.ts'
import { systemActor, type Actor } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { eventsRead } from './events-read.ts'

let house: House
let owner: Person
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  owner = await house.newOwner()
})

/** One event of each category. */
async function happenAll(by: Partial<Actor> = {}) {
  const actor: Actor = { ...systemActor(owner.account_id, house.clock.now()), ...by }
  await house.db.transaction().execute(async (tx) => {
    await record(tx, actor, assetRenamed, { asset_id: 'ast_1', asset_name: 'b', old_name: 'a', new_name: 'b' })
    await record(tx, actor, passwordChanged, { by_mail: false })
    await record(tx, actor, accountViewed, { reason: 'A ticket' })
    await record(tx, actor, cardSetupChanged, { setup_intent_status: 'succeeded', payment_method: null })
    await record(tx, actor, apiKeyDeleted, { api_key_id: 'key_1', api_key_name: 'ci' })
    await record(tx, actor, alertsAcknowledged, { count: 2, alert_ids: ['alr_1', 'alr_2'], title: '2 alerts', needs: '' })
    await record(tx, actor, tagCreated, { tag_id: 'tag_1', tag_name: 'north' })
    await record(tx, actor, poolRenamed, { pool_id: 'dpl_1', pool_name: 'b', old_name: 'a', new_name: 'b' })
    await record(tx, actor, groupRenamed, { network_group_id: 'ngr_1', network_group_name: 'b', old_name: 'a', new_name: 'b' })
    await record(tx, actor, memberRemoved, { removed_member: 'x@example.test' })
    await record(tx, actor, fleetDeleted, { fleet_id: 'flt_1', fleet_name: 'a' })
    await record(tx, actor, deploymentDeleted, { core_deployment_id: 'cdp_1', deployment_name: 'a', enrolled: 0 })
    await record(tx, actor, deviceConfigured, { asset_id: 'ast_1', asset_name: 'b', keys: 'interval' })
    await record(tx, actor, slugChosen, { slug: 'acme' })
    await record(tx, actor, terminalOpened, { asset_id: 'ast_1', asset_name: 'b', terminal_id: 'ter_1' })
    await record(tx, actor, reportRequested, { report_id: 'rep_1', report_name: 'Usage', report_date: 'today' })
  })
}

/** By hand, and not from the contract: who reads what. */
const readBy: Record<string, string[]> = {
  'alpon_fleets.view': ['alpon_fleets'],
  'assets.view': ['assets', 'devices', 'tags', 'terminal'],
  'billing.view': ['billing'],
  'core.view': ['core'],
  'datapools.view': ['datapools'],
  'developers.view': ['developers'],
  'network_groups.view': ['network_groups'],
  'notifications.view': ['notifications'],
  'profile.view': ['auth', 'backoffice', 'teams'],
  'registry.view': ['registry'],
  'reports.view': ['reports'],
}
const readWith = (held: readonly string[]) => [...new Set(held.flatMap((name) => readBy[name] ?? []))].toSorted()
const all = [...eventCategories].toSorted()
const of = (items: readonly { metadata: { category: string } }[]) => [...new Set(items.map(({ metadata }) => metadata.category))].toSorted()

type Caller = Pick<Person, 'call'>

/** The categories that somebody finds in each place that shows activities. */
async function found(who: Caller) {
  const { items, total } = (await who.call(listActivities, { query: { page_size: '100' } as never })).body
  expect(items).toHaveLength(total)
  const csv = (await who.call(exportActivities)).text.trimEnd().split('\r\n').slice(1)
  const { rows } = await sql<{
    id: string
    category: string
  }>`select id, category from event where account_id = ${owner.account_id}`.execute(house.db)
  const opened = []
  for (const { id, category } of rows)
    if ((await who.call(getActivity, { params: { activity_id: id } })).status === 200) opened.push(category)
  return {
    list: of(items),
    csv: [...new Set(csv.map((line) => line.split(',')[1]))].toSorted(),
    opened: [...new Set(opened)].toSorted(),
  }
}
const everywhere = (categories: readonly string[]) => ({ list: categories, csv: categories, opened: categories })

describe('who reads what happened', () => {
  test('the owner everything, who was granted nothing nothing, and nobody of another account', async () => {
    await happenAll()
    expect(await found(owner)).toEqual(everywhere(all))
    expect(await found(await house.newMember(owner, []))).toEqual(everywhere([]))
    expect(await found(await house.newOwner())).toEqual(everywhere([]))
  })

  test.each(Object.keys(permissions))('with %s the same in list, CSV, drawer, overview, by key and by webhook', async (name) => {
    const held = [name, 'overview.view', 'developers.edit']
    const expected = readWith(held)
    const member = await house.newMember(owner, held)
    const key = await newKey(house, owner, [name, 'overview.view'])
    const made = await member.call(createWebhook, { body: { name: 'w', url: 'http://127.0.0.1:9/x', events: ['*'] } })
    house.clock.advance({ minutes: 1 })
    await happenAll()
    expect(await found(key as never)).toEqual(everywhere(readWith([name])))
    // What they did themselves, making the webhook, they read as well.
    const [{ list, csv, opened }, own] = [await found(member), [...new Set([...expected, 'developers'])].toSorted()]
    expect([list, csv, opened]).toEqual([own, own, own])
    const latest = (await member.call(getOverview, { query: {} as never })).body.latest_activity
    expect(of(latest).filter((category) => !own.includes(category))).toEqual([])
    await house.settle()
    const told = await house.db.selectFrom('webhook_delivery').select('type').where('webhook_id', '=', made.body.id).execute()
    expect([...new Set(told.map(({ type }) => type.split('.')[0]))].toSorted()).toEqual(expected)
    // Whoever may see the webhook and less sees less of what it was sent.
    const viewer = await house.newMember(owner, ['developers.view'])
    const { items } = (await viewer.call(listDeliveries, { params: { webhook_id: made.body.id } })).body
    expect([...new Set(items.map(({ type }) => type.split('.')[0]))]).toEqual(expected.filter((category) => category === 'developers'))
  })

  test('everybody what they did themselves', async () => {
    const member = await house.newMember(owner, [])
    await happenAll({ kind: 'member', email: member.email })
    await happenAll()
    expect(await found(member)).toEqual(everywhere(all))
    expect((await member.call(listActivities)).body.total).toBe(all.length)
    expect((await member.call(listActivities, { query: { category: ['auth', 'teams'] } })).body.total).toBe(2)
    // Once each, also where they hold the permission.
    const both = await house.newMember(owner, Object.keys(permissions))
    await happenAll({ kind: 'member', email: both.email })
    expect((await both.call(listActivities)).body.total).toBe(3 * all.length)
  })

  test('a right that is taken away is gone with the next call', async () => {
    await happenAll()
    const member = await house.newMember(owner, ['profile.view'])
    expect((await member.call(listActivities)).body.total).toBe(3)
    await house.db.updateTable('membership').set({ permissions: [] }).where('account_id', '=', owner.account_id).execute()
    expect((await member.call(listActivities)).body.total).toBe(0)
  })
})

test('what shows an alert asks for what the alert asks for', async () => {
  const alert = { alert_id: 'alr_1', severity: 'warn' as const, source: 'security' as const, words: 'w', count: 1, asset_id: null }
  await house.db.transaction().execute(async (tx) => {
    const actor = systemActor(owner.account_id, house.clock.now())
    for (const needs of ['owner', 'developers.view', '', undefined])
      await record(tx, actor, alertRaised, { ...alert, title: `for ${needs}`, ...(needs !== undefined && { needs }) })
  })
  const titles = async (...held: string[]) =>
    (await (await house.newMember(owner, held)).call(listActivities)).body.items.map(({ detail }) => detail.title).toSorted()
  expect(await titles('notifications.view')).toEqual(['for '])
  expect(await titles('notifications.view', 'developers.view')).toEqual(['for ', 'for developers.view'])
  expect((await owner.call(listActivities)).body.total).toBe(4)
})

describe('a member limited to tags', () => {
  test('reads of the change of many assets with the count of theirs, and nothing of one that has none', async () => {
    const [north, south] = [await tag('north'), await tag('south')]
    const mine = await addAsset(house, owner, { tags: [north] })
    const others = [await addAsset(house, owner, { tags: [south] }), await addAsset(house, owner, { tags: [south] })]
    const change = async (...assets: { id: string }[]) => {
      const body = { action: 'activate_sim', asset_ids: assets.map(({ id }) => id) }
      expect((await owner.call(startBulkChange, { body: body as never })).status).toBe(200)
      await house.settle()
    }
    await change(mine, ...others)
    const member = await house.newMember(owner, ['assets.view'], [north])
    const bulk = async (who: Person) =>
      (await who.call(listActivities, { query: { page_size: 100 } as never })).body.items.filter(
        ({ metadata }) => metadata.action === 'assets_changed'
      )
    expect(await bulk(owner)).toMatchObject([{ sentence: 'Activated the SIMs of 3 assets' }])
    expect(await bulk(member)).toMatchObject([{ sentence: 'Activated the SIMs of 1 asset', detail: { total: 1, changed: 1, left: 0 } }])
    // The rows of the change are of the others as well.
    expect([(await bulk(owner))[0]!.detail.results, (await bulk(member))[0]!.detail.results]).toEqual([expect.any(String), undefined])
    expect((await member.call(exportActivities)).text).not.toContain('3 assets')
    // The change is one line; what it did to an asset is a line of that asset's history alone.
    const sentences = async (query: object) =>
      (await owner.call(listActivities, { query: query as never })).body.items.map(({ sentence }) => sentence)
    expect((await sentences({ page_size: 100 })).filter((words) => words.startsWith('Activated'))).toEqual([
      'Activated the SIMs of 3 assets',
    ])
    expect((await owner.call(exportActivities)).text.match(/Activated/g)).toHaveLength(1)
    expect(await sentences({ asset_id: mine.id })).toContainEqual(expect.stringMatching(/^Activated the SIM of /))
    for (const { sim } of others) await house.db.updateTable('sim').set({ state: 'inactive' }).where('id', '=', sim!.id).execute()
    await change(...others)
    expect([(await bulk(owner)).length, (await bulk(member)).length]).toEqual([2, 1])
  })

  test('reads of no key, webhook or tag that may reach further than they do', async () => {
    const north = await tag('north')
    await tag('elsewhere')
    await house.db.transaction().execute(async (tx) => {
      const actor = systemActor(owner.account_id, house.clock.now())
      await record(tx, actor, apiKeyDeleted, { api_key_id: 'key_1', api_key_name: 'ci' })
      await record(tx, actor, webhookDeleted, { webhook_id: 'whk_1', webhook_name: 'all' })
    })
    const member = await house.newMember(owner, Object.keys(permissions), [north])
    expect((await member.call(listActivities)).body.items.map(({ sentence }) => sentence)).toEqual(['Created tag north'])
  })
})

const tag = async (name: string) => {
  const id = `tag_${owner.account_id}_${name}`
  await house.db.insertInto('tag').values({ account_id: owner.account_id, id, name, color: 'blue' }).execute()
  const actor = systemActor(owner.account_id, house.clock.now())
  await house.db.transaction().execute((tx) => record(tx, actor, tagCreated, { tag_id: id, tag_name: name }))
  return id
}

test('a page is found by indexes, whatever little one may read of it', async () => {
  const { account_id } = owner
  await sql`insert into event (account_id, id, category, action, actor_kind, actor_email, asset_id, detail)
    select ${account_id}, 'evt_' || lpad(i::text, 26, '0'), case when i % 1000 = 0 then 'auth' else 'assets' end, 'x',
      case when i % 5000 = 0 then 'staff' when i % 5000 = 1 then 'robot' else 'system' end, 'system', 'ast_' || i, '{}'
    from generate_series(1, 30000) i`.execute(house.db)
  await sql`analyze event`.execute(house.db)
  for (const held of [[], ['assets.view'], ['profile.view'], ['assets.view', 'profile.view', 'notifications.view']]) {
    const events = eventsRead(house.db, { account_id, permissions: held, tags: [], own: 'me@example.test' })
    const page = events.select('event.id').orderBy('event.id', 'desc').limit(26)
    const { rows } = await sql<Record<string, string>>`explain ${page}`.execute(house.db)
    const plan = rows.flatMap((row) => Object.values(row)).join('\n')
    expect(plan).toMatch(/Index (Only )?Scan Backward using event_/)
    expect(plan).not.toMatch(/Seq Scan|Bitmap|^\s*(->\s*)?(Incremental )?Sort\b(?! Key)/m)
  }
  // Of staff there may be one among all of them.
  const ofStaff = eventsRead(house.db, { account_id, permissions: 'all', tags: [], own: null }).where('actor_kind', '=', sql.lit('staff'))
  const { rows } = await sql<Record<string, string>>`explain ${ofStaff.select('event.id').orderBy('event.id', 'desc').limit(26)}`.execute(
    house.db
  )
  expect(JSON.stringify(rows)).toMatch(/Scan Backward using event_staff /)
  const ofRobot = eventsRead(house.db, { account_id, permissions: 'all', tags: [], own: null })
    .where('actor_kind', '=', sql.lit('robot'))
    .where('actor_key', '=', 'ci')
  const { rows: robots } = await sql`explain ${ofRobot.select('event.id').orderBy('event.id', 'desc').limit(26)}`.execute(house.db)
  expect(JSON.stringify(robots)).toMatch(/Scan Backward using event_robot /)
})
