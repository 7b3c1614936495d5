import { parse } from 'csv-parse/sync'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listNetworks } from '@masthead/contract/networks/operations'
import { openHouse } from '@masthead/testkit/house'
import { countryOf, loadNetworks, networksOf } from './index.ts'

const operators: { mccmnc: string; name: string; country: string }[] = parse(
  readFileSync(new URL('operators.csv', import.meta.url), 'utf8'),
  { columns: true }
)

test('operators are well formed, each once, in the country of their code', () => {
  expect(operators.length).toBeGreaterThan(150)
  expect(new Set(operators.map(({ mccmnc }) => mccmnc)).size).toBe(operators.length)
  // The islands of the Crown have networks under the British code.
  const shared: Record<string, string> = { JE: 'GB', GG: 'GB', IM: 'GB' }
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const { mccmnc, name, country } of operators) {
    expect(mccmnc).toMatch(/^\d{3}-\d{2,3}$/)
    expect(name.trim()).toBe(name)
    expect(name).not.toBe('')
    expect(names.of(country), `${mccmnc} ${country}`).toBeDefined()
    expect(countryOf(mccmnc), mccmnc).toBe(shared[country] ?? country)
  }
  expect(operators.map(({ mccmnc }) => mccmnc)).toEqual(operators.map(({ mccmnc }) => mccmnc).toSorted())
})

test('a code has a country, a shared or unknown one has none', () => {
  expect(['262-99', '310', '901-28', '001-01', '', '44'].map(countryOf)).toEqual(['DE', 'US', null, null, null, null])
})

test('the table is filled when it is empty, and never again', async () => {
  await using house = await openHouse()
  await Promise.all([loadNetworks(house.db), loadNetworks(house.db)])
  const list = async () => (await (await house.newOwner()).call(listNetworks)).body.items
  expect(await list()).toEqual(operators)
  await house.db.deleteFrom('network').where('mccmnc', '<>', '262-01').execute()
  await house.db.updateTable('network').set({ name: 'Renamed' }).execute()
  await loadNetworks(house.db)
  expect(await list()).toEqual([{ mccmnc: '262-01', name: 'Renamed', country: 'DE' }])
})

test('a network that nobody named has its country', async () => {
  await using house = await openHouse()
  await loadNetworks(house.db)
  const found = await networksOf(house.db, ['262-01', '262-98', '901-28', null, '262-01'])
  expect([...found.values()]).toEqual([
    { mccmnc: '262-01', name: 'Telekom', country: 'DE' },
    { mccmnc: '262-98', name: null, country: 'DE' },
    { mccmnc: '901-28', name: null, country: null },
  ])
  expect(await networksOf(house.db, [null])).toEqual(new Map())
})
