import { afterAll, beforeAll, expect, test } from 'vitest'
import * as bulk from '@masthead/contract/assets/bulk/bulk-operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset } from '../test-stock.ts'

let house: House
let ada: Person
beforeAll(async () => {
  house = await openHouse()
  ada = await house.newOwner()
})
afterAll(() => house[Symbol.asyncDispose]())

test('a word that every object of the language has is no IMEI lock, and the other rows of the file are done', async () => {
  const assets = [await addAsset(house, ada), await addAsset(house, ada), await addAsset(house, ada)]
  const locks = ['constructor', '__proto__', 'watch']
  const text = ['asset,imei_lock', ...assets.map(({ serial }, i) => `${serial},${locks[i]}`)].join('\n')
  expect((await ada.call(bulk.startCsvChange, { body: text as never })).body).toMatchObject({
    changed: 1,
    left: [{ reason: 'bad_row', count: 2 }],
  })
})

test('a row in another encoding than UTF-8 is refused, and the other rows are done', async () => {
  const [first, second] = [await addAsset(house, ada), await addAsset(house, ada)]
  const payload = Buffer.from(`asset,name\n${first.serial},Köln\n${second.serial},Bonn\n`, 'latin1')
  const headers = { cookie: ada.cookie, 'content-type': 'text/csv' }
  const answer = await house.server.inject({ method: 'POST', url: `/v1${bulk.startCsvChange.path}`, headers, payload })
  expect(answer.json()).toMatchObject({ changed: 1, left: [{ reason: 'bad_row', count: 1 }] })
  const params = { bulk_id: answer.json<{ id: string }>().id }
  const { items } = (await ada.call(bulk.listLeftAssets, { params })).body
  expect(items).toMatchObject([{ line: 2, words: 'The line is not UTF-8: save the file as CSV UTF-8' }])
})

test('of two who undo a change at once, one does and the other is refused in words', async () => {
  const asset = await addAsset(house, ada)
  const body = { action: 'imei_lock' as const, imei_lock: 'watch' as const, asset_ids: [asset.id] }
  const { id: bulk_id } = (await ada.call(bulk.startBulkChange, { body })).body
  const undo = () => ada.call(bulk.undoBulkChange, { params: { bulk_id } })
  const answers = await Promise.all([undo(), undo()])
  expect(answers.map(({ status, body: { code } }) => code ?? status).toSorted()).toEqual([200, 'bulk_not_undoable'])
})
