import { sql } from 'kysely'
import { find, codes } from '@masthead/radius/packet'
import { dictionary } from '@masthead/radius/dictionary'
import { expect, test } from 'vitest'
import { listAssetSessions } from '@masthead/contract/assets/operations'
import { updateDataPool } from '@masthead/contract/datapools/operations'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { blocksOf, confirmCuts, join, week } from '../../datapools/test-pooled-house.ts'
import { followRates } from '../../datapools/follow-pools.ts'
import { putPool, putZones } from '../../datapools/test-pools.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { openBilledHouse, topUp } from '../rating/test-billed.ts'
import { putAssignment, putVersion, someZones } from '../tariffs/test-tariffs.ts'
import { settleCharges } from './settle.ts'

const germany = '26201'
const usa = '310260'
const korea = '45005'
const words = 'No credits are left, and no data pool has data on the network 310-260'

/** A SIM with data in Europe alone; nobody pays in Korea. */
async function openHouse() {
  const house = await openBilledHouse({ zones: [...someZones, { id: 'FREE', networks: ['450'], price_micros: 0 }] }, 1_000_000)
  await putZones(house, { '262-01': 'Europe', '310-260': 'America', '450-05': 'Asia' })
  confirmCuts(house)
  const [sim, spender] = [await house.newSim(), await house.newSim()]
  const pool_id = await putPool(house, house.owner, { ...week, zone: 'Europe', size_bytes: 1_000_000, overage_policy: 'payg' })
  await join(house, pool_id, [sim])
  return Object.assign(house, { sim, spender })
}

const attach = async (house: MeteredHouse, sim: TestSim, network: string) => {
  const reply = await house.client.access({ imsi: sim.imsi, sgsn_mccmnc: network })
  return reply.code === codes.access_accept ? 'accepted' : find(reply, dictionary.reply_message)
}
const report = (house: MeteredHouse, sim: TestSim, id: string, network: string, usage: { time: number; up: number }) =>
  house.client.account(packetOf(sim, 'interim', { id, ...usage, sgsn_mccmnc: network }))
const spendAll = async (house: MeteredHouse & { spender: TestSim }) => {
  await report(house, house.spender, 'spender', germany, { time: 60, up: 10_000_000 })
  await settleCharges(house.app)
}
const sessionsOf = async (house: MeteredHouse, sim: TestSim) =>
  (await house.sessionsOf(sim)).map(({ acct_session_id, forbidden, end_cause }) => [acct_session_id, forbidden, end_cause])

test('without credits a SIM is refused and cut where no pool of its has data and it would be charged, goes on elsewhere, and comes back with credits', async () => {
  await using house = await openHouse()
  const { sim } = house
  await report(house, sim, 'home', germany, { time: 60, up: 10 })
  await report(house, sim, 'abroad', usa, { time: 60, up: 10 })
  expect(await attach(house, sim, usa)).toBe('accepted')
  await spendAll(house)
  // At once, and its row says nothing of it.
  expect([await attach(house, sim, usa), await attach(house, sim, germany), await attach(house, sim, korea)]).toEqual([
    words,
    'accepted',
    'accepted',
  ])
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual([''])
  expect(await sessionsOf(house, sim)).toEqual([
    ['home', null, null],
    ['abroad', words, 'Cut by Masthead'],
  ])
  // What begins there all the same is cut as well.
  await report(house, sim, 'again', usa, { time: 60, up: 10 })
  await house.settle()
  expect((await sessionsOf(house, sim)).at(-1)).toEqual(['again', words, 'Cut by Masthead'])
  // One that its gateway has not cut yet.
  await sql`update data_session set forbidden = ${words} where acct_session_id = 'home'`.execute(house.db)
  await topUp(house, 5_000_000)
  await settleCharges(house.app)
  expect(await attach(house, sim, usa)).toBe('accepted')
  await house.settle()
  expect((await sessionsOf(house, sim))[0]).toEqual(['home', null, null])
  await report(house, sim, 'later', usa, { time: 60, up: 10 })
  await house.settle()
  expect((await sessionsOf(house, sim)).at(-1)).toEqual(['later', null, null])
})

test('a SIM that is refused for want of credits says so, apart from what its pools refuse', async () => {
  await using house = await openHouse()
  const { sim } = house
  const params = { asset_id: sim.asset_id }
  await report(house, sim, 'abroad', usa, { time: 60, up: 10 })
  await spendAll(house)
  await house.settle()
  expect((await house.owner.call(listAssetSessions, { params })).body.items).toMatchObject([{ forbidden: words, forbidden_by: 'balance' }])
  house.clock.advance({ minutes: 1 })
  expect(await attach(house, sim, usa)).toBe(words)
  await house.restartMeter()
  const { refused } = (await house.owner.call(getServiceHistory, { params })).body
  expect(refused).toMatchObject({ by: 'balance', count: 1, words })
  const { rows } = await sql<{ key: string }>`select key from connection_event where kind = 'rejected'`.execute(house.db)
  expect(rows.map(({ key }) => key.trim())).toEqual(['network:balance 310-260'])
})

test('a pool that is used up while no credits are left has its sessions cut, where another of the SIM has data elsewhere', async () => {
  await using house = await openHouse()
  const { sim } = house
  await join(house, await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 1_000_000 }), [sim])
  await spendAll(house)
  await report(house, sim, 'home', germany, { time: 60, up: 10 })
  await house.settle()
  expect(await sessionsOf(house, sim)).toEqual([['home', null, null]])
  await report(house, sim, 'home', germany, { time: 120, up: 1_000_000 })
  await house.settle()
  expect(await sessionsOf(house, sim)).toEqual([['home', words.replace('310-260', '262-01'), 'Cut by Masthead']])
  expect([await attach(house, sim, germany), await attach(house, sim, usa)]).toEqual([words.replace('310-260', '262-01'), 'accepted'])
})

test.each(['version', 'assignment'] as const)(
  'without credits a session is cut on the day that a %s of the price list begins by which it is charged',
  async (what) => {
    await using house = await openHouse()
    const { sim, owner, tariff_id } = house
    await spendAll(house)
    await report(house, sim, 'free', korea, { time: 60, up: 10 })
    await report(house, sim, 'home', germany, { time: 60, up: 10 })
    const effective_from = '2026-11-21'
    const FREE = 500_000
    if (what === 'version')
      await putVersion(house, tariff_id, { effective_from, zones: [...someZones, { id: 'FREE', networks: ['450'], price_micros: FREE }] })
    else await putAssignment(house, owner.account_id, tariff_id, { from_day: effective_from, own: { FREE } })
    await followRates(house.app)
    await house.settle()
    const going = [
      ['free', null, null],
      ['home', null, null],
    ]
    expect(await sessionsOf(house, sim)).toEqual(going)
    house.clock.set('2026-11-21T00:00:30Z')
    await followRates(house.app)
    await house.settle()
    expect(await sessionsOf(house, sim)).toEqual([['free', words.replace('310-260', '450-05'), 'Cut by Masthead'], going[1]])
  }
)

test('without credits the sessions on a pool that is used up are cut once what goes beyond it is charged', async () => {
  await using house = await openHouse()
  const sim = await house.newSim()
  const europe = { ...week, zone: 'Europe', size_bytes: 1000, overage_policy: 'percent' as const, overage_percent: 20 }
  const pool_id = await putPool(house, house.owner, europe)
  for (const one of [pool_id, await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 1000 })])
    await join(house, one, [sim])
  await spendAll(house)
  await report(house, sim, 'home', germany, { time: 60, up: 1010 })
  await house.settle()
  expect(await sessionsOf(house, sim)).toEqual([['home', null, null]])
  expect((await house.owner.call(updateDataPool, { params: { pool_id }, body: { overage_policy: 'payg' } })).status).toBe(200)
  await house.settle()
  expect(await sessionsOf(house, sim)).toEqual([['home', words.replace('310-260', '262-01'), 'Cut by Masthead']])
})
