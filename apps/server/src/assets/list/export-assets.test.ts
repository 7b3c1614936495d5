import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAssets } from '@masthead/contract/assets/operations'
import { createTag } from '@masthead/contract/tags/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { addAsset, addSession } from '../test-stock.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true })

test('every asset is a line, with its numbers, tags, usage and session', async () => {
  const ada = await house.newOwner()
  await ada.call(createTag, { body: { name: 'a "b", c' } })
  const asset = await addAsset(house, ada, { name: 'Pump, "7" north', tags: ['a "b", c'] })
  await addSession(house, asset, ada.account_id)
  await addAsset(house, ada, { name: 'zero', iccid: null })
  const { status, text, headers } = await ada.call(exportAssets)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toBe('attachment; filename="assets.csv"')
  expect(rowsOf(text)).toMatchObject([
    {
      name: 'Pump, "7" north',
      type: 'ALPON X4',
      serial: asset.serial,
      tags: 'a "b", c',
      iccid: asset.sim!.iccid,
      imsi: asset.sim!.imsi,
      sim_status: 'ready',
      online: 'true',
      ip: '10.0.0.9',
      network: '262-01',
      period_bytes: '0',
    },
    { name: 'zero', iccid: '', period_bytes: '' },
  ])
})

test('what a spreadsheet would take for a formula is text', async () => {
  const ada = await house.newOwner()
  const names = ['=1+1', '+1', '-1', '@sum', '=HYPERLINK("http://x","y")', 'fine']
  for (const name of names) await addAsset(house, ada, { name })
  const { text } = await ada.call(exportAssets)
  expect(
    rowsOf(text)
      .map((row) => row.name)
      .sort()
  ).toEqual(names.map((name) => (name === 'fine' ? name : `'${name}`)).sort())
  expect(text).not.toMatch(/(^|,)"?[=+@-]/m)
})

test('filters count, and another account does not', async () => {
  const [ada, bob] = [await house.newOwner(), await house.newOwner()]
  await addAsset(house, ada, { name: 'one', type: 'core' })
  await addAsset(house, ada, { name: 'two' })
  await addAsset(house, bob, { name: 'theirs' })
  expect(rowsOf((await ada.call(exportAssets, { query: { type: ['core'] } })).text).map((row) => row.name)).toEqual(['one'])
  expect(rowsOf((await ada.call(exportAssets, { query: { search: 'o' } })).text).map((row) => row.name)).toEqual(['one'])
  expect(rowsOf((await ada.call(exportAssets)).text)).toHaveLength(2)
})

test('a long export comes whole, in pieces', async () => {
  const ada = await house.newOwner()
  await sql`insert into asset (account_id, id, type, serial, name)
    select ${ada.account_id}, 'ast_long' || n, 'core', 'LONG' || n, 'same name' from generate_series(1, 2500) n`.execute(house.db)
  const rows = rowsOf((await ada.call(exportAssets)).text)
  expect(new Set(rows.map((row) => row.serial)).size).toBe(2500)
  expect(rows).toHaveLength(2500)
})
