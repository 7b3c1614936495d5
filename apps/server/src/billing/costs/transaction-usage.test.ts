import { getCustomerTransactionUsage } from '@masthead/contract/backoffice/money-operations'
import { getTransactionUsage } from '@masthead/contract/billing/cost-operations'
import type { LedgerTransaction } from '@masthead/contract/billing/ledger'
import { listTransactions } from '@masthead/contract/billing/operations'
import type { TransactionUsage } from '@masthead/contract/billing/transaction-usage'
import { createTag } from '@masthead/contract/tags/operations'
import type { Person } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { openBilledHouse, topUp } from '../rating/test-billed.ts'
import { settleCharges } from '../settling/settle.ts'

const sendAt = async (house: MeteredHouse, sim: TestSim, time: string, usage: object) => {
  house.clock.set(time)
  await house.client.account(packetOf(sim, 'interim', { id: 's', ...usage } as never))
}
const entriesOf = async (house: MeteredHouse, type: LedgerTransaction['type'] = 'charge', person: Person = house.owner) =>
  (await person.call(listTransactions, { query: { type } } as never)).body.items
const usageOf = (person: Person, { id }: { id: string }) => person.call(getTransactionUsage, { params: { transaction_id: id } })
const daysOf = ({ days }: TransactionUsage) =>
  days.map(({ day, network, bytes, billed_bytes, charged_micros, settled_micros }) => [
    day,
    network.mccmnc,
    bytes,
    billed_bytes,
    charged_micros,
    settled_micros,
  ])
const recordsOf = ({ records }: TransactionUsage) =>
  records.map(({ event_at, network, bytes_up, bytes_down }) => [event_at, network.mccmnc, bytes_up + bytes_down])

test('an entry says from which records, at which price and by which rounding it was computed, and what of that is in other entries', async () => {
  await using house = await openBilledHouse({ block_bytes: 1024, kb: 1024 }, 10_000_000)
  const sim = await house.newSim()
  await sendAt(house, sim, '2026-11-20T12:01:00Z', { time: 60, up: 300, sgsn_mccmnc: '26201' })
  await sendAt(house, sim, '2026-11-20T12:02:00Z', { time: 120, up: 2400, sgsn_mccmnc: '26202' })
  // Another zone is another price, and another entry.
  await sendAt(house, sim, '2026-11-20T12:03:00Z', { time: 180, up: 1_051_000, sgsn_mccmnc: '310410' })
  await settleCharges(house.app, { all: true })
  const first = (await entriesOf(house)).find(({ zone }) => zone === 'EU1')!
  expect(first).toMatchObject({ zone_name: 'EU1', amount_micros: -293 })
  const { body } = await usageOf(house.owner, first)
  expect(body).toMatchObject({ price_micros: 100_000, kb: 1024, block_bytes: 1024, rounding_scope: 'session', total: 2 })
  expect(daysOf(body)).toEqual([
    ['2026-11-20', '262-01', 300, 1024, 98, 98],
    ['2026-11-20', '262-02', 2100, 2048, 195, 195],
  ])
  expect(recordsOf(body)).toEqual([
    ['2026-11-20T12:01:00.000Z', '262-01', 300],
    ['2026-11-20T12:02:00.000Z', '262-02', 2100],
  ])
  // The session goes on there: the next entry is of the same day, and both together are what is charged.
  await sendAt(house, sim, '2026-11-20T13:00:00Z', { time: 3600, up: 1_054_000, sgsn_mccmnc: '26202' })
  await settleCharges(house.app, { all: true })
  const [second] = await entriesOf(house)
  const later = (await usageOf(house.owner, second!)).body
  expect(daysOf(later).at(-1)).toEqual(['2026-11-20', '262-02', 5100, 5120, 488, 488])
  expect(second!.amount_micros + first.amount_micros).toBe(-(98 + 488))
  expect(later.total).toBe(3)
})

test('what passed midnight stands in the entries of both days; what was reported late says so', async () => {
  await using house = await openBilledHouse({ rounding_scope: 'day' }, 10_000_000)
  const sim = await house.newSim()
  await sendAt(house, sim, '2026-11-20T23:00:00Z', { time: 60, up: 0, sgsn_mccmnc: '26201' })
  await sendAt(house, sim, '2026-11-21T01:00:00Z', { time: 7260, up: 2_000_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app, { all: true })
  // Both days of one price are one entry.
  const [both] = await entriesOf(house)
  const { body } = await usageOf(house.owner, both!)
  expect(daysOf(body)).toEqual([
    ['2026-11-20', '262-01', 1_000_000, 1_000_000, 100_000, 100_000],
    ['2026-11-21', '262-01', 1_000_000, 1_000_000, 100_000, 100_000],
  ])
  expect(recordsOf(body)).toEqual([['2026-11-21T01:00:00.000Z', '262-01', 2_000_000]])
  await topUp(house, 1_000_000)
  house.clock.set('2026-12-20T12:00:00Z')
  const late = { id: 'late', time: 60, up: 5000, sgsn_mccmnc: '26201', at: Date.parse('2026-11-22T12:00:00Z') / 1000 }
  await house.client.account(packetOf(sim, 'stop', late as never))
  await settleCharges(house.app, { all: true })
  // The session of the owner is over by now.
  const member = await house.newMember(house.owner, ['billing.view'])
  const [adjusted] = await entriesOf(house, 'adjustment', member)
  const told = (await usageOf(member, adjusted!)).body
  expect(daysOf(told)).toEqual([['2026-12-20', '262-01', 5000, 5000, 500, 500]])
  expect(recordsOf(told)).toEqual([['2026-11-22T12:00:00.000Z', '262-01', 5000]])
})

test('an entry that is no usage, another account’s, or of an asset that one does not see, has none', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  const sim = await house.newSim()
  await sendAt(house, sim, '2026-11-20T12:01:00Z', { time: 60, up: 300_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app, { all: true })
  const [charge] = await entriesOf(house)
  const [credit] = await entriesOf(house, 'credit')
  const tag = (await house.owner.call(createTag, { body: { name: 'north' } })).body.id
  const limited = await house.newMember(house.owner, ['billing.view'], [tag])
  const member = await house.newMember(house.owner, ['billing.view'])
  const stranger = await house.newOwner()
  const statuses = [usageOf(house.owner, credit!), usageOf(limited, charge!), usageOf(stranger, charge!), usageOf(member, charge!)]
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 404, 200])
  // Staff read the same, and that they did is in the account's activities.
  const staff = await enterStaff(house)
  const params = { email: house.owner.email, any_transaction_id: charge!.id }
  expect((await staff.call(getCustomerTransactionUsage, { params })).body).toEqual((await usageOf(member, charge!)).body)
  expect((await staff.call(getCustomerTransactionUsage, { params: { ...params, email: stranger.email } })).status).toBe(404)
  await house.db.deleteFrom('usage_record').execute()
  await house.db
    .updateTable('usage_coverage')
    .set({ records_since: new Date('2026-11-21T00:00:00Z') })
    .execute()
  const { body } = await usageOf(member, charge!)
  expect([body.records, body.total, body.records_since]).toEqual([[], 0, '2026-11-21T00:00:00.000Z'])
  expect(daysOf(body)).toHaveLength(1)
})
