import { afterAll, beforeEach, beforeAll, describe, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { getAsset } from '@masthead/contract/assets/operations'
import { createApiKey } from '@masthead/contract/developers/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../test-stock.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { bulkTasks } from './tasks.ts'
import { addMany } from './test-many.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())
beforeEach(async () => {
  ada = await house.newOwner()
})

const start = (body: unknown, who = ada) => who.call(bulk.startBulkChange, { body: body as never })
const preview = (body: unknown, who = ada) => who.call(bulk.previewBulkChange, { body: body as never })
const see = async ({ id }: Asset) => (await ada.call(getAsset, { params: { asset_id: id } })).body
const tagsOf = async (asset: Asset) => (await see(asset)).tags.map((tag) => tag.name)
const newTag = async (name: string) => (await ada.call(createTag, { body: { name } })).body.id
const namesOf = async () => (await house.events(ada.account_id)).map((event) => event.name)
const setState = (asset: Asset, state: string, changes = {}) =>
  house.db
    .updateTable('sim')
    .set({ state: state as never, ...changes })
    .where('id', '=', asset.sim!.id)
    .execute()

describe('SIMs', () => {
  test('each that can be is switched; the rest is left, with the reason', async () => {
    const assets = []
    for (const state of ['inactive', 'ready', 'active', 'terminated', 'inventory']) {
      const asset = await addAsset(house, ada, { name: state })
      await setState(asset, state)
      assets.push(asset)
    }
    const held = await addAsset(house, ada, { name: 'held' })
    await setState(held, 'inactive', {
      blocks: JSON.stringify([
        { code: 'staff', since: house.clock.now().toISOString(), by: 'staff', words: 'Held', clears: 'When lifted' },
      ]),
    })
    const bare = await addAsset(house, ada, { name: 'bare', iccid: null })
    const asset_ids = [...assets, held, bare].map(({ id }) => id)
    const expected = {
      total: 7,
      changed: 3,
      still_blocked: 1,
      left: expect.arrayContaining(['already', 'terminated', 'inventory', 'no_sim'].map((reason) => ({ reason, count: 1 }))),
    }
    expect((await preview({ action: 'activate_sim', asset_ids })).body).toEqual(expected)
    expect((await see(assets[0]!)).sim!.state).toBe('inactive')
    const before = (await namesOf()).length

    const { status, body } = await start({ action: 'activate_sim', asset_ids })
    expect([status, body]).toEqual([
      200,
      {
        ...expected,
        id: expect.stringMatching(/^blk_/),
        action: 'activate_sim',
        tags: [],
        network_group: null,
        done: 7,
        started_at: house.clock.now().toISOString(),
        started_by: ada.email,
        finished_at: house.clock.now().toISOString(),
        undoes: null,
        can_undo: true,
      },
    ])
    expect((await see(assets[0]!)).sim).toMatchObject({ state: 'active', state_changed_by: ada.email, activated_at: expect.any(String) })
    expect((await see(held)).sim).toMatchObject({ state: 'active', status: 'blocked' })
    expect((await see(assets[3]!)).sim!.state).toBe('terminated')
    const events = (await house.events(ada.account_id)).slice(before)
    expect(events.map(({ name }) => name)).toEqual([...Array(3).fill('assets.sim_activated'), 'assets.assets_changed'])
    expect(events[0]!.detail).toMatchObject({ asset_id: assets[0]!.id, asset_name: 'inactive', iccid: assets[0]!.sim!.iccid })
    expect(events.at(-1)).toMatchObject({ actor_email: ada.email, detail: { bulk_id: body.id, total: 7, changed: 3, left: 4, tags: '' } })

    const left = await ada.call(bulk.listLeftAssets, { params: { bulk_id: body.id } })
    expect(left.body).toMatchObject({ total: 4, total_capped: false, next: null })
    expect(left.body.items.map(({ name, reason }) => [name, reason]).toSorted()).toEqual([
      ['active', 'already'],
      ['bare', 'no_sim'],
      ['inventory', 'inventory'],
      ['terminated', 'terminated'],
    ])
    const page = await ada.call(bulk.listLeftAssets, { params: { bulk_id: body.id }, query: { page_size: '3' } as never })
    const next = { params: { bulk_id: body.id }, query: { after: page.body.next! } as never }
    expect([...page.body.items, ...(await ada.call(bulk.listLeftAssets, next)).body.items]).toEqual(left.body.items)
  })

  test('deactivating asks the gateways of each to disconnect, and again changes nothing and is no event', async () => {
    const asset = await addAsset(house, ada, { name: 'Pump 7' })
    const asset_ids = [asset.serial.toLowerCase(), asset.sim!.iccid, asset.id, 'X4-nothing']
    expect((await start({ action: 'deactivate_sim', asset_ids })).body).toMatchObject({ changed: 1, left: [{ reason: 'gone', count: 1 }] })
    await house.settle()
    const before = await namesOf()
    expect((await start({ action: 'deactivate_sim', asset_ids })).body).toMatchObject({ changed: 0, total: 2 })
    expect(await namesOf()).toEqual(before)
  })
})

describe('tags', () => {
  test('are added to those that have them not, and taken off those that have', async () => {
    const [cold, warm] = [await newTag('cold'), await newTag('warm')]
    const both = await addAsset(house, ada, { tags: [cold, warm] })
    const one = await addAsset(house, ada, { tags: [cold] })
    const none = await addAsset(house, ada)
    const asset_ids = [both, one, none].map(({ id }) => id)
    expect((await start({ action: 'add_tags', tags: ['COLD', warm], asset_ids })).body).toMatchObject({
      changed: 2,
      left: [{ reason: 'already', count: 1 }],
      tags: [
        { id: cold, name: 'cold' },
        { id: warm, name: 'warm' },
      ],
    })
    expect(await tagsOf(one)).toEqual(['cold', 'warm'])
    const events = (await house.events(ada.account_id)).slice(-4)
    // One for each tag an asset was given, none for those it had.
    expect(events.map(({ name }) => name)).toEqual([...Array(3).fill('tags.tag_assigned'), 'assets.assets_changed'])
    expect((await start({ action: 'remove_tags', tags: [cold], asset_ids })).body).toMatchObject({ changed: 3, left: [] })
    expect(await tagsOf(both)).toEqual(['warm'])
    expect((await start({ action: 'remove_tags', tags: [cold], asset_ids })).body).toMatchObject({ changed: 0 })
  })

  test('an asset with all the tags it can have is left', async () => {
    const many = await addAsset(house, ada, { tags: await Promise.all(Array.from({ length: 50 }, (_, i) => newTag(`t${i}`))) })
    const last = await newTag('last')
    expect((await start({ action: 'add_tags', tags: [last], asset_ids: [many.id] })).body).toMatchObject({
      changed: 0,
      left: [{ reason: 'too_many_tags', count: 1 }],
    })
  })
})

describe('all that match', () => {
  test('are those that matched when it was agreed, but some', async () => {
    const [a, b, c] = [
      await addAsset(house, ada, { name: 'van 1' }),
      await addAsset(house, ada, { name: 'van 2' }),
      await addAsset(house, ada),
    ]
    const wanted = { action: 'deactivate_sim', filter: { search: 'van' } }
    expect((await preview(wanted)).body).toMatchObject({ total: 2, changed: 2 })
    expect(await start({ ...wanted, count: 3 })).toMatchObject({
      status: 409,
      body: { code: 'bulk_selection_changed', detail: expect.stringContaining('2 assets match now') },
    })
    expect(await start(wanted)).toMatchObject({ status: 400, body: { fields: { count: expect.any(String) } } })
    expect((await see(a)).sim!.state).toBe('ready')
    expect((await start({ ...wanted, except: [a.id], count: 1 })).body).toMatchObject({ total: 1, changed: 1 })
    expect(await Promise.all([a, b, c].map(async (asset) => (await see(asset)).sim!.state))).toEqual(['ready', 'inactive', 'ready'])
  })

  test('many are changed in parts by a job, which goes on where it was and changes none that came to match later', async () => {
    await addMany(house, ada, 1201)
    const { body } = await start({ action: 'activate_sim', filter: { type: ['picolte'] }, count: 1201 })
    expect(body).toMatchObject({ total: 1201, done: 0, finished_at: null })
    const late = await addAsset(house, ada, { type: 'picolte' })
    await house.settle()
    const { body: now } = await ada.call(bulk.getBulkChange, { params: { bulk_id: body.id } })
    expect(now).toMatchObject({ total: 1201, done: 1201, changed: 1201, left: [], finished_at: expect.any(String) })
    expect((await see(late)).sim!.state).toBe('ready')
    const names = await namesOf()
    expect(names.filter((name) => name === 'assets.sim_activated')).toHaveLength(1201)
    expect(names.filter((name) => name === 'assets.assets_changed')).toHaveLength(1)
  })

  test('a part that is asked for twice is done once', async () => {
    await addMany(house, ada, 700)
    const { body } = await start({ action: 'deactivate_sim', filter: {}, count: 700 })
    const again = { account_id: ada.account_id, bulk_id: body.id, part: 0 }
    await house.db.transaction().execute((tx) => addJob(tx, 'change_assets', again))
    await house.settle()
    expect((await namesOf()).filter((name) => name === 'assets.sim_deactivated')).toHaveLength(700)
    expect((await ada.call(bulk.getBulkChange, { params: { bulk_id: body.id } })).body).toMatchObject({ done: 700, changed: 700 })
  })

  test('more than one change takes is refused', async () => {
    await addMany(house, ada, 100_001, { bare: true })
    expect(await preview({ action: 'activate_sim', filter: {} })).toMatchObject({ status: 409, body: { code: 'bulk_too_many' } })
    expect(await start({ action: 'activate_sim', filter: {}, count: 100_001 })).toMatchObject({
      status: 409,
      body: { code: 'bulk_too_many' },
    })
  })
})

describe('a member limited by tags', () => {
  test('reaches theirs alone, keeps one of theirs on each, and sees what they began themselves', async () => {
    const [cold, dry, warm] = [await newTag('cold'), await newTag('dry'), await newTag('warm')]
    const [mine, twice] = [await addAsset(house, ada, { tags: [cold, warm] }), await addAsset(house, ada, { tags: [cold, dry] })]
    const hidden = await addAsset(house, ada, { tags: [warm] })
    const member = await house.newMember(ada, ['assets.view', 'assets.edit'], [cold, dry])
    const all = { asset_ids: [mine.id, twice.id, hidden.id] }
    const answer = await start({ action: 'deactivate_sim', filter: {}, count: 2 }, member)
    expect(answer.body).toMatchObject({ total: 2, changed: 2 })
    expect((await see(hidden)).sim!.state).toBe('ready')
    expect((await start({ action: 'activate_sim', ...all }, member)).body).toMatchObject({
      changed: 2,
      left: [{ reason: 'gone', count: 1 }],
    })
    expect(await start({ action: 'activate_sim', asset_ids: [hidden.id] }, member)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect(await start({ action: 'add_tags', tags: [warm], ...all }, member)).toMatchObject({ status: 400, body: { code: 'tag_unknown' } })
    expect((await start({ action: 'remove_tags', tags: [cold], ...all }, member)).body.left).toEqual(
      expect.arrayContaining([
        { reason: 'last_tag', count: 1 },
        { reason: 'gone', count: 1 },
      ])
    )
    expect([await tagsOf(mine), await tagsOf(twice)]).toEqual([['cold', 'warm'], ['dry']])
    const own = await start({ action: 'deactivate_sim', asset_ids: [mine.id] })
    expect((await member.call(bulk.getBulkChange, { params: { bulk_id: answer.body.id } })).status).toBe(200)
    const results = await member.call(bulk.exportBulkResults, { params: { bulk_id: answer.body.id } })
    expect([results.status, results.text.includes(mine.id), results.text.includes(hidden.id)]).toEqual([200, true, false])
    for (const op of [bulk.getBulkChange, bulk.listLeftAssets, bulk.exportBulkResults]) {
      expect((await member.call(op, { params: { bulk_id: own.body.id } })).status).toBe(404)
    }
  })

  test('and neither does an API key, beside a maker who is not, nor takes back what its maker did', async () => {
    const cold = await newTag('of the key')
    const [near, far] = [await addAsset(house, ada, { tags: [cold] }), await addAsset(house, ada)]
    const wide = (await start({ action: 'deactivate_sim', asset_ids: [near.id, far.id] })).body
    const body = { name: 'limited', scopes: ['assets.view', 'assets.edit'], tags: [cold] }
    const { secret } = (await ada.call(createApiKey, { body } as never)).body as unknown as { secret: string }
    const [params, key] = [{ bulk_id: wide.id }, { 'x-api-key': secret }]
    for (const op of [bulk.getBulkChange, bulk.listLeftAssets, bulk.exportBulkResults, bulk.undoBulkChange])
      expect((await house.anyone.call(op, { params } as never, key)).status, op.name).toBe(404)
    expect((await house.anyone.call(bulk.listBulkChanges, {}, key)).body).toMatchObject({ total: 0 })
    const own = await house.anyone.call(bulk.startBulkChange, { body: { action: 'activate_sim', asset_ids: [near.id] } }, key)
    expect(own.body).toMatchObject({ changed: 1 })
    expect((await house.anyone.call(bulk.listBulkChanges, {}, key)).body.items.map(({ id }) => id)).toEqual([own.body.id])
    expect((await ada.call(bulk.undoBulkChange, { params })).status).toBe(200)
  })
})

test('what cannot be asked is said', async () => {
  const { id } = await addAsset(house, ada)
  for (const [body, field] of [
    [{ action: 'activate_sim' }, 'asset_ids'],
    [{ action: 'activate_sim', asset_ids: [id], filter: {} }, 'asset_ids'],
    [{ action: 'add_tags', asset_ids: [id] }, 'tags'],
    [{ action: 'activate_sim', tags: ['x'], asset_ids: [id] }, 'tags'],
    [{ action: 'activate_sim', asset_ids: Array(1001).fill(id) }, 'asset_ids'],
    [{ action: 'activate_sim', filter: { typ: 'core' } }, 'filter.typ'],
  ] as const) {
    expect(await preview(body), JSON.stringify(body).slice(0, 90)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', fields: { [field]: expect.any(String) } },
    })
  }
  expect(await preview({ action: 'add_tags', tags: ['no such'], asset_ids: [id] })).toMatchObject({
    status: 400,
    body: { code: 'tag_unknown' },
  })
  expect((await preview({ action: 'activate_sim', asset_ids: ['nothing'] })).status).toBe(404)
})

test('what a change did is kept for 30 days', async () => {
  const { id } = await addAsset(house, ada)
  const { body } = await start({ action: 'deactivate_sim', asset_ids: [id] })
  const forget = () => bulkTasks.find((task) => task.name === 'forget_bulk_changes')!.run(house.app, {} as never)
  house.clock.advance({ days: 29 })
  await forget()
  const find = () => house.db.selectFrom('bulk_change').select('id').where('id', '=', body.id).executeTakeFirst()
  expect(await find()).toBeDefined()
  house.clock.advance({ days: 2 })
  await forget()
  expect(await find()).toBeUndefined()
})
