import { sql } from 'kysely'
import { find, codes } from '@masthead/radius/packet'
import { dictionary } from '@masthead/radius/dictionary'
import { expect, test } from 'vitest'
import { listAssetSessions } from '@masthead/contract/assets/operations'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { correctUsage, undoCorrection } from '@masthead/contract/backoffice/correction-operations'
import { setOperatorRate } from '@masthead/contract/backoffice/network-operations'
import { endPool, growPool } from '@masthead/contract/backoffice/pool-operations'
import { removePoolAssets } from '@masthead/contract/datapools/operations'
import { enterStaff } from '../backoffice/test-backoffice.ts'
import { packetOf } from '../metering/test-network.ts'
import { rollUpAll } from '../usage/roll-ups/test-roll-up-all.ts'
import { followRates, wakeEnded } from './follow-pools.ts'
import { renewDuePools } from './renew-pools.ts'
import { blocksOf, confirmCuts, join, openPooledHouse, poolOf, week } from './test-pooled-house.ts'
import { putPool, putZones } from './test-pools.ts'

const germany = '262-01'
const france = '208-01'
const usa = '310-260'

test('a pool that is used up refuses its zone alone, while another of the SIM has data elsewhere', async () => {
  await using house = await openPooledHouse()
  await putZones(house, { [germany]: 'Europe', [usa]: 'America' })
  confirmCuts(house)
  const staff = await enterStaff(house)
  const sim = await house.newSim()
  const europe = await putPool(house, house.owner, { ...week, zone: 'Europe', size_bytes: 100, name: 'Europe 100' })
  const america = await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 100 })
  for (const pool_id of [europe, america]) await join(house, pool_id, [sim])
  const attach = async (network: string, { imsi } = sim) => {
    const reply = await house.client.access({ imsi, sgsn_mccmnc: network.replace('-', '') })
    return reply.code === codes.access_accept ? 'accepted' : find(reply, dictionary.reply_message)
  }
  expect([await attach(germany), await attach(usa)]).toEqual(['accepted', 'accepted'])
  const report = (id: string, network: string, time: number, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id, time, up, sgsn_mccmnc: network.replace('-', '') }))
  await report('a', germany, 60, 100)
  const name = (await poolOf(house, europe)).name
  const words = `The data pool ${name} is used up in zone Europe, which the network ${germany} is in`
  // At once; and where no pool has the zone nothing is taken, and nothing refused.
  expect([await attach(germany), await attach(usa), await attach(france)]).toEqual([words, 'accepted', 'accepted'])
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual([''])
  const sessions = async () =>
    (await house.sessionsOf(sim)).map(({ acct_session_id, forbidden, end_cause }) => [acct_session_id, forbidden, end_cause])
  expect(await sessions()).toEqual([['a', words, 'Cut by Masthead']])
  await report('b', usa, 60, 10)
  await report('c', germany, 61, 1)
  await house.settle()
  expect(await sessions()).toEqual([
    ['a', words, 'Cut by Masthead'],
    ['b', null, null],
    ['c', words, 'Cut by Masthead'],
  ])
  // A pool without a zone is for all networks that no other of them is for.
  const other = await house.newSim()
  for (const pool_id of [await putPool(house, house.owner, { ...week, size_bytes: 50, priority: 1 }), america])
    await join(house, pool_id, [other])
  await house.client.account(packetOf(other, 'interim', { id: 'o', time: 60, up: 50, sgsn_mccmnc: '20801' }))
  expect(await attach(france, other)).toMatch(/^The data pool Pool \d+ is used up, and no other has data on the network 208-01$/)
  expect(await attach(usa, other)).toBe('accepted')
  const grown = await staff.call(growPool, { params: { any_pool_id: europe }, body: { bytes: 1_000_000, reason: 'A ticket' } })
  expect(grown.body).toMatchObject({ state: 'active' })
  expect(await attach(germany)).toBe('accepted')
  const { body: ended } = await staff.call(endPool, { params: { any_pool_id: europe }, body: { reason: 'A ticket' } })
  expect(ended).toMatchObject({ state: 'ended', ended_at: house.clock.now().toISOString() })
  expect(ended.ended_at! < ended.term_end).toBe(true)
})

test('a SIM that its pools refuse where it is says so now, and its session there says who does not allow it', async () => {
  await using house = await openPooledHouse()
  await putZones(house, { [germany]: 'Europe', [usa]: 'America' })
  confirmCuts(house)
  const sim = await house.newSim()
  const europe = await putPool(house, house.owner, { ...week, zone: 'Europe', size_bytes: 100 })
  const america = await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 100 })
  for (const pool_id of [europe, america]) await join(house, pool_id, [sim])
  const params = { asset_id: sim.asset_id }
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 60, up: 100, sgsn_mccmnc: '26201' }))
  await house.settle()
  const [session] = (await house.owner.call(listAssetSessions, { params })).body.items
  expect(session).toMatchObject({
    forbidden_by: 'pool',
    forbidden: expect.stringMatching(/^The data pool Pool \d+ is used up in zone Europe/),
  })
  house.clock.advance({ minutes: 1 })
  await house.client.access({ imsi: sim.imsi, sgsn_mccmnc: '26201' })
  await house.restartMeter()
  const { refused } = (await house.owner.call(getServiceHistory, { params })).body
  expect(refused).toMatchObject({ by: 'pool', count: 1, words: session!.forbidden, pool_id: europe })
  const blind = await house.newMember(house.owner, ['assets.view'])
  expect((await blind.call(getServiceHistory, { params })).body.refused).toMatchObject({ by: 'pool', pool_id: null })
})

test('a network that is put into a zone where the pool is used up has the sessions on it cut at once, and one that will be on its day', async () => {
  await using house = await openPooledHouse()
  await putZones(house, { [germany]: 'Europe', [usa]: 'America' })
  await sql`insert into network (mccmnc, name, country) values (${france}, 'Orange', 'FR') on conflict do nothing`.execute(house.db)
  confirmCuts(house)
  const staff = await enterStaff(house)
  const sim = await house.newSim()
  const europe = await putPool(house, house.owner, { ...week, zone: 'Europe', size_bytes: 100 })
  for (const pool_id of [europe, await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 100 })])
    await join(house, pool_id, [sim])
  const report = (id: string, network: string, time: number, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id, time, up, sgsn_mccmnc: network.replace('-', '') }))
  const forbidden = async (id: string) => {
    await house.settle()
    return (await house.sessionsOf(sim)).find((session) => session.acct_session_id === id)!.forbidden
  }
  const setZone = async (mccmnc: string, zone: string, effective_from: string) => {
    const body = { effective_from, zone, cost_micros: 0, price_micros: 0 }
    expect((await staff.call(setOperatorRate, { params: { mccmnc }, body })).status).toBe(200)
  }
  await report('a', germany, 60, 100)
  await report('b', france, 60, 1)
  await report('c', usa, 60, 1)
  expect([await forbidden('b'), await forbidden('c')]).toEqual([null, null])
  await setZone(france, 'Europe', '2026-11-20')
  await setZone(usa, 'Europe', '2026-11-21')
  const words = (network: string) => expect.stringContaining(`is used up in zone Europe, which the network ${network} is in`)
  expect([await forbidden('b'), await forbidden('c')]).toEqual([words(france), null])
  house.clock.set('2026-11-21T00:00:30Z')
  await followRates(house.app)
  expect(await forbidden('c')).toEqual(words(usa))
})

test('a SIM that leaves its pools is not refused by them any more where it is', async () => {
  await using house = await openPooledHouse()
  await putZones(house, { [germany]: 'Europe', [usa]: 'America' })
  const sim = await house.newSim()
  const europe = await putPool(house, house.owner, { ...week, zone: 'Europe', size_bytes: 100 })
  const america = await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 100 })
  for (const pool_id of [europe, america]) await join(house, pool_id, [sim])
  await house.settle()
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 60, up: 10, sgsn_mccmnc: '26201' }))
  // Its gateway has not ended it yet.
  await sql`update data_session set forbidden = 'The data pool Europe is used up in zone Europe'`.execute(house.db)
  for (const pool_id of [europe, america])
    await house.owner.call(removePoolAssets, { params: { pool_id }, body: { assets: [sim.asset_id] } })
  await house.settle()
  expect((await house.sessionsOf(sim)).map(({ forbidden }) => forbidden)).toEqual([null])
})

test('a record that crosses the end of a term, which is a month’s, is split by time between the two terms, and stays one record', async () => {
  await using house = await openPooledHouse()
  house.clock.set('2026-11-01T09:00:00Z')
  const sim = await house.newSim()
  const pool_id = await putPool(house, house.owner, { validity_count: 1, validity_unit: 'month', size_bytes: 1000 })
  await join(house, pool_id, [sim])
  await sql`update sim set created_at = '2026-10-01'`.execute(house.db)
  const at = (time: string) => Math.floor(Date.parse(time) / 1000)
  house.clock.set('2026-11-30T23:40:00Z')
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 60, up: 400, at: at('2026-11-30T23:40:00Z') }))
  house.clock.set('2026-12-01T00:10:00Z')
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 1860, up: 700, at: at('2026-12-01T00:10:00Z') }))
  const terms =
    await sql`select c.starts_at::date::text as term, sum(c.within_bytes)::int as bytes from data_pool_counter c group by 1 order by 1`.execute(
      house.db
    )
  // 20 of 30 minutes, and 10.
  expect(terms.rows).toEqual([
    { term: '2026-11-01', bytes: 600 },
    { term: '2026-12-01', bytes: 100 },
  ])
  const days = await sql`select day::text, sum(bytes)::int as bytes from data_pool_day group by 1 order by 1`.execute(house.db)
  expect(days.rows).toEqual([
    { day: '2026-11-30', bytes: 600 },
    { day: '2026-12-01', bytes: 100 },
  ])
  const records = await sql`select bytes_up from usage_record order by event_at`.execute(house.db)
  expect(records.rows).toEqual([{ bytes_up: 400 }, { bytes_up: 300 }])
})

test('what was used before a pool ended is taken from it, also when it is reported later, and nothing that was used after', async () => {
  await using house = await openPooledHouse()
  house.clock.set('2026-11-01T09:00:00Z')
  const sim = await house.newSim()
  const pool_id = await putPool(house, house.owner, { auto_renew: false, size_bytes: 1000 })
  await join(house, pool_id, [sim])
  await sql`update sim set created_at = '2026-10-01'`.execute(house.db)
  const report = (id: string, on: string, time: number, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id, time, up, at: Math.floor(Date.parse(on) / 1000) }))
  const taken = async () => {
    const { rows } = await sql<{ bytes: number }>`select sum(within_bytes + over_bytes)::int as bytes from data_pool_counter`.execute(
      house.db
    )
    return rows[0]!.bytes
  }
  const renew = async () => {
    await renewDuePools(house.app)
    await wakeEnded(house.app)
    await house.settle()
  }
  house.clock.set('2026-11-30T23:40:00Z')
  await report('a', '2026-11-30T23:40:00Z', 60, 400)
  house.clock.set('2026-12-01T00:10:00Z')
  await renew()
  await report('a', '2026-12-01T00:10:00Z', 1860, 700)
  expect(await taken()).toBe(600)
  house.clock.set('2026-12-02T12:00:00Z')
  await renew()
  await report('late', '2026-11-30T20:00:00Z', 60, 50)
  await report('new', '2026-12-02T12:00:00Z', 60, 50)
  expect(await taken()).toBe(650)
  const members = () => house.db.selectFrom('data_pool_sim').select('pool_id').execute()
  expect(await members()).toHaveLength(1)
  house.clock.set('2026-12-04T00:01:00Z')
  await renew()
  expect(await members()).toEqual([])
})

test('a record that uses up a pool is split by bytes: the next pool gives the rest', async () => {
  await using house = await openPooledHouse()
  const sim = await house.newSim()
  const [first, second] = [
    await putPool(house, house.owner, { ...week, priority: 1, size_bytes: 100, overage_policy: 'percent', overage_percent: 20 }),
    await putPool(house, house.owner, { ...week, priority: 2, size_bytes: 50 }),
  ]
  for (const pool_id of [first, second]) await join(house, pool_id, [sim])
  await house.client.account(packetOf(sim, 'interim', { id: 'a', time: 60, up: 165 }))
  const of = async (pool_id: string) => {
    const { used_bytes, overage_bytes, state } = await poolOf(house, pool_id)
    return { used_bytes, overage_bytes, state }
  }
  // The sizes of both come before what one allows beyond its own.
  expect([await of(first), await of(second)]).toEqual([
    { used_bytes: 115, overage_bytes: 15, state: 'overage' },
    { used_bytes: 50, overage_bytes: 0, state: 'exhausted' },
  ])
  expect(await sql`select bytes_up from usage_record`.execute(house.db)).toMatchObject({ rows: [{ bytes_up: 165 }] })
})

test('what staff add without naming a network is taken from the pool of the network that it is counted in', async () => {
  await using house = await openPooledHouse()
  await putZones(house, { [germany]: 'Europe', [usa]: 'America' })
  const staff = await enterStaff(house)
  const sim = await house.newSim()
  const europe = await putPool(house, house.owner, { ...week, zone: 'Europe', size_bytes: 10_000 })
  const america = await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 10_000 })
  for (const pool_id of [europe, america]) await join(house, pool_id, [sim])
  const report = (id: string, network: string, up: number) =>
    house.client.account(packetOf(sim, 'interim', { id, time: 60, up, sgsn_mccmnc: network.replace('-', '') }))
  await report('a', germany, 500)
  // Seen last, and less used.
  await report('b', usa, 100)
  await rollUpAll(house.app)
  const used = async () => [(await poolOf(house, europe)).used_bytes, (await poolOf(house, america)).used_bytes]
  const params = { any_asset_id: sim.asset_id }
  const body = { day: '2026-11-20', bytes_up: 3000, bytes_down: 0, reason: 'A ticket' }
  const { body: correction } = await staff.call(correctUsage, { params, body })
  expect(await used()).toEqual([3500, 100])
  await staff.call(undoCorrection, { params: { ...params, correction_id: correction.id }, body: { reason: 'A mistake' } })
  expect(await used()).toEqual([500, 100])
  // What was taken away in both comes back to both.
  const all = await staff.call(correctUsage, { params, body: { ...body, bytes_up: -600 } })
  expect(await used()).toEqual([0, 0])
  await staff.call(undoCorrection, { params: { ...params, correction_id: all.body.id }, body: { reason: 'A mistake' } })
  expect(await used()).toEqual([500, 100])
  // What is subtracted without naming a network goes back to the pool that it was taken from, whatever the order of the pools.
  const most = await staff.call(correctUsage, { params, body: { ...body, bytes_up: -450 } })
  expect(await used()).toEqual([50, 100])
  await staff.call(undoCorrection, { params: { ...params, correction_id: most.body.id }, body: { reason: 'A mistake' } })
  expect(await used()).toEqual([500, 100])
  const both = await staff.call(correctUsage, { params, body: { ...body, bytes_up: -550 } })
  expect(await used()).toEqual([0, 50])
  await staff.call(undoCorrection, { params: { ...params, correction_id: both.body.id }, body: { reason: 'A mistake' } })
  expect(await used()).toEqual([500, 100])
})
