import { afterAll, beforeAll, expect, test } from 'vitest'
import { listActivities } from '@masthead/contract/activities/operations'
import { listAssets } from '@masthead/contract/assets/operations'
import * as ops from '@masthead/contract/assets/views/view-operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { putAsset } from '../test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const view = { name: 'Reefers', q: 'type:core', sort: '-usage' as const, columns: ['type'] }

test('a view of one’s own is one’s own; a shared one is the team’s, and changed by whoever may edit assets', async () => {
  const owner = await house.newOwner()
  const looks = await house.newMember(owner, ['assets.view'])
  const edits = await house.newMember(owner, ['assets.view', 'assets.edit'])
  const { body: own } = await looks.call(ops.createView, { body: view })
  expect(own).toMatchObject({ ...view, shared: false, mine: true, made_by: looks.email, watch: null })
  expect((await owner.call(ops.listViews, {})).body.items).toEqual([])
  expect((await owner.call(ops.updateView, { params: { view_id: own.id }, body: { name: 'Seen' } })).status).toBe(404)
  expect((await looks.call(ops.updateView, { params: { view_id: own.id }, body: { shared: true } })).body).toMatchObject({
    code: 'view_is_shared',
  })
  expect((await looks.call(ops.createView, { body: { ...view, name: 'For all', shared: true } })).body).toMatchObject({
    code: 'view_is_shared',
  })
  expect(
    (await looks.call(ops.updateView, { params: { view_id: own.id }, body: { name: 'Coolers', q: 'type:core silent:>1d' } })).body
  ).toMatchObject({
    name: 'Coolers',
    q: 'type:core silent:>1d',
  })

  const { body: shared } = await edits.call(ops.createView, { body: { ...view, shared: true } })
  expect((await looks.call(ops.listViews, {})).body.items.map(({ name, mine }) => [name, mine])).toEqual([
    ['Reefers', false],
    ['Coolers', true],
  ])
  expect((await looks.call(ops.createView, { body: { ...view, name: 'reefers' } })).body).toMatchObject({ code: 'view_name_taken' })
  expect((await looks.call(ops.deleteView, { params: { view_id: shared.id } })).body).toMatchObject({ code: 'view_is_shared' })
  expect((await edits.call(ops.deleteView, { params: { view_id: shared.id } })).status).toBe(200)
  const { body: log } = await owner.call(listActivities, { query: {} })
  expect(log.items.map(({ sentence }) => sentence)).toEqual(
    expect.arrayContaining(['Saved the view Reefers for the team', 'Changed the view Coolers', 'Deleted the view Reefers'])
  )
})

test('what cannot be asked, and pasted numbers, are no view; an account has at most 100', async () => {
  const owner = await house.newOwner()
  expect((await owner.call(ops.createView, { body: { ...view, q: 'type:' } })).body.fields).toHaveProperty('q')
  expect((await owner.call(ops.createView, { body: { ...view, q: 'list:lst_1' } })).body.fields?.q).toMatch(/pasted numbers/)
  for (let nth = 0; nth < ops.mostViews; nth++) {
    expect((await owner.call(ops.createView, { body: { ...view, name: `View ${nth}` } })).status).toBe(200)
  }
  expect((await owner.call(ops.createView, { body: { ...view, name: 'One more' } })).body).toMatchObject({ code: 'too_many_views' })
})

test('a view in an order that there is no more is found in the usual one', async () => {
  const owner = await house.newOwner()
  const { body: kept } = await owner.call(ops.createView, { body: view })
  const order = (sort: string) =>
    house.db
      .updateTable('asset_view')
      .set({ sort } as never)
      .where('id', '=', kept.id)
      .execute()
  const found = async () => (await owner.call(ops.listViews, {})).body.items[0]!.sort
  await order('-firmware')
  expect(await found()).toBe('name')
  await order('-usage')
  expect(await found()).toBe('-usage')
})

test('whoever sees some assets alone finds the shared views, and in them their own assets', async () => {
  const owner = await house.newOwner()
  const { body: tag } = await owner.call(createTag, { body: { name: 'north' } })
  await putAsset(house, owner, { serial: 'VIEW-2', iccid: '8949020000000078123', imsi: '901280000000781', state: 'active' })
  await owner.call(ops.createView, { body: { ...view, q: 'status:active', shared: true } })
  const limited = await house.newMember(owner, ['assets.view'], [tag.id])
  const { q } = (await limited.call(ops.listViews, {})).body.items[0]!
  expect((await limited.call(listAssets, { query: { q } })).body.items).toEqual([])
  expect((await owner.call(listAssets, { query: { q } })).body.total).toBe(1)
  const countOf = async (who: typeof owner) =>
    (await who.call(ops.listViewCounts, {})).body.items.map(({ count, capped }) => [count, capped])
  expect(await countOf(owner)).toEqual([[1, false]])
  expect(await countOf(limited)).toEqual([[0, false]])
})

test('the views of a large account are counted for all who see the same of it, for a while', async () => {
  const owner = await house.newOwner()
  const put = (n: number) =>
    putAsset(house, owner, { serial: `VIEW-L${n}`, iccid: `894902000000007813${n}`, imsi: `90128000000079${n}`, state: 'active' })
  await put(1)
  await house.db
    .insertInto('asset_count')
    .values({ account_id: owner.account_id, type: 'axis_gw', sim_status: '', count: 10_001 })
    .execute()
  const { body: shared } = await owner.call(ops.createView, { body: { ...view, q: 'status:active', shared: true } })
  const member = await house.newMember(owner, ['assets.view'])
  const { body: tag } = await owner.call(createTag, { body: { name: 'south' } })
  const limited = await house.newMember(owner, ['assets.view'], [tag.id])
  const countOf = async (who: typeof owner) => (await who.call(ops.listViewCounts, {})).body.items.map(({ count }) => count)
  expect([await countOf(owner), await countOf(limited)]).toEqual([[1], [0]])
  await put(2)
  expect([await countOf(owner), await countOf(member)]).toEqual([[1], [1]])
  await member.call(ops.createView, { body: { ...view, name: 'Mine' } })
  expect(await countOf(member)).toEqual([2, 0])
  await owner.call(ops.updateView, { params: { view_id: shared.id }, body: { q: 'status:active serial' } })
  expect(await countOf(owner)).toEqual([0])
})
