import {
  addTariffVersion,
  assignTariff,
  createTariff,
  getTariff,
  getTariffEffect,
  listAssignments,
  listTariffs,
  previewTariffVersion,
  withdrawTariffVersion,
} from '@masthead/contract/backoffice/tariff-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import {
  exportPlanPrices,
  exportPrices,
  getPlan,
  getPriceList,
  listPlanPrices,
  listPrices,
} from '@masthead/contract/billing/price-operations'
import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { loadNetworks } from '../../networks/index.ts'
import { addAsset } from '../../usage/test-usage.ts'
import { noFees, putAssignment, putTariff, putVersion } from './test-tariffs.ts'

const version = {
  effective_from: '2026-11-21',
  block_bytes: 1000,
  rounding_scope: 'session',
  kb: 1000,
  zones: [
    { id: 'EU1', name: 'Europe', networks: ['262', '260'], price_micros: 12_000 },
    { id: 'R2', name: 'The rest', networks: ['*', '262-02'], price_micros: 350_000 },
  ],
  fees: noFees,
} as const
const from = (effective_from: string) => ({ ...structuredClone(version), effective_from }) as never

test('staff create a price list, plan a version, and withdraw it while it is not valid', async () => {
  await using house = await openHouse()
  const staff = await enterStaff(house)
  const today = house.clock.now().toISOString().slice(0, 10)
  const created = await staff.call(createTariff, {
    body: { name: 'Standard', currency: 'EUR', is_standard: true, version: from(today) } as never,
  })
  expect(created).toMatchObject({ status: 200, body: { name: 'Standard', currency: 'EUR', current: 1, next: null, accounts: 0 } })
  const { id: tariff_id } = created.body
  expect(created.body.versions[0]!.zones).toEqual([
    { ...version.zones[0], networks: ['260', '262'] },
    { ...version.zones[1], networks: ['*', '262-02'] },
  ])
  const again = { body: { name: 'standard', currency: 'EUR', version: from(today) } as never }
  expect(await staff.call(createTariff, again)).toMatchObject({ status: 409, body: { code: 'tariff_name_taken' } })
  for (const currency of ['JPY', 'KWD', 'ABC'])
    expect(
      await staff.call(createTariff, { body: { name: `In ${currency}`, currency, version: from(today) } as never }),
      'accounts are billed in currencies with a hundredth alone'
    ).toMatchObject({ status: 400, body: { fields: { currency: expect.stringContaining('USD') } } })
  const past = { body: { name: 'Late', currency: 'EUR', version: from('2020-01-01') } as never }
  expect(await staff.call(createTariff, past)).toMatchObject({ status: 400, body: { code: 'tariff_version_in_past' } })
  const twice = { ...(from('2098-01-01') as object), zones: [version.zones[0], { ...version.zones[0], id: 'EU2' }] } as never
  expect(await staff.call(addTariffVersion, { params: { tariff_id }, body: twice })).toMatchObject({
    status: 400,
    body: { fields: { 'zones.1.networks': '262 is in EU1 and in EU2' } },
  })
  const second = await staff.call(addTariffVersion, { params: { tariff_id }, body: from('2098-01-01') })
  expect(second.body).toMatchObject({ current: 1, next: 2 })
  for (const day of [today, '2097-01-01'])
    expect(await staff.call(addTariffVersion, { params: { tariff_id }, body: from(day) })).toMatchObject({ status: 400 })
  const withdraw = (number: number) => staff.call(withdrawTariffVersion, { params: { tariff_id }, body: { number } })
  expect(await withdraw(1)).toMatchObject({ status: 409, body: { code: 'tariff_version_valid' } })
  expect((await withdraw(2)).body).toMatchObject({ current: 1, next: null })
  expect(await withdraw(2)).toMatchObject({ status: 404 })
  // More than the database holds as a number of a version.
  expect(await withdraw(3_000_000_000)).toMatchObject({ status: 400 })
  // The number of a version that was withdrawn is not given again.
  expect((await staff.call(addTariffVersion, { params: { tariff_id }, body: from('2098-01-01') })).body.next).toBe(3)
  expect((await staff.call(getTariff, { params: { tariff_id } })).body.versions.map(({ number }) => number)).toEqual([3, 1])
  expect((await staff.call(listTariffs, {})).body.items.map(({ name }) => name)).toEqual(['Standard'])
})

test('an account pays by a list from a day on, at prices of its own; what is valid today stays', async () => {
  await using house = await openHouse()
  const staff = await enterStaff(house)
  const owner = await house.newOwner()
  await loadNetworks(house.db)
  expect(await owner.call(getPriceList, {})).toMatchObject({ status: 404, body: { code: 'no_tariff' } })
  const today = house.clock.now().toISOString().slice(0, 10)
  const { body: standard } = await staff.call(createTariff, {
    body: { name: 'Standard', currency: 'USD', is_standard: true, version: from(today) } as never,
  })
  const params = { email: owner.email }
  const give = (body: object) =>
    staff.call(assignTariff, { params, body: { tariff_id: standard.id, from_day: today, reason: 'A contract', ...body } })
  expect(await give({ own_prices: [{ zone_id: 'SEA', price_micros: 1 }] })).toMatchObject({ status: 400 })
  expect(await give({ from_day: '2020-01-01' })).toMatchObject({ status: 400, body: { code: 'assignment_in_past' } })
  const given = await give({ own_prices: [{ zone_id: 'EU1', price_micros: 9000 }] })
  expect(given.body.items).toMatchObject([
    { from_day: today, tariff: { name: 'Standard' }, own_prices: [{ zone_id: 'EU1', price_micros: 9000 }] },
  ])
  expect(await give({})).toMatchObject({ status: 400, body: { code: 'assignment_in_past' } })
  const euros = await putTariff(house, { currency: 'EUR' })
  expect(await give({ tariff_id: euros, from_day: '2098-01-01' })).toMatchObject({ status: 409, body: { code: 'tariff_currency' } })
  const yen = await putTariff(house, { currency: 'JPY' })
  const stranger = await house.newOwner()
  const inYen = { params: { email: stranger.email }, body: { tariff_id: yen, from_day: today, reason: 'A contract' } }
  expect(await staff.call(assignTariff, inYen)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('JPY') } })
  await give({ tariff_id: null, from_day: '2098-01-01' })
  expect((await staff.call(listAssignments, { params })).body.items.map((each) => each.tariff?.name)).toEqual([undefined, 'Standard'])
  const list = (await owner.call(getPriceList, {})).body
  expect(list).toMatchObject({ name: 'Standard', version: 1, block_bytes: 1000 })
  expect(list.zones).toMatchObject([
    { id: 'EU1', price_micros: 9000, list_price_micros: 12_000, countries: 2 },
    { id: 'R2', price_micros: 350_000, list_price_micros: null },
  ])
  expect(list.places.filter(({ country }) => country === 'DE').map(({ zone_id }) => zone_id)).toEqual(expect.arrayContaining(['EU1', 'R2']))
  expect(list.places.filter(({ zone_id }) => zone_id === 'EU1')).toHaveLength(2)
  const prices = async (search: string) =>
    (await owner.call(listPrices, { query: { search } })).body.items.map(({ mccmnc, zone_id, price_micros }) => [
      mccmnc,
      zone_id,
      price_micros,
    ])
  expect(await prices('262-01')).toEqual([['262-01', 'EU1', 9000]])
  expect(await prices('262-02')).toEqual([['262-02', 'R2', 350_000]])
  expect(new Set((await owner.call(listPrices, { query: { search: 'germany' } })).body.items.map(({ country }) => country))).toEqual(
    new Set(['DE'])
  )
  // By the names of countries, as people look for them: AE is United Arab Emirates. From page to page, too.
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
  const called: string[] = []
  for (let after: string | null | undefined; after !== null;) {
    const { items, next } = (await owner.call(listPrices, { query: { page_size: 100, ...(after && { after }) } })).body
    called.push(...items.filter(({ country }) => country !== '').map(({ country }) => names.of(country)!))
    after = next
  }
  expect(called.indexOf('United Arab Emirates')).toBeGreaterThan(called.indexOf('Germany'))
  expect(called).toEqual(called.toSorted((one, other) => one.localeCompare(other, 'en')))
  // The general plan knows nothing of what was agreed with somebody.
  expect((await house.newOwner().then((other) => other.call(getPlan, {}))).body.zones[0]).toMatchObject({
    price_micros: 12_000,
    list_price_micros: null,
  })
  expect((await owner.call(listPlanPrices, { query: { zone: 'EU1', country: 'DE' } })).body.items[0]).toMatchObject({
    price_micros: 12_000,
  })
  const { items } = (await owner.call(listActivities, {})).body
  expect(items.map(({ sentence }) => sentence).join('\n')).toContain('Gave the account the price list Standard')
})

test('a planned version shows what changes, but not where a price is agreed', async () => {
  await using house = await openHouse()
  const staff = await enterStaff(house)
  const owner = await house.newOwner()
  await loadNetworks(house.db)
  const tariff_id = await putTariff(house)
  await putAssignment(house, owner.account_id, tariff_id, { own: { EU1: 50_000 } })
  const zones = [
    { id: 'EU1', name: 'EU1', networks: ['262'], price_micros: 80_000 },
    { id: 'ROW', name: 'ROW', networks: ['*'], price_micros: 1_000_000 },
  ]
  await staff.call(addTariffVersion, { params: { tariff_id }, body: { ...(from('2098-01-01') as object), zones } as never })
  const { body } = await owner.call(getPriceList, {})
  expect(body.next).toEqual({ version: 2, effective_from: '2098-01-01' })
  expect(body.zones.map(({ next_price_micros }) => next_price_micros)).toEqual([null, 1_000_000])
  const of = async (search: string) => (await owner.call(listPrices, { query: { search } })).body.items[0]
  expect(await of('262-01')).toMatchObject({ price_micros: 50_000, list_price_micros: 100_000, next_price_micros: null })
  expect(await of('228-01')).toMatchObject({ price_micros: 2_000_000, next_price_micros: 1_000_000 })
})

test('prices by what a megabyte costs at most and by what groups with SIMs allow, on a page and as CSV', async () => {
  await using house = await openHouse()
  const owner = await house.newOwner()
  await loadNetworks(house.db)
  const { account_id } = owner
  expect(await owner.call(exportPrices, {})).toMatchObject({ status: 404, body: { code: 'no_tariff' } })
  const tariff_id = await putTariff(house)
  await putAssignment(house, account_id, tariff_id, { own: { EU1: 50_000 } })
  const ask = async (query: object) => {
    const { items } = (await owner.call(listPrices, { query: { page_size: 100, ...query } as never })).body
    return items
  }
  const countries = async (query: object) => new Set((await ask(query)).map(({ country }) => country))
  // The price that was agreed counts, and not the one of the list.
  expect(await countries({ most_micros: 50_000 })).toEqual(new Set(['DE']))
  expect(await ask({ most_micros: 49_999 })).toEqual([])
  // No group has a SIM yet.
  expect(await ask({ allowed: 'true' })).toEqual([])
  const { sim_id } = await addAsset(house, owner, { name: 'one' })
  expect((await ask({ search: '228-01' }))[0]).toMatchObject({ groups: 1 })
  const group = { account_id, id: 'ngr_alps', name: 'Alps', countries: ['CH'], networks: ['262-01'], rats: ['EUTRAN'] as 'EUTRAN'[] }
  await house.db.insertInto('network_group').values(group).execute()
  await house.db.updateTable('sim').set({ group_id: group.id }).where('account_id', '=', account_id).where('id', '=', sim_id).execute()
  expect(await countries({ allowed: 'true' })).toEqual(new Set(['CH', 'DE']))
  expect((await ask({ allowed: 'true', search: 'germany' })).map(({ mccmnc }) => mccmnc)).toEqual(['262-01'])
  const lines = (await owner.call(exportPrices, { query: { allowed: 'true', search: '262-01' } })).text.split('\r\n')
  expect(lines[0]).toBe('mccmnc,name,country,rats,zone_id,price_micros,list_price_micros,next_price_micros,groups')
  expect(lines[1]).toMatch(/^262-01,.*,DE,.*,EU1,50000,100000,,1$/)
  await house.db.updateTable('tariff').set({ is_standard: true }).where('id', '=', tariff_id).execute()
  const all = (await owner.call(exportPlanPrices, {})).text.trim().split('\r\n')
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from network where active`.execute(house.db)
  expect(all.length - 1).toBe(rows[0]!.count)
  expect(all.find((line) => line.startsWith('262-01'))).toMatch(/,100000,,,$/)
})

test('staff see what a planned version would have made of the last month, by account: data and fees, at agreed prices', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const staff = await enterStaff(house)
  const fees = (...prices: number[]) => ({
    ...noFees,
    active_monthly: prices.map((price_micros, i) => ({ from: 1 + 2 * i, price_micros })),
  })
  const tariff_id = await putTariff(house, { effective_from: '2026-01-01', fees: fees(2_000_000) })
  const zones = [
    { id: 'EU1', networks: ['262'], price_micros: 50_000 },
    { id: 'ROW', networks: ['*'], price_micros: 3_000_000 },
  ]
  const number = await putVersion(house, tariff_id, {
    effective_from: '2026-12-01',
    zones,
    fees: { ...fees(1_500_000, 1_000_000), activation_micros: 70_000 },
  })
  const [plain, own, leaving] = [await house.newOwner('plain'), await house.newOwner('own'), await house.newOwner('leaving')]
  await putAssignment(house, plain.account_id, tariff_id, { from_day: '2026-01-01' })
  await putAssignment(house, own.account_id, tariff_id, { from_day: '2026-01-01', own: { ROW: 1_000_000 } })
  await putAssignment(house, leaving.account_id, tariff_id, { from_day: '2026-01-01' })
  await putAssignment(house, leaving.account_id, null, { from_day: '2026-12-01' })
  const use = (account_id: string, day: string, mccmnc: string, bytes: number, price: number) =>
    house.db
      .insertInto('charge')
      .values({
        account_id,
        sim_id: 'sim_1',
        day,
        tariff_id,
        number: 1,
        from_day: '2026-01-01',
        zone_id: price === 0 ? '' : 'x',
        source: 'payg',
        mccmnc,
        is_late: false,
        price_micros: price,
        bytes,
        billed_bytes: bytes,
        charged_micros: (bytes * price) / 1_000_000,
        used_from: new Date(day),
        used_to: new Date(day),
      })
      .execute()
  for (const { account_id } of [plain, own, leaving]) {
    await use(account_id, '2026-10-01', '262-01', 3_000_000, 100_000)
    await use(account_id, '2026-10-31', '310-260', 1_000_000, 2_000_000)
    // Within a free test; and of other months.
    await use(account_id, '2026-10-15', '262-01', 5_000_000, 0)
    await use(account_id, '2026-09-30', '262-01', 9_000_000, 100_000)
    await use(account_id, '2026-11-01', '262-01', 9_000_000, 100_000)
  }
  const fee = { account_id: plain.account_id, month: '2026-10-01', charged_at: new Date('2026-10-02T00:00:00Z') }
  const active = ['a', 'b', 'c'].map((sim_id) => ({ ...fee, sim_id, kind: 'sim_active' as const, micros: 2_000_000 }))
  await house.db
    .insertInto('sim_fee')
    .values([...active, { ...fee, sim_id: 'a', kind: 'sim_activation', micros: 0 }])
    .execute()
  const { body } = await staff.call(getTariffEffect, { params: { tariff_id }, query: { number } })
  expect(body).toEqual({
    month: '2026-10-01',
    currency: 'USD',
    accounts: 2,
    charged_micros: 8_300_000 + 2_300_000,
    would_micros: 7_220_000 + 1_150_000,
    items: [
      // own: 3 MB at 0.05 and 1 MB at 1.00. plain: 1 MB at 3.00, and SIMs at 1.50, 1.50 and 1.00, one of them activated for 0.07.
      { email: own.email, team_name: 'own', charged_micros: 2_300_000, would_micros: 1_150_000 },
      { email: plain.email, team_name: 'plain', charged_micros: 8_300_000, would_micros: 7_220_000 },
    ],
  })
  expect((await staff.call(getTariffEffect, { params: { tariff_id }, query: { number: 9 } })).status).toBe(404)
  // The same of one that is typed, which leaves nothing behind.
  const {
    number: _,
    created_at: _at,
    created_by: _by,
    ...planned
  } = (await staff.call(getTariff, { params: { tariff_id } })).body.versions.find((version) => version.number === number)!
  await staff.call(withdrawTariffVersion, { params: { tariff_id }, body: { number } })
  const before = (await staff.call(getTariff, { params: { tariff_id } })).body
  expect((await staff.call(previewTariffVersion, { params: { tariff_id }, body: planned })).body).toEqual(body)
  expect((await staff.call(getTariff, { params: { tariff_id } })).body).toEqual(before)
  const early = { ...planned, effective_from: '2026-01-01' }
  expect((await staff.call(previewTariffVersion, { params: { tariff_id }, body: early })).body).toMatchObject({
    code: 'tariff_version_in_past',
  })
  expect((await staff.call(previewTariffVersion, { params: { tariff_id: 'trf_none' }, body: planned })).status).toBe(404)
})
