import { getAsset } from '@masthead/contract/assets/operations'
import { getServiceHistory } from '@masthead/contract/assets/past/history-operations'
import { setCostLimits } from '@masthead/contract/billing/cost-limits/operations'
import { getBalanceRules } from '@masthead/contract/billing/refill/operations'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { eventKinds } from '@masthead/contract/events'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { dictionary } from '@masthead/radius/dictionary'
import { codes, find } from '@masthead/radius/packet'
import { expect, test } from 'vitest'
import { blocksOf, confirmCuts, join, week } from '../../datapools/test-pooled-house.ts'
import { putPool, putZones } from '../../datapools/test-pools.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { openBilledHouse } from '../rating/test-billed.ts'
import { settleCharges } from '../settling/settle.ts'
import { followCostCaps } from './block-at-caps.ts'

const germany = '26201'
const usa = '310260'

const none = { most_price_micros: null, price_action: 'warn' as const, sim_day_micros: null }
const openHouse = async () => {
  const house = await openBilledHouse({}, 100_000_000)
  confirmCuts(house)
  return house
}
const limit = async (house: MeteredHouse, limits: object) => {
  expect((await house.owner.call(setCostLimits, { body: { ...none, ...limits } })).status).toBe(200)
  await house.settle()
}
const attach = async (house: MeteredHouse, sim: TestSim, network: string | null) => {
  const reply = await house.client.access({ imsi: sim.imsi, ...(network && { sgsn_mccmnc: network }) })
  return reply.code === codes.access_accept ? 'accepted' : find(reply, dictionary.reply_message)
}
/** So many bytes of a session until now, and what follows. */
const report = async (house: MeteredHouse, sim: TestSim, id: string, network: string, up: number, time = 60) => {
  await house.client.account(packetOf(sim, 'interim', { id, time, up, sgsn_mccmnc: network }))
  await settleCharges(house.app)
  await house.settle()
}
const sessionsOf = async (house: MeteredHouse, sim: TestSim) =>
  (await house.sessionsOf(sim)).map(({ acct_session_id, forbidden, end_cause }) => [acct_session_id, forbidden, end_cause])
// Who sees SIMs reads it, and the gateway: it says no price.
const refusal = 'Data on the network 310-260 costs more than the account allows'
const eventsOf = async (house: MeteredHouse, name: string) =>
  (await house.events(house.owner.account_id)).filter((event) => event.name === name)

test('data above the price that an account allows is refused: a session there is cut, one elsewhere goes on, and what a pool gives is let in', async () => {
  await using house = await openHouse()
  const [sim, pooled] = [await house.newSim(), await house.newSim()]
  await putZones(house, { '262-01': 'Europe', '310-260': 'America' })
  await join(house, await putPool(house, house.owner, { ...week, zone: 'America', size_bytes: 1_000_000, overage_policy: 'payg' }), [
    pooled,
  ])
  await report(house, sim, 'home', germany, 10)
  await report(house, sim, 'abroad', usa, 10)
  await report(house, pooled, 'pooled', usa, 10)
  expect(await attach(house, sim, usa)).toBe('accepted')
  // What costs as much as is allowed is allowed.
  await limit(house, { most_price_micros: 2_000_000, price_action: 'refuse' })
  expect(await attach(house, sim, usa)).toBe('accepted')
  await limit(house, { most_price_micros: 1_999_999, price_action: 'refuse' })
  expect(await attach(house, sim, usa)).toBe(refusal)
  expect([await attach(house, sim, germany), await attach(house, sim, null), await attach(house, pooled, usa)]).toEqual([
    'accepted',
    'accepted',
    'accepted',
  ])
  expect(await sessionsOf(house, sim)).toEqual([
    ['home', null, null],
    ['abroad', refusal, 'Cut by Masthead'],
  ])
  expect(await blocksOf(house, sim)).toEqual([''])
  // Beyond its pool the next byte costs that, and the session is cut; on networks that cost less it goes on.
  await report(house, pooled, 'pooled', usa, 1_000_000, 120)
  expect(await attach(house, pooled, usa)).toBe(refusal)
  await report(house, pooled, 'pooled', usa, 1_000_010, 180)
  expect(await sessionsOf(house, pooled)).toEqual([['pooled', refusal, 'Cut by Masthead']])
  expect(await attach(house, pooled, germany)).toBe('accepted')
  // A warning refuses nothing.
  await limit(house, { most_price_micros: 1_999_999 })
  expect([await attach(house, sim, usa), await attach(house, pooled, usa)]).toEqual(['accepted', 'accepted'])
  await report(house, sim, 'again', usa, 10)
  expect((await sessionsOf(house, sim)).at(-1)).toEqual(['again', null, null])
})

test('who is refused for the price is answered so, with who refused it', async () => {
  await using house = await openHouse()
  const sim = await house.newSim()
  await limit(house, { most_price_micros: 1_000_000, price_action: 'refuse' })
  await attach(house, sim, usa)
  await house.restartMeter()
  const { refused } = (await house.owner.call(getServiceHistory, { params: { asset_id: sim.asset_id } })).body
  expect(refused).toMatchObject({
    by: 'price',
    count: 1,
    words: refusal,
  })
})

test('a SIM whose data has cost what its day may is blocked and cut, with the reason; the next day and a higher limit lift it', async () => {
  await using house = await openHouse()
  const [sim, other] = [await house.newSim(), await house.newSim()]
  await limit(house, { sim_day_micros: 500_000 })
  // 0.10 for a megabyte.
  await report(house, sim, 'one', germany, 4_999_990)
  expect([await blocksOf(house, sim, other), await attach(house, sim, germany)]).toEqual([['', ''], 'accepted'])
  await report(house, sim, 'one', germany, 5_000_000, 120)
  await report(house, other, 'other', germany, 10)
  expect(await blocksOf(house, sim, other)).toEqual(['cost_cap', ''])
  expect(await sessionsOf(house, sim)).toEqual([['one', null, 'Cut by Masthead']])
  const words = 'Its data has cost as much today as the account allows for a SIM and day'
  const { blocks, status } = (await house.owner.call(getAsset, { params: { asset_id: sim.asset_id } })).body.sim!
  expect([status, blocks]).toMatchObject([
    'blocked',
    [{ code: 'cost_cap', words, clears: 'At 00:00 UTC, or when the cost limit is raised' }],
  ])
  expect(await attach(house, sim, germany)).toBe(`This SIM is blocked: ${words}`)
  // Checked again, nothing is said twice.
  await followCostCaps(house.app)
  await followCostCaps(house.app)
  expect(await eventsOf(house, 'assets.sim_blocked')).toHaveLength(1)
  await limit(house, { sim_day_micros: 510_000 })
  expect([await blocksOf(house, sim), await attach(house, sim, germany)]).toEqual([[''], 'accepted'])
  await limit(house, { sim_day_micros: 10_000 })
  expect(await blocksOf(house, sim, other)).toEqual(['cost_cap', ''])
  house.clock.set('2026-11-20T23:59:59Z')
  await followCostCaps(house.app)
  expect(await blocksOf(house, sim)).toEqual(['cost_cap'])
  house.clock.set('2026-11-21T00:00:00Z')
  await followCostCaps(house.app)
  expect([await blocksOf(house, sim), await attach(house, sim, germany)]).toEqual([[''], 'accepted'])
  expect(await eventsOf(house, 'assets.sim_unblocked')).toHaveLength(2)
  // What of the day before is reported now is of that day.
  await report(house, other, 'other', germany, 9_000_000, 43_260)
  expect(await blocksOf(house, other)).toEqual([''])
})

test('an account is warned of expensive data, once for a SIM and a zone in a month, and of SIMs that were there when it set the limit', async () => {
  await using house = await openHouse()
  const [sim, early] = [await house.newSim(), await house.newSim()]
  await report(house, early, 'early', usa, 10)
  await limit(house, { most_price_micros: 1_000_000 })
  await report(house, early, 'early', usa, 20, 120)
  await report(house, sim, 'home', germany, 10)
  expect(await eventsOf(house, 'billing.expensive_data_used')).toMatchObject([{ detail: { sim_id: early.id } }])
  house.clock.set('2026-11-21T11:00:00Z')
  await report(house, early, 'next', usa, 10)
  expect(await eventsOf(house, 'billing.expensive_data_used')).toHaveLength(1)
  house.clock.set('2026-11-21T12:00:00Z')
  await report(house, sim, 'abroad', usa, 10)
  await report(house, sim, 'abroad', usa, 20, 120)
  await report(house, sim, 'more', '310410', 20)
  house.clock.set('2026-11-22T12:00:00Z')
  await report(house, sim, 'later', usa, 10)
  const told = (await eventsOf(house, 'billing.expensive_data_used')).filter(({ detail }) => detail.sim_id !== early.id)
  expect(told.map(({ name, detail }) => sentenceOf(eventKinds.get(name), name, detail))).toEqual([
    expect.stringMatching(/^The SIM of Tracker \d+ uses data at \$2\.00 per MB in zone ROW: the account allows \$1\.00$/),
  ])
  const alerts = (await house.owner.call(listAlerts)).body.items.map(({ title, severity }) => [title, severity])
  expect(alerts).toContainEqual([expect.stringMatching(/^Tracker \d+ uses data at \$2\.00 per MB$/), 'warn'])
  house.clock.set('2026-12-01T12:00:00Z')
  await report(house, sim, 'december', usa, 10)
  expect(await eventsOf(house, 'billing.expensive_data_used')).toHaveLength(3)
  expect(await attach(house, sim, usa)).toBe('accepted')
  // The same price, and another thing that follows.
  await limit(house, { most_price_micros: 1_000_000, price_action: 'refuse' })
  await settleCharges(house.app)
  expect(await eventsOf(house, 'billing.expensive_data_used')).toHaveLength(3)
})

test('where the price list counts 1024, a refusal and a warning say the price of a MiB', async () => {
  await using house = await openBilledHouse({ kb: 1024 }, 100_000_000)
  confirmCuts(house)
  const sim = await house.newSim()
  await limit(house, { most_price_micros: 1_000_000 })
  await report(house, sim, 'abroad', usa, 10)
  const told = await eventsOf(house, 'billing.expensive_data_used')
  expect(told.map(({ name, detail }) => sentenceOf(eventKinds.get(name), name, detail))).toEqual([
    expect.stringMatching(/^The SIM of Tracker \d+ uses data at \$2\.00 per MiB in zone ROW: the account allows \$1\.00$/),
  ])
  const titles = (await house.owner.call(listAlerts)).body.items.map(({ title }) => title)
  expect(titles).toContainEqual(expect.stringMatching(/^Tracker \d+ uses data at \$2\.00 per MiB$/))
  await limit(house, { most_price_micros: 1_000_000, price_action: 'refuse' })
  expect((await house.owner.call(getBalanceRules, {})).body.rules!.megabyte).toBe('MiB')
  const [set] = (await eventsOf(house, 'billing.cost_limits_changed')).map(({ name, detail }) =>
    sentenceOf(eventKinds.get(name), name, detail)
  )
  expect(set).toBe('Set cost limits: a warning of data above $1.00 per MiB')
  expect(await attach(house, sim, usa)).toBe(refusal)
})

test('limits are the whole account’s: said once, refused without billing, and to who sees some assets alone', async () => {
  await using house = await openHouse()
  const body = { most_price_micros: 1_500_000, price_action: 'refuse' as const, sim_day_micros: 2_000_000 }
  const stranger = await house.newOwner('no-billing')
  expect((await stranger.call(setCostLimits, { body })).body).toMatchObject({ code: 'billing_off' })
  const limited = await house.newMember(house.owner, ['billing.view', 'billing.edit'], ['tag_1'])
  expect((await limited.call(setCostLimits, { body })).status).toBe(403)
  expect((await house.owner.call(setCostLimits, { body })).body).toMatchObject({ cost_limits: body })
  await house.owner.call(setCostLimits, { body })
  await house.owner.call(setCostLimits, { body: none })
  const said = (await eventsOf(house, 'billing.cost_limits_changed')).map(({ name, detail }) =>
    sentenceOf(eventKinds.get(name), name, detail)
  )
  expect(said).toEqual([
    'Set cost limits: no data above $1.50 per MB, and at most $2.00 for the data of a SIM on a day',
    'Switched the cost limits off',
  ])
  expect((await house.owner.call(setCostLimits, { body: { ...body, sim_day_micros: 12_345 } })).body.fields).toEqual({
    sim_day_micros: 'Use at most two decimals',
  })
})
