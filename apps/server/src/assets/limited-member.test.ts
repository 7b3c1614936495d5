import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import * as ops from '@masthead/contract/assets/operations'
import { createTag, deleteTag, listTags, updateTag } from '@masthead/contract/tags/operations'
import { updateInvitation } from '@masthead/contract/teams/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from './test-stock.ts'

const everything = ['assets.view', 'assets.edit', 'assets.register']
let house: House
let ada: Person
let member: Person
let cold: string
let warm: string
let seen: Asset
let hidden: Asset
beforeAll(async () => {
  house = await openHouse()
  ada = await house.newOwner()
  cold = (await ada.call(createTag, { body: { name: 'cold' } })).body.id
  warm = (await ada.call(createTag, { body: { name: 'warm' } })).body.id
  seen = await addAsset(house, ada, { name: 'seen', tags: [cold, warm] })
  hidden = await addAsset(house, ada, { name: 'hidden', tags: [warm] })
  await addAsset(house, ada, { name: 'untagged' })
  member = await house.newMember(ada, everything, [cold])
})
afterAll(() => house[Symbol.asyncDispose]())

test('a member limited by tags sees theirs alone, in list, total and export', async () => {
  for (const query of [{}, { type: 'alpon_x4' }, { sim_status: 'ready' }, { search: 'e' }, { search: 'seen' }] as const) {
    const { body } = await member.call(ops.listAssets, { query })
    expect(
      body.items.map((asset) => asset.name),
      JSON.stringify(query)
    ).toEqual('search' in query && query.search === 'e' ? [] : ['seen'])
    expect(body).toMatchObject({ total: body.items.length, total_capped: false, next: null })
  }
  expect((await member.call(ops.listAssets, { query: { search: hidden.sim!.iccid } })).body.total).toBe(0)
  const { text } = await member.call(ops.exportAssets)
  expect(text.trim().split('\r\n')).toHaveLength(2)
  expect(text).toContain('seen')
})

test('they do not learn of other tags, nor may filter by them', async () => {
  const { body } = await member.call(ops.getAsset, { params: { asset_id: seen.id } })
  expect(body.tags).toEqual([{ id: cold, name: 'cold', color: expect.any(String) }])
  expect((await member.call(listTags)).body.items).toMatchObject([{ id: cold, name: 'cold', asset_count: 1 }])
  expect((await member.call(ops.listAssets, { query: { tag: [warm, 'warm'] } })).body.total).toBe(0)
  expect((await member.call(ops.listAssets, { query: { tag: 'cold' } })).body.total).toBe(1)
})

test('every other asset is not found, in reading and in changing', async () => {
  for (const asset_id of [hidden.id, hidden.serial, hidden.sim!.iccid]) {
    const params = { asset_id }
    for (const answer of [
      await member.call(ops.getAsset, { params }),
      await member.call(ops.listAssetSessions, { params }),
      await member.call(ops.getSimUsages, { params }),
      await member.call(ops.updateAsset, { params, body: { name: 'mine' } }),
      await member.call(ops.activateSim, { params }),
      await member.call(ops.deactivateSim, { params }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  }
  expect(await member.call(ops.activateSim, { params: { asset_id: seen.id } })).toMatchObject({ status: 200 })
})

test('they give and take their own tags; others stay, and one of theirs must', async () => {
  const params = { asset_id: seen.id }
  expect(await member.call(ops.updateAsset, { params, body: { tags: [] } })).toMatchObject({
    status: 400,
    body: { fields: { tags: expect.any(String) } },
  })
  expect(await member.call(ops.updateAsset, { params, body: { tags: [cold, warm] } })).toMatchObject({
    status: 400,
    body: { code: 'tag_unknown' },
  })
  expect(await member.call(ops.updateAsset, { params, body: { tags: [cold], name: 'seen' } })).toMatchObject({ status: 200 })
  expect((await ada.call(ops.getAsset, { params })).body.tags.map((tag) => tag.name)).toEqual(['cold', 'warm'])
})

test('they do not change tags themselves', async () => {
  for (const answer of [
    await member.call(createTag, { body: { name: 'new' } }),
    await member.call(updateTag, { params: { tag_id: cold }, body: { name: 'renamed' } }),
    await member.call(deleteTag, { params: { tag_id: cold } }),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
})

test('a tag that alone limits somebody stays; beside others it goes, and they see less, not more', async () => {
  const tag = async (name: string) => (await ada.call(createTag, { body: { name } })).body.id
  const [brief, other] = [await tag('brief'), await tag('other')]
  const alone = await house.newMember(ada, everything, [brief])
  await addAsset(house, ada, { name: 'brief one', tags: [brief] })
  expect(await ada.call(deleteTag, { params: { tag_id: brief } })).toMatchObject({
    status: 409,
    body: { code: 'tag_limits_members', detail: expect.stringContaining(alone.email) },
  })
  expect((await alone.call(ops.listAssets)).body.total).toBe(1)
  const both = { email: alone.email, permissions: everything as never, tags: ['brief', 'other'] }
  expect((await ada.call(updateInvitation, { body: both })).status).toBe(200)
  expect((await ada.call(deleteTag, { params: { tag_id: brief } })).status).toBe(200)
  expect((await alone.call(ops.listAssets)).body).toMatchObject({ items: [], total: 0 })
  expect((await alone.call(listTags)).body.items).toMatchObject([{ name: 'other' }])
  expect((await ada.call(deleteTag, { params: { tag_id: other } })).status).toBe(409)
})
