import { dayOf, formatDay } from '@masthead/contract/kernel/time'
import { listAssets } from '@masthead/contract/assets/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  importNetworks,
  listOperatorRates,
  listOperators,
  setOperatorRate,
  updateOperator,
} from '@masthead/contract/backoffice/network-operations'
import { listStaffLog } from '@masthead/contract/backoffice/staff-log-operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { enterStaff, type Staff } from '../backoffice/test-backoffice.ts'
import { loadNetworks } from './index.ts'

let house: House
let staff: Staff
beforeAll(async () => {
  house = await openHouse()
  await loadNetworks(house.db)
  staff = await enterStaff(house)
})
afterAll(() => house[Symbol.asyncDispose]())

const dayIn = (plus: number) => dayOf(house.clock.now().getTime() + plus * 86_400_000)
const find = async (mccmnc: string) =>
  (await staff.call(listOperators, { query: { search: mccmnc } })).body.items.find((row) => row.mccmnc === mccmnc)
const rate = { zone: 'Europe', cost_micros: 2000, price_micros: 6000 }

test('networks are found by name, code and zone, and ordered by each column, page by page', async () => {
  expect((await staff.call(listOperators, { query: { search: 'telekom', country: ['DE'] } as never })).body.items).toMatchObject([
    { mccmnc: '262-01' },
  ])
  for (const sort of ['mccmnc', '-name', 'country', '-price'] as const) {
    const seen: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const query: Record<string, string> = { sort, page_size: '100', ...(after && { after }) }
      const page: { items: { mccmnc: string }[]; next: string | null } = (await staff.call(listOperators, { query: query as never })).body
      seen.push(...page.items.map((row) => row.mccmnc))
      after = page.next
    }
    expect([sort, new Set(seen).size, seen.length]).toEqual([sort, 376, 376])
  }
  const { next } = (await staff.call(listOperators, { query: { sort: 'name', page_size: 1 } })).body
  expect((await staff.call(listAssets, { query: { sort: 'name', after: next! } })).status).toBe(400)
})

test('a rate is valid from its day on, and what was before stays', async () => {
  const params = { mccmnc: '262-02' }
  await staff.call(setOperatorRate, { params, body: { ...rate, effective_from: dayIn(0) } })
  const planned = (await staff.call(setOperatorRate, { params, body: { ...rate, price_micros: 5000, effective_from: dayIn(10) } })).body
  expect([planned.rate, planned.next_rate]).toMatchObject([
    { price_micros: 6000 },
    { price_micros: 5000, effective_from: dayIn(10), set_by: staff.email },
  ])
  // One for the same day is replaced.
  await staff.call(setOperatorRate, { params, body: { ...rate, price_micros: 5500, effective_from: dayIn(10) } })
  expect((await staff.call(listOperatorRates, { params })).body.items.map((each) => each.price_micros)).toEqual([5500, 6000])
  expect(await staff.call(setOperatorRate, { params, body: { ...rate, effective_from: dayIn(-1) } })).toMatchObject({
    status: 400,
    body: { code: 'rate_in_past', fields: { effective_from: expect.stringMatching(/today or later/) } },
  })
  house.clock.advance({ days: 10 })
  staff = await enterStaff(house)
  expect(await find('262-02')).toMatchObject({ rate: { price_micros: 5500 }, next_rate: null })
  expect((await staff.call(listOperators, { query: { priced: 'true' } })).body.items.map((row) => row.mccmnc)).toEqual(['262-02'])
})

test('a network is changed; the log holds how it was', async () => {
  const params = { mccmnc: '262-03' }
  const answer = await staff.call(updateOperator, {
    params,
    body: { rats: ['EUTRAN', 'NR'], active: false, notes: 'No permanent roaming' },
  })
  expect(answer.body).toMatchObject({ rats: ['EUTRAN', 'NR'], active: false, notes: 'No permanent roaming' })
  const { items } = (await staff.call(listStaffLog, { query: { action: ['backoffice.network_changed'] } })).body
  expect(items).toMatchObject([{ before: { active: true, rats: [] }, after: { active: false, rats: ['EUTRAN', 'NR'] } }])
  expect(await staff.call(updateOperator, { params: { mccmnc: '999-99' }, body: {} })).toMatchObject({ status: 404 })
  expect((await staff.call(updateOperator, { params, body: { rats: ['5G'] as never } })).status).toBe(400)
})

const send = (body: string, query: object = {}) =>
  staff.call(importNetworks, { query: { effective_from: dayIn(5), ...query }, body } as never)

test('a file is compared first, taken over on a word, and then says nothing anew', async () => {
  const file = `mccmnc,name,country,rats,zone,cost,price
260-06,,,EUTRAN;NR,Europe,0.002,0.0055
260-06x,Wrong,DE,,,,
901-77,"Sky, Sea",XX,NB-IoT,World,1,2.5
`
  const wrong = (await send(file, { apply: 'true' })).body
  expect(wrong).toMatchObject({
    rows: 3,
    added: 1,
    changed: 1,
    failed: 1,
    applied: false,
    errors: [{ line: 3, words: '"260-06x" is not an MCC-MNC like 262-01' }],
  })
  expect(await find('901-77')).toBeUndefined()
  const right = file.replace(/260-06x.*\n/, '')
  const preview = (await send(right)).body
  expect(preview).toMatchObject({ applied: false, added: 1, changed: 1, failed: 0 })
  expect(preview.changes[0]).toEqual({
    line: 2,
    mccmnc: '260-06',
    name: (await find('260-06'))!.name,
    kind: 'changed',
    fields: [
      { field: 'rats', before: '', after: 'EUTRAN;NR' },
      { field: 'zone', before: '', after: 'Europe' },
      { field: 'cost', before: '', after: '0.002' },
      { field: 'price', before: '', after: '0.0055' },
    ],
  })
  expect((await find('260-06'))!.next_rate).toBeNull()
  expect((await send(right, { apply: 'true' })).body).toMatchObject({ applied: true })
  expect(await find('260-06')).toMatchObject({
    rats: ['EUTRAN', 'NR'],
    rate: null,
    next_rate: { cost_micros: 2000, price_micros: 5500, effective_from: dayIn(5) },
  })
  expect(await find('901-77')).toMatchObject({ name: 'Sky, Sea', country: 'XX', next_rate: { price_micros: 2_500_000 } })
  expect((await send(right, { apply: 'true' })).body).toMatchObject({ unchanged: 2, added: 0, changed: 0, applied: false })
  expect((await staff.call(listStaffLog, { query: { action: ['backoffice.networks_imported'] } })).body.items).toMatchObject([
    { sentence: `Imported networks: 1 new, 1 changed, rates from ${formatDay(dayIn(5))}` },
  ])
})

test.each([
  ['', 'The file names no network'],
  ['name\nx\n', 'The column "mccmnc" is missing.'],
  ['mccmnc,colour\n262-01,red\n', 'There is no column "colour".'],
  ['mccmnc,name\n"262-01', 'The file cannot be read'],
])('the file %j is refused', async (file, words) => {
  expect(await send(file)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request', detail: expect.stringContaining(words) as string },
  })
})

test.each([
  ['999-01,,,,,,', 'The name is missing. The country is two letters, like DE'],
  ['262-01,,,5G,,,', '"5G" is none of'],
  ['262-01,,,,Europe,,', 'A rate needs its zone, its cost and its price'],
  ['262-01,,,,Europe,-1,1', 'Money is dollars for a megabyte'],
  ['262-01,,,,Europe,0.0000001,1', 'Money is dollars for a megabyte'],
])('the line %j is reported', async (line, words) => {
  const { errors } = (await send(`mccmnc,name,country,rats,zone,cost,price\n${line}\n`)).body
  expect(errors).toEqual([{ line: 2, words: expect.stringContaining(words) as string }])
})

test('a network that stands in a file twice is reported, be its first line as it is or not', async () => {
  const { errors, failed } = (await send('mccmnc,name\n262-01,\n262-01,Other\n901-78,\n901-78,Other\n')).body
  expect([failed, errors.map(({ line, words }) => [line, words.slice(0, 12)])]).toEqual([
    3,
    [
      [3, 'This network'],
      [4, 'The name is '],
      [5, 'This network'],
    ],
  ])
})

test('a day that is over is refused, and only who manages networks may', async () => {
  expect(await send('mccmnc\n262-01\n', { effective_from: dayIn(-1) })).toMatchObject({ status: 400, body: { code: 'rate_in_past' } })
  const plain = await enterStaff(house, ['backoffice'])
  expect(await plain.call(listOperators)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
})
