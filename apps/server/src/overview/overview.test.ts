import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAssets } from '@masthead/contract/assets/operations'
import { newId } from '@masthead/contract/kernel/id'
import { getOverview } from '@masthead/contract/overview/operations'
import { tagCreated } from '@masthead/contract/tags/events'
import { systemActor } from '@masthead/server/kernel/app'
import { record } from '@masthead/server/kernel/record'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putGateway } from '../gateways/test-gateway.ts'
import { addAsset, addNetworks, addTag, addUsage, type SeededAsset } from '../usage/test-usage.ts'

let house: House
let owner: Person
let member: Person
let camera: SeededAsset
const unanswered = { requested_at: '2026-11-21T14:31:10.000Z', answered_at: null, attempts: 5, answer: 'timeout', words: 'No answer' }
const gateway_id = newId('gateway')

beforeAll(async () => {
  house = await openHouse()
  house.clock.set('2026-11-21T14:31:48Z')
  owner = await house.newOwner()
  const { account_id } = owner
  await addNetworks(house)
  await putGateway(house.db, { id: gateway_id, address: '192.0.2.1' })
  const tag = await addTag(house, owner, 'north')
  camera = await addAsset(house, owner, { name: 'camera', tags: [tag], limit_bytes: 1000 })
  const truck = await addAsset(house, owner, { name: 'truck' })
  const lost = await addAsset(house, owner, { name: 'lost', limit_bytes: 1000 })
  const held = await addAsset(house, owner, { name: 'held' })
  await addAsset(house, owner, { name: 'new', state: 'ready' })
  await house.db.updateTable('sim').set({ blocks: '[{"code":"staff"}]' }).where('id', '=', held.sim_id).execute()
  await addUsage(house, owner, [
    { sim_id: camera.sim_id, hour: '2026-11-21T09:00:00Z', up: 800, down: 100 },
    { sim_id: truck.sim_id, hour: '2026-11-20T09:00:00Z', up: 50, down: 50 },
    { sim_id: camera.sim_id, hour: '2026-10-10T09:00:00Z', up: 300, down: 0 },
    { sim_id: camera.sim_id, hour: '2026-10-25T09:00:00Z', up: 4000, down: 0 },
  ])
  for (const [sim, bytes_up] of [
    [camera, 900],
    [truck, 100],
    [lost, 1200],
  ] as const)
    await counter(account_id, sim.sim_id, bytes_up)
  await session(camera, '14:20', {})
  await session(truck, '14:00', {})
  await session(truck, '14:30', { ended_at: new Date('2026-11-21T14:31:00Z') })
  await session(lost, '14:31', { disconnect: JSON.stringify(unanswered) })
  member = await house.newMember(owner, ['overview.view'], [tag])
})
afterAll(() => house[Symbol.asyncDispose]())

const counter = (account_id: string, sim_id: string, bytes_up: number) =>
  house.db
    .insertInto('sim_counter')
    .values({
      account_id,
      sim_id,
      period_start: '2026-11-01',
      bytes_up,
      bytes_down: 0,
      lifetime_up: bytes_up,
      lifetime_down: 0,
      seen_at: new Date(),
    })
    .execute()

const session = ({ asset_id, sim_id }: SeededAsset, heard: string, more: { ended_at?: Date; disconnect?: string }) => {
  const at = new Date(`2026-11-21T${heard}:00Z`)
  const nothing = { imsi: null, apn: null, ip: null, rat: null, mccmnc: null, imei: null, cell: null, end_cause: null, session_time: null }
  const id = newId('session')
  return house.db
    .insertInto('data_session')
    .values({
      account_id: owner.account_id,
      id,
      sim_id,
      asset_id,
      gateway_id,
      nas: 'gw',
      acct_session_id: id,
      started_at: at,
      updated_at: at,
      heard_at: at,
      interim_seconds: 300,
      ended_at: null,
      disconnect: null,
      ...nothing,
      ...more,
    })
    .execute()
}

const ask = async (person = owner, range = 'month') => {
  const { status, body } = await person.call(getOverview, { query: { range: range as 'month' } })
  expect(status, body.detail).toBe(200)
  return body
}

test('assets by type, SIM status and presence; what needs attention', async () => {
  const body = await ask()
  expect(body.assets).toEqual({
    total: 5,
    by_type: [{ type: 'picolte', count: 5 }],
    by_sim_status: [
      { status: 'ready', count: 1 },
      { status: 'active', count: 3 },
      { status: 'blocked', count: 1 },
    ],
    online: 2,
    offline: 1,
    never_seen: 2,
  })
  expect(body.attention).toEqual({
    blocked: 1,
    silent_sessions: 1,
    near_limit: 1,
    failed_disconnects: 1,
    failed_updates: 0,
    open_alerts: 0,
  })
  expect(body.onboarding).toBeNull()
})

test.each([
  ['near_limit', 'camera'],
  ['silent', 'truck'],
  ['uncut', 'lost'],
] as const)('the assets list finds what is counted: %s', async (attention, name) => {
  const { body } = await owner.call(listAssets, { query: { attention } })
  expect(body).toMatchObject({ total: 1, items: [{ name }] })
})

test('what the tiles count is what the lists behind them show, also of an asset whose SIM was swapped for one that never sent', async () => {
  const other = await house.newOwner()
  const { account_id } = other
  const names = ['swapped', 'offline', 'never'] as const
  const assets = await Promise.all(names.map((name) => addAsset(house, other, { name })))
  for (const { sim_id } of assets.slice(0, 2)) await counter(account_id, sim_id, 100)
  const { asset_id, sim_id } = assets[0]!
  const spare = newId('sim')
  await sql`insert into sim (account_id, id, asset_id, iccid, state) values (${account_id}, ${spare}, ${asset_id}, '8949020000000099990', 'active')`.execute(
    house.db
  )
  await sql`update sim set state = 'inactive' where account_id = ${account_id} and id = ${sim_id}`.execute(house.db)
  await sql`update asset set sim_id = ${spare} where account_id = ${account_id} and id = ${asset_id}`.execute(house.db)
  const { assets: tiles } = await ask(other)
  const totalOf = async (query: object) => (await other.call(listAssets, { query })).body.total
  expect(tiles).toMatchObject({ total: 3, online: 0, offline: 1, never_seen: 2 })
  expect(await totalOf({ online: 'true' })).toBe(tiles.online)
  expect(await totalOf({ q: 'connection:offline -seen:never' })).toBe(tiles.offline)
  expect(await totalOf({ q: 'seen:never' })).toBe(tiles.never_seen)
  for (const { status, count } of tiles.by_sim_status) expect(await totalOf({ sim_status: [status] })).toBe(count)
})

test('usage of this month beside the same part of the one before; the largest consumers', async () => {
  const { usage, top_consumers } = await ask()
  expect(usage).toMatchObject({
    start: '2026-11-01T00:00:00.000Z',
    end: '2026-12-01T00:00:00.000Z',
    interval: 'day',
    bytes_up: 850,
    bytes_down: 150,
    previous_bytes: 300,
  })
  expect(usage.points).toHaveLength(21)
  expect(usage.previous_points).toHaveLength(31)
  expect(usage.previous_points[24]).toEqual({ at: '2026-10-25T00:00:00.000Z', bytes_up: 4000, bytes_down: 0 })
  expect(top_consumers).toEqual([
    { asset_id: camera.asset_id, name: 'camera', iccid: camera.iccid, bytes: 900, share: 0.9, limit_bytes: 1000 },
    expect.objectContaining({ name: 'truck', bytes: 100, share: 0.1, limit_bytes: null }),
  ])
})

describe('ranges', () => {
  test.each([
    ['today', 'hour', '2026-11-21', '2026-11-22', 15, 900, 100],
    ['7d', 'day', '2026-11-15', '2026-11-22', 7, 1000, 0],
    ['30d', 'day', '2026-10-23', '2026-11-22', 30, 5000, 300],
    ['12m', 'month', '2025-12-01', '2026-12-01', 12, 5300, 0],
  ])('%s', async (range, interval, start, end, points, bytes, previous_bytes) => {
    const { usage } = await ask(owner, range)
    expect([usage.start.slice(0, 10), usage.end.slice(0, 10), usage.interval]).toEqual([start, end, interval])
    expect(usage.points).toHaveLength(points)
    expect(usage.bytes_up + usage.bytes_down).toBe(bytes)
    expect(usage.previous_bytes).toBe(previous_bytes)
  })

  test('days of one’s own: by the hour up to two days, with the same time before, and not without an end', async () => {
    const own = async (start: string, end: string) => {
      const { body } = await owner.call(getOverview, { query: { range: 'custom', start, end } })
      const { usage, top_consumers } = body
      const bytes = usage.bytes_up + usage.bytes_down
      return [usage.interval, usage.points.length, bytes, usage.previous_bytes, top_consumers.reduce((sum, one) => sum + one.bytes, 0)]
    }
    expect(await own('2026-11-20', '2026-11-22')).toEqual(['hour', 39, 1000, 0, 1000])
    expect(await own('2026-11-19', '2026-11-22')).toEqual(['day', 3, 1000, 0, 1000])
    for (const end of ['2026-11-01', '2025-01-01', '2026-13-01', 'tomorrow'])
      expect(await owner.call(getOverview, { query: { range: 'custom', start: '2026-11-01', end } })).toMatchObject({ status: 400 })
    expect(await owner.call(getOverview, { query: { range: 'custom', start: '2020-01-01', end: '2026-01-01' } })).toMatchObject({
      status: 400,
      body: { fields: { end: 'Choose at most 400 days when counting by the day' } },
    })
  })
})

test('a member limited by tags sees those assets alone', async () => {
  const body = await ask(member)
  expect(body.assets).toEqual({
    total: 1,
    by_type: [{ type: 'picolte', count: 1 }],
    by_sim_status: [{ status: 'active', count: 1 }],
    online: 1,
    offline: 0,
    never_seen: 0,
  })
  expect(body.usage).toMatchObject({ bytes_up: 800, bytes_down: 100, previous_bytes: 300 })
  expect(body.top_consumers).toHaveLength(1)
  expect(body.attention).toEqual({
    blocked: 0,
    silent_sessions: 0,
    near_limit: 1,
    failed_disconnects: 0,
    failed_updates: 0,
    open_alerts: null,
  })
})

test('an empty account is shown the way in; at most four activities', async () => {
  const other = await house.newOwner()
  const empty = await ask(other)
  expect(empty.assets).toEqual({ total: 0, by_type: [], by_sim_status: [], online: 0, offline: 0, never_seen: 0 })
  expect(empty).toMatchObject({
    top_consumers: [],
    latest_activity: [],
    onboarding: { registered: false, activated: false, first_data: false },
  })
  for (let i = 0; i < 6; i++) {
    house.clock.advance({ seconds: 1 })
    const actor = systemActor(other.account_id, house.clock.now())
    await house.db.transaction().execute((tx) => record(tx, actor, tagCreated, { tag_id: `tag_${i}`, tag_name: `t${i}` }))
  }
  const { sim_id } = await addAsset(house, other, { name: 'first', state: 'ready' })
  const next = await ask(other)
  expect(next.onboarding).toEqual({ registered: true, activated: false, first_data: false })
  expect(next.latest_activity.map(({ sentence }) => sentence)).toEqual([5, 4, 3, 2].map((i) => `Created tag t${i}`))
  await house.db.updateTable('sim').set({ state: 'active' }).where('id', '=', sim_id).execute()
  await counter(other.account_id, sim_id, 5)
  expect((await ask(other)).onboarding).toBeNull()
})

test('overview.view is needed', async () => {
  expect((await (await house.newMember(owner, ['assets.view'])).call(getOverview)).status).toBe(403)
  expect((await house.anyone.call(getOverview)).status).toBe(401)
})
