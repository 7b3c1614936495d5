import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { exportTotalUsage, getTotalUsage } from '@masthead/contract/usage/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { addAsset, addNetworks, addTag, addUsage, type SeededAsset } from './test-usage.ts'

let house: House
let owner: Person
let member: Person
let camera: SeededAsset
let truck: SeededAsset
let meter: SeededAsset
let north: string

beforeAll(async () => {
  house = await openHouse()
  house.clock.set('2026-11-21T14:31:48Z')
  owner = await house.newOwner()
  await addNetworks(house)
  north = await addTag(house, owner, 'north')
  const fleet = await addTag(house, owner, 'fleet')
  camera = await addAsset(house, owner, { name: 'camera-1', tags: [north, fleet], limit_bytes: 2000 })
  truck = await addAsset(house, owner, { name: 'truck "50%"', tags: [fleet] })
  meter = await addAsset(house, owner, { name: '=meter' })
  await addAsset(house, owner, { name: 'quiet' })
  await addAsset(house, owner, { name: 'asleep', state: 'inactive' })
  await addUsage(house, owner, [
    { sim_id: camera.sim_id, hour: '2026-11-20T09:00:00Z', up: 800, down: 100 },
    { sim_id: camera.sim_id, hour: '2026-11-20T10:00:00Z', up: 80, down: 20 },
    { sim_id: truck.sim_id, hour: '2026-11-20T10:00:00Z', up: 100, down: 200, mccmnc: '208-01', rat: 'LTE-M' },
    { sim_id: truck.sim_id, hour: '2026-11-21T14:00:00Z', up: 10, down: 40, mccmnc: '262-02', rat: 'LTE-M' },
    { sim_id: meter.sim_id, hour: '2026-11-01T00:00:00Z', up: 50, down: 0, mccmnc: '', rat: '' },
    { sim_id: camera.sim_id, hour: '2026-10-21T14:00:00Z', up: 600, down: 0 },
    { sim_id: camera.sim_id, hour: '2026-10-21T15:00:00Z', up: 7000, down: 0 },
  ])
  await house.db
    .insertInto('rollup_progress')
    .values({ name: 'usage', xid: '1', complete_until: new Date('2026-11-21T14:31:47Z') })
    .onConflict((c) => c.column('name').doUpdateSet({ complete_until: new Date('2026-11-21T14:31:47Z') }))
    .execute()
  const late = { account_id: owner.account_id, last_at: new Date('2026-11-21T10:00:00Z') }
  await house.db
    .insertInto('usage_late')
    .values([
      { ...late, day: '2026-11-20', sim_id: camera.sim_id, bytes: 100 },
      { ...late, day: '2026-11-20', sim_id: truck.sim_id, bytes: 30 },
      { ...late, day: '2026-10-21', sim_id: truck.sim_id, bytes: 7 },
    ])
    .execute()
  member = await house.newMember(owner, ['usage.view'], [north])
})
afterAll(() => house[Symbol.asyncDispose]())

const ask = async (query: object = {}, person = owner) => {
  const { status, body } = await person.call(getTotalUsage, { query })
  expect(status, body.detail).toBe(200)
  return body
}

test('days that changed after they were over are shown, and what of each SIM came late; limited members hear of their own', async () => {
  const body = await ask()
  expect(body.late_days).toEqual([{ day: '2026-11-20', bytes: 130, sims: 2, last_at: '2026-11-21T10:00:00.000Z' }])
  expect(body.items.map(({ key, late_bytes }) => [key, late_bytes])).toEqual([
    [camera.asset_id, 100],
    [truck.asset_id, 30],
    [meter.asset_id, 0],
  ])
  expect((await ask({}, member)).late_days).toMatchObject([{ bytes: 100, sims: 1 }])
  expect((await ask({ start: '2026-11-21T00:00:00Z', end: '2026-11-22T00:00:00Z' })).late_days).toEqual([])
  expect((await ask({ group_by: 'network' })).items[0]!.late_bytes).toBe(0)
})

test('this month by SIM: totals, points, shares, limits, the part of the month before', async () => {
  const body = await ask()
  expect(body).toMatchObject({
    start: '2026-11-01T00:00:00.000Z',
    end: '2026-12-01T00:00:00.000Z',
    bytes_up: 1040,
    bytes_down: 360,
    previous_start: '2026-10-01T00:00:00.000Z',
    previous_end: '2026-10-21T15:00:00.000Z',
    previous_bytes: 600,
    complete_until: '2026-11-21T14:31:47.000Z',
    silent_sims: 1,
    total: 3,
    total_capped: false,
    next: null,
  })
  expect(body.points).toHaveLength(21)
  expect(body.points.at(-2)).toEqual({ at: '2026-11-20T00:00:00.000Z', bytes_up: 980, bytes_down: 320 })
  expect(body.items).toMatchObject([
    {
      key: camera.asset_id,
      label: 'camera-1',
      iccid: camera.iccid,
      bytes_up: 880,
      bytes_down: 120,
      bytes: 1000,
      share: 1000 / 1400,
      sims: 1,
      countries: ['DE'],
      late_bytes: 100,
      limit_share: 0.5,
    },
    expect.objectContaining({ key: truck.asset_id, bytes: 350, countries: ['DE', 'FR'], late_bytes: 30, limit_share: null }),
    expect.objectContaining({ key: meter.asset_id, bytes: 50, countries: [], sessions: 0 }),
  ])
  expect(body.series.map(({ label, bytes }) => [label, bytes.reduce((sum, each) => sum + each, 0)])).toEqual([
    ['camera-1', 1000],
    ['truck "50%"', 350],
    ['=meter', 50],
  ])
})

test('a month that is over is compared with the limit of that month: a raise of this one is not its', async () => {
  const october = { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' }
  const limit = house.db.updateTable('usage_limit').where('sim_id', '=', camera.sim_id)
  await limit.set({ raised_bytes: 4000, raised_period: '2026-11-01' }).execute()
  const shares = [(await ask()).items[0]!.limit_share, (await ask(october)).items[0]!.limit_share]
  await limit.set({ raised_bytes: null, raised_period: null }).execute()
  expect(shares).toEqual([0.25, 3.8])
})

describe('groups', () => {
  test.each([
    [
      'network',
      [
        ['262-01', 'Telekom DE', 1000, 1],
        ['208-01', 'Orange F', 300, 1],
        ['262-02', 'Vodafone DE', 50, 1],
        [null, 'Unknown network', 50, 1],
      ],
    ],
    [
      'country',
      [
        ['DE', 'Germany', 1050, 2],
        ['FR', 'France', 300, 1],
        [null, 'Unknown country', 50, 1],
      ],
    ],
    [
      'rat',
      [
        ['LTE', 'LTE', 1000, 1],
        ['LTE-M', 'LTE-M', 350, 1],
        [null, 'Unknown technology', 50, 1],
      ],
    ],
  ])('by %s', async (group_by, expected) => {
    const body = await ask({ group_by })
    const sorted = (rows: unknown[][]) => rows.toSorted((a, b) => Number(b[2]) - Number(a[2]) || String(a[0]).localeCompare(String(b[0])))
    expect(sorted(body.items.map(({ key, label, bytes, sims }) => [key, label, bytes, sims]))).toEqual(sorted(expected))
    for (const [i, series] of body.series.entries()) expect(series.bytes.reduce((sum, each) => sum + each, 0)).toBe(body.items[i]!.bytes)
  })

  test('by tag: a SIM with two counts in both', async () => {
    const body = await ask({ group_by: 'tag' })
    expect(body.items.map(({ label, bytes, sims }) => [label, bytes, sims])).toEqual([
      ['fleet', 1350, 2],
      ['north', 1000, 1],
      ['Untagged', 50, 1],
    ])
    expect(body.items.at(-1)!.key).toBeNull()
  })

  test('page by page, by number and by place', async () => {
    const first = await ask({ page_size: 2 })
    expect(first).toMatchObject({ total: 3 })
    expect(first.items.map(({ bytes }) => bytes)).toEqual([1000, 350])
    const names = ['=meter']
    expect((await ask({ page_size: 2, page: 2 })).items.map(({ label }) => label)).toEqual(names)
    const second = await ask({ page_size: 2, after: first.next! })
    expect(second.items.map(({ label }) => label)).toEqual(names)
    expect(second.next).toBeNull()
    for (const query of [{ after: 'x' }, { after: first.next!, group_by: 'tag' as const }])
      expect((await owner.call(getTotalUsage, { query })).body).toMatchObject({ code: 'invalid_request' })
  })

  test('a search is in names and numbers, and leaves the totals alone', async () => {
    const labels = async (group_by: string, search: string) => (await ask({ group_by, search })).items.map(({ label }) => label)
    expect(await labels('sim', 'CAM')).toEqual(['camera-1'])
    expect(await labels('sim', '50%')).toEqual(['truck "50%"'])
    expect(await labels('sim', truck.iccid)).toEqual(['truck "50%"'])
    expect(await labels('network', '262')).toEqual(['Telekom DE', 'Vodafone DE'])
    expect(await labels('country', 'franc')).toEqual(['France'])
    expect(await labels('rat', 'lte-m')).toEqual(['LTE-M'])
    expect(await labels('tag', 'nor')).toEqual(['north'])
    expect(await ask({ search: 'nothing like it' })).toMatchObject({ items: [], total: 0, bytes_up: 1040, silent_sims: 1 })
  })

  test('at most seven series, and the rest', async () => {
    const other = await house.newOwner()
    for (let i = 0; i < 9; i++) {
      const { sim_id } = await addAsset(house, other, { name: `a${i}` })
      await addUsage(house, other, [{ sim_id, hour: '2026-11-21T10:00:00Z', up: 100 - i, down: 0, mccmnc: `999-0${i}` }])
    }
    for (const group_by of ['sim', 'network']) {
      const { series } = await ask({ group_by, start: '2026-11-21T00:00:00Z', end: '2026-11-22T00:00:00Z', interval: 'hour' }, other)
      expect(series).toHaveLength(8)
      expect(series.at(-1)).toMatchObject({ key: null, rest: true, label: 'All others' })
      expect(series.at(-1)!.bytes[10]).toBe(93 + 92)
      expect(series[0]!.bytes).toHaveLength(15)
    }
  })
})

describe('periods', () => {
  test('by the hour, with hours at the edges of days', async () => {
    const query = { interval: 'hour', start: '2026-11-20T10:00:00Z', end: '2026-11-21T15:00:00Z' }
    for (const group_by of ['sim', 'network', 'country', 'rat', 'tag']) {
      const body = await ask({ ...query, group_by })
      expect(body).toMatchObject({ bytes_up: 190, bytes_down: 260 })
      expect(body.points).toHaveLength(29)
      expect(body.points[0]).toEqual({ at: '2026-11-20T10:00:00.000Z', bytes_up: 180, bytes_down: 220 })
    }
    const { items } = await ask(query)
    expect(items.map(({ label, bytes, limit_share }) => [label, bytes, limit_share])).toEqual([
      ['truck "50%"', 350, null],
      ['camera-1', 100, null],
    ])
  })

  test('by the month', async () => {
    const { points } = await ask({ interval: 'month', start: '2026-10-01T00:00:00Z', end: '2026-12-01T00:00:00Z' })
    expect(points.map(({ at, bytes_up }) => [at.slice(0, 7), bytes_up])).toEqual([
      ['2026-10', 7600],
      ['2026-11', 1040],
    ])
  })

  test('one that is too long is refused in words', async () => {
    const { status, body } = await owner.call(getTotalUsage, { query: { interval: 'hour', start: '2026-09-01T00:00:00Z' } })
    expect(status).toBe(400)
    expect(body.fields).toEqual({ end: 'Choose at most 31 days when counting by the hour' })
    const csv = await owner.call(exportTotalUsage, { query: { interval: 'hour', start: '2026-09-01T00:00:00Z' } })
    expect(csv.status).toBe(400)
  })
})

test('a member limited by tags has only the usage of their assets, everywhere', async () => {
  for (const group_by of ['sim', 'network', 'country', 'rat']) {
    for (const interval of ['hour', 'day', 'month']) {
      const body = await ask({ group_by, interval }, member)
      expect(body).toMatchObject({ bytes_up: 880, bytes_down: 120, previous_bytes: 600, total: 1, silent_sims: 0 })
      expect(body.points.reduce((sum, { bytes_up, bytes_down }) => sum + bytes_up + bytes_down, 0)).toBe(1000)
      expect(body.series).toHaveLength(1)
      expect(body.items[0]).toMatchObject({ bytes: 1000, share: 1 })
    }
  }
  // Their asset has another tag too, of which they are not to know.
  expect(await ask({ group_by: 'tag' }, member)).toMatchObject({ total: 1, items: [{ label: 'north', bytes: 1000 }], series: [{}] })
  expect((await member.call(exportTotalUsage, { query: { group_by: 'tag' } })).text).not.toContain('fleet')
  const csv = await member.call(exportTotalUsage)
  expect(csv.text.trim().split('\r\n')).toHaveLength(2)
  expect(csv.text).not.toContain('truck')
})

test('CSV has every group, quoted and harmless to a spreadsheet', async () => {
  const { status, text, headers } = await owner.call(exportTotalUsage)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="usage-by-sim-2026-11-01-to-2026-11-30.csv"',
  })
  expect(text).toBe(
    [
      'group,label,iccid,bytes_up,bytes_down,bytes,share,sims,countries,sessions,billed_bytes',
      `${camera.asset_id},camera-1,${camera.iccid},880,120,1000,0.714286,1,DE,0,`,
      `${truck.asset_id},"truck ""50%""",${truck.iccid},110,240,350,0.250000,1,DE FR,0,`,
      `${meter.asset_id},'=meter,${meter.iccid},50,0,50,0.035714,1,,0,`,
      '',
    ].join('\r\n')
  )
  const byCountry = await owner.call(exportTotalUsage, { query: { group_by: 'country' } })
  expect(byCountry.text.split('\r\n')[1]).toBe('DE,Germany,,890,160,1050,0.750000,2,DE')
})

test('CSV by SIM shows what SIMs used that were removed since, to who sees all', async () => {
  const team = await house.newOwner()
  const tag = await addTag(house, team, 'left')
  const [left, gone] = [await addAsset(house, team, { name: 'left', tags: [tag] }), await addAsset(house, team, { name: 'gone' })]
  await addUsage(house, team, [
    { sim_id: left.sim_id, hour: '2026-11-20T09:00:00Z', up: 10, down: 0, mccmnc: '' },
    { sim_id: gone.sim_id, hour: '2026-11-20T09:00:00Z', up: 990, down: 0, mccmnc: '' },
  ])
  await house.db.deleteFrom('asset').where('id', '=', gone.asset_id).execute()
  const lines = async (person: Person) => (await person.call(exportTotalUsage)).text.trim().split('\r\n').slice(1)
  const own = [left.asset_id, 'left', left.iccid, 10, 0, 10]
  expect(await lines(team)).toEqual([[...own, '0.010000', 1, '', 0, ''].join(), ',Removed SIM,,990,0,990,0.990000,1,,0,'])
  expect(await lines(await house.newMember(team, ['usage.view'], [tag]))).toEqual([[...own, '1.000000', 1, '', 0, ''].join()])
})

test('another account sees nothing of it, and usage.view is needed', async () => {
  const other = await house.newOwner()
  expect(await ask({}, other)).toMatchObject({ bytes_up: 0, items: [], series: [], total: 0, previous_bytes: 0, silent_sims: 0 })
  const { status } = await (await house.newMember(owner, ['assets.view'])).call(getTotalUsage)
  expect(status).toBe(403)
  expect((await house.anyone.call(getTotalUsage)).status).toBe(401)
})
