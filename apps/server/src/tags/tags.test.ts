import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Asset } from '@masthead/contract/assets/asset'
import { getAsset, listAssets, updateAsset } from '@masthead/contract/assets/operations'
import { createTag, deleteTag, listTags, mostTags, updateTag } from '@masthead/contract/tags/operations'
import { TagColor } from '@masthead/contract/tags/tag'
import { openHouse, type House } from '@masthead/testkit/house'
import { addAsset } from '../assets/test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('tags come by name, with how many assets have them', async () => {
  const ada = await house.newOwner()
  for (const name of ['beta', 'Alpha', 'gamma']) await ada.call(createTag, { body: { name } })
  await addAsset(house, ada, { tags: ['alpha', 'beta'] })
  await addAsset(house, ada, { tags: ['alpha'] })
  const { items } = (await ada.call(listTags)).body
  expect(items.map(({ name, asset_count }) => [name, asset_count])).toEqual([
    ['Alpha', 2],
    ['beta', 1],
    ['gamma', 0],
  ])
  expect((await (await house.newOwner()).call(listTags)).body.items).toEqual([])
})

test('the kept counts are the real ones, also when many swap the same tags at once', async () => {
  const ada = await house.newOwner()
  const [red, blue] = await Promise.all(['red', 'blue'].map(async (name) => (await ada.call(createTag, { body: { name } })).body.id))
  const assets = await Promise.all(Array.from({ length: 6 }, (_, i) => addAsset(house, ada, { tags: [i % 2 ? 'red' : 'blue'] })))
  const counts = async () => Object.fromEntries((await ada.call(listTags)).body.items.map(({ id, asset_count }) => [id, asset_count]))
  expect(await counts()).toEqual({ [red!]: 3, [blue!]: 3 })
  const give = (asset: Asset, tags: string[]) => ada.call(updateAsset, { params: { asset_id: asset.id }, body: { tags } })
  for (let turn = 0; turn < 8; turn++) {
    const answers = await Promise.all(assets.map((asset, i) => give(asset, [(i + turn) % 2 ? 'blue' : 'red'])))
    expect(answers.map(({ status }) => status)).toEqual(assets.map(() => 200))
  }
  expect(await counts()).toEqual({ [red!]: 3, [blue!]: 3 })
  await give(assets[0]!, ['red', 'blue'])
  expect(await counts()).toEqual({ [red!]: 4, [blue!]: 3 })
  expect((await ada.call(listAssets, { query: { tag: [red!] } })).body.total).toBe(4)
  await house.db.deleteFrom('asset').where('account_id', '=', ada.account_id).where('id', '<>', assets[0]!.id).execute()
  expect(await counts()).toEqual({ [red!]: 1, [blue!]: 1 })
  await ada.call(deleteTag, { params: { tag_id: blue! } })
  expect(await counts()).toEqual({ [red!]: 1 })
})

test('a tag without a colour gets the next of the row, one with a colour keeps it', async () => {
  const ada = await house.newOwner()
  const colors: string[] = []
  for (let i = 0; i < 10; i++) {
    colors.push((await ada.call(createTag, { body: { name: `tag ${i}` } })).body.color)
    house.clock.advance({ seconds: 1 })
  }
  expect(colors).toEqual([...TagColor.options, 'slate', 'blue'])
  expect((await ada.call(createTag, { body: { name: 'mine', color: 'teal' } })).body).toMatchObject({ color: 'teal', asset_count: 0 })
  expect((await ada.call(createTag, { body: { name: 'after' } })).body.color).toBe('brown')
})

test('names are unique whatever their case, in an account', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  const { id } = (await ada.call(createTag, { body: { name: 'Über' } })).body
  const other = (await ada.call(createTag, { body: { name: 'other' } })).body.id
  expect(await ada.call(createTag, { body: { name: ' ÜBER ' } })).toMatchObject({
    status: 409,
    body: { code: 'tag_name_taken', detail: 'There is a tag "ÜBER" already' },
  })
  expect(await ada.call(updateTag, { params: { tag_id: other }, body: { name: 'über' } })).toMatchObject({
    status: 409,
    body: { code: 'tag_name_taken' },
  })
  expect(await ada.call(updateTag, { params: { tag_id: id }, body: { name: 'ÜBER' } })).toMatchObject({
    status: 200,
    body: { name: 'ÜBER' },
  })
  expect((await bob.call(createTag, { body: { name: 'über' } })).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 4 }, (_, i) => ada.call(createTag, { body: { name: i % 2 ? 'same' : 'SAME' } })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409])
})

test('a change is said, one that changes nothing is not', async () => {
  const ada = await house.newOwner()
  const { id } = (await ada.call(createTag, { body: { name: 'old', color: 'blue' } })).body
  const params = { tag_id: id }
  await ada.call(updateTag, { params, body: { name: 'old', color: 'blue' } })
  await ada.call(updateTag, { params, body: {} })
  expect((await ada.call(updateTag, { params, body: { color: 'pink' } })).body).toMatchObject({ name: 'old', color: 'pink' })
  await ada.call(updateTag, { params, body: { name: 'new' } })
  await ada.call(deleteTag, { params })
  expect((await house.events(ada.account_id)).map(({ name, detail }) => ({ name, ...detail }))).toEqual([
    { name: 'tags.tag_created', tag_id: id, tag_name: 'old' },
    { name: 'tags.tag_updated', tag_id: id, tag_name: 'old', old_name: 'old', new_name: 'old' },
    { name: 'tags.tag_updated', tag_id: id, tag_name: 'new', old_name: 'old', new_name: 'new' },
    { name: 'tags.tag_deleted', tag_id: id, tag_name: 'new' },
  ])
})

test('a deleted tag is off every asset', async () => {
  const ada = await house.newOwner()
  const { id } = (await ada.call(createTag, { body: { name: 'gone' } })).body
  const asset = await addAsset(house, ada, { tags: [id] })
  expect((await ada.call(deleteTag, { params: { tag_id: id } })).status).toBe(200)
  expect((await ada.call(getAsset, { params: { asset_id: asset.id } })).body.tags).toEqual([])
  expect(await ada.call(deleteTag, { params: { tag_id: id } })).toMatchObject({ status: 404 })
})

test('a tag of another account is not found', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  const params = { tag_id: (await ada.call(createTag, { body: { name: 'mine' } })).body.id }
  expect(await bob.call(updateTag, { params, body: { name: 'theirs' } })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await bob.call(deleteTag, { params })).toMatchObject({ status: 404 })
})

test('an account has at most so many tags', async () => {
  const ada = await house.newOwner()
  const tags = Array.from({ length: mostTags }, (_, i) => ({
    account_id: ada.account_id,
    id: `tag_many${i}`,
    name: `many ${i}`,
    color: 'blue',
  }))
  await house.db.insertInto('tag').values(tags).execute()
  expect(await ada.call(createTag, { body: { name: 'one more' } })).toMatchObject({ status: 409, body: { code: 'too_many_tags' } })
})

test('wrong input and missing permissions are refused', async () => {
  const ada = await house.newOwner()
  expect(await ada.call(createTag, { body: { name: '  ' } })).toMatchObject({ status: 400, body: { fields: { name: 'Enter a name' } } })
  expect(await ada.call(createTag, { body: { name: 'x', color: 'red' as never } })).toMatchObject({ status: 400 })
  const viewer = await house.newMember(ada, ['assets.view'])
  expect(await viewer.call(listTags)).toMatchObject({ status: 200 })
  expect(await viewer.call(createTag, { body: { name: 'x' } })).toMatchObject({ status: 403 })
})
