import { find, codes } from '@masthead/radius/packet'
import { dictionary } from '@masthead/radius/dictionary'
import { expect, test } from 'vitest'
import { followRates } from '../../datapools/follow-pools.ts'
import { blocksOf, confirmCuts } from '../../datapools/test-pooled-house.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { openBilledHouse, topUp } from '../rating/test-billed.ts'
import { putAssignment, putVersion, someZones } from '../tariffs/test-tariffs.ts'
import { settleCharges } from './settle.ts'

const germany = '26201'
const korea = '45005'
const refusal = 'No credits are left, and data on the network 262-01 is charged'
const blocked = 'This SIM is blocked: The account has no credits left'
const zones = [...someZones, { id: 'FREE', networks: ['450'], price_micros: 0 }]

const attach = async (house: MeteredHouse, sim: TestSim, network: string | null) => {
  const reply = await house.client.access({ imsi: sim.imsi, ...(network !== null && { sgsn_mccmnc: network }) })
  return reply.code === codes.access_accept ? 'accepted' : find(reply, dictionary.reply_message)
}
const report = (house: MeteredHouse, sim: TestSim, id: string, network: string, usage: { time: number; up: number }) =>
  house.client.account(packetOf(sim, 'interim', { id, ...usage, sgsn_mccmnc: network }))
const spendAll = async (house: MeteredHouse, spender: TestSim) => {
  await report(house, spender, 'spender', germany, { time: 60, up: 20_000_000 })
  await settleCharges(house.app)
  await house.settle()
}
const sessionsOf = async (house: MeteredHouse, sim: TestSim) =>
  (await house.sessionsOf(sim)).map(({ acct_session_id, forbidden, end_cause }) => [acct_session_id, forbidden, end_cause])

test('without credits a SIM in no pool goes on where its data costs nothing, and is refused and cut where it is charged', async () => {
  await using house = await openBilledHouse({ zones }, 1_000_000)
  confirmCuts(house)
  const [sim, spender] = [await house.newSim(), await house.newSim()]
  await report(house, sim, 'free', korea, { time: 60, up: 10 })
  await report(house, sim, 'home', germany, { time: 60, up: 10 })
  await spendAll(house, spender)
  expect(await blocksOf(house, sim, spender)).toEqual(['', ''])
  expect([await attach(house, sim, korea), await attach(house, sim, germany), await attach(house, sim, null)]).toEqual([
    'accepted',
    refusal,
    'No credits are left, and data is charged where no network is named',
  ])
  expect(await sessionsOf(house, sim)).toEqual([
    ['free', null, null],
    ['home', refusal, 'Cut by Masthead'],
  ])
  expect(await sessionsOf(house, spender)).toEqual([['spender', refusal, 'Cut by Masthead']])
  await report(house, sim, 'moved', korea, { time: 60, up: 10 })
  await report(house, sim, 'moved', germany, { time: 120, up: 20 })
  await house.settle()
  expect((await sessionsOf(house, sim)).at(-1)).toEqual(['moved', refusal, 'Cut by Masthead'])
  await topUp(house, 50_000_000)
  await settleCharges(house.app)
  await house.settle()
  expect([await attach(house, sim, germany), await attach(house, sim, null)]).toEqual(['accepted', 'accepted'])
})

test('without credits SIMs are blocked once data is charged everywhere, and come back with the day on which some costs nothing', async () => {
  await using house = await openBilledHouse({ zones }, 1_000_000)
  confirmCuts(house)
  const [sim, spender] = [await house.newSim(), await house.newSim()]
  await report(house, sim, 'free', korea, { time: 60, up: 10 })
  await spendAll(house, spender)
  await putAssignment(house, house.owner.account_id, house.tariff_id, { from_day: '2026-11-21', own: { FREE: 500_000 } })
  await putAssignment(house, house.owner.account_id, house.tariff_id, { from_day: '2026-11-22' })
  house.clock.set('2026-11-21T00:00:30Z')
  await settleCharges(house.app)
  expect(await attach(house, sim, korea)).toBe(blocked)
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual(['balance'])
  expect((await sessionsOf(house, sim)).map(([, , cause]) => cause)).toEqual(['Cut by Masthead'])
  house.clock.set('2026-11-22T00:00:30Z')
  await settleCharges(house.app)
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual([''])
  expect([await attach(house, sim, korea), await attach(house, sim, germany)]).toEqual(['accepted', refusal])
})

test('without credits a session is cut on the day that its own network has a price, while another has none', async () => {
  const more = [...zones, { id: 'JP', networks: ['440'], price_micros: 0 }]
  await using house = await openBilledHouse({ zones: more }, 1_000_000)
  confirmCuts(house)
  const [sim, spender] = [await house.newSim(), await house.newSim()]
  await report(house, sim, 'free', korea, { time: 60, up: 10 })
  await spendAll(house, spender)
  const later = more.map((zone) => (zone.id === 'FREE' ? { ...zone, price_micros: 500_000 } : zone))
  await putVersion(house, house.tariff_id, { effective_from: '2026-11-21', zones: later })
  house.clock.set('2026-11-21T00:00:30Z')
  await settleCharges(house.app)
  await followRates(house.app)
  await house.settle()
  expect(await blocksOf(house, sim)).toEqual([''])
  expect(await sessionsOf(house, sim)).toEqual([['free', refusal.replace('262-01', '450-05'), 'Cut by Masthead']])
})

test('without credits networks that are in no zone cost nothing', async () => {
  await using house = await openBilledHouse({ zones: someZones.slice(0, 1) }, 1_000_000)
  const [sim, spender] = [await house.newSim(), await house.newSim()]
  await spendAll(house, spender)
  expect([await attach(house, sim, korea), await attach(house, sim, germany), await attach(house, sim, null)]).toEqual([
    'accepted',
    refusal,
    'accepted',
  ])
})

test.each([
  ['everywhere', someZones, blocked],
  ['but not in one zone', zones, refusal],
])('without credits a SIM goes on within its free test where data is charged: %s', async (_, ofList, refused) => {
  await using house = await openBilledHouse({ zones: ofList }, 1_000_000)
  confirmCuts(house)
  const [sim, spender] = [await house.newSim({ state: 'ready' }), await house.newSim()]
  await house.db.updateTable('sim').set({ test_bytes: 5_000_000 }).where('id', '=', sim.id).execute()
  await report(house, sim, 'test', germany, { time: 60, up: 1_000_000 })
  await spendAll(house, spender)
  expect([await blocksOf(house, sim), await attach(house, sim, germany)]).toEqual([[''], 'accepted'])
  await report(house, sim, 'test', germany, { time: 120, up: 5_000_000 })
  expect(await attach(house, sim, germany)).toBe(refused)
})
