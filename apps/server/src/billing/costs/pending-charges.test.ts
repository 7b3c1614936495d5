import { getPendingCharge, listPendingCharges } from '@masthead/contract/billing/cost-operations'
import { getBalance, listTransactions } from '@masthead/contract/billing/operations'
import { createTag } from '@masthead/contract/tags/operations'
import type { Person } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { join } from '../../datapools/test-pooled-house.ts'
import { putPool } from '../../datapools/test-pools.ts'
import { type MeteredHouse, packetOf, type TestSim } from '../../metering/test-network.ts'
import { openBilledHouse } from '../rating/test-billed.ts'
import { settleCharges } from '../settling/settle.ts'

const sendAt = async (house: MeteredHouse, sim: TestSim, time: string, usage: object) => {
  house.clock.set(time)
  await house.client.account(packetOf(sim, 'interim', { id: `of ${sim.imsi}`, ...usage } as never))
}
const pendingOf = async (person: Person, query: object = {}) => (await person.call(listPendingCharges, { query } as never)).body
const one = (person: Person, { id }: { id: string }) => person.call(getPendingCharge, { params: { pending_id: id } })

test('what is used and not settled is a row for each SIM, price and network, the most first; together they are what the balance has pending', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  const [small, large] = [await house.newSim(), await house.newSim()]
  await sendAt(house, small, '2026-11-20T12:01:00Z', { time: 60, up: 300_000, sgsn_mccmnc: '26201' })
  await sendAt(house, large, '2026-11-20T12:02:00Z', { time: 60, up: 2_000_000, sgsn_mccmnc: '26202' })
  await settleCharges(house.app)
  const { items, total } = await pendingOf(house.owner)
  expect(items).toMatchObject([
    { amount_micros: -200_000, quantity: 2_000_000, unit_price_micros: 100_000, zone: 'EU1', kb: 1000, sub_type: 'payg_data' },
    { amount_micros: -30_000, quantity: 300_000, description: 'Data in zone EU1, 300 KB, 20 Nov 2026' },
  ])
  expect(total).toBe(2)
  const { balance } = (await house.owner.call(getBalance)).body
  expect(items.reduce((sum, { amount_micros }) => sum - amount_micros, 0)).toBe(balance!.pending_micros)
  const { next } = await pendingOf(house.owner, { page_size: 1 })
  expect((await pendingOf(house.owner, { page_size: 1, after: next! })).items).toEqual([items[1]])
  const asset_id = items[1]!.asset_id!
  expect((await pendingOf(house.owner, { asset_id })).items).toEqual([items[1]])
  // It opens into what it is computed from.
  const { body } = await one(house.owner, items[1]!)
  expect(body.charge).toEqual(items[1])
  expect(body.usage).toMatchObject({
    price_micros: 100_000,
    rounding_scope: 'session',
    total: 1,
    days: [{ day: '2026-11-20', network: { mccmnc: '262-01' }, bytes: 300_000, charged_micros: 30_000, settled_micros: 0 }],
    records: [{ event_at: '2026-11-20T12:01:00.000Z', bytes_up: 300_000 }],
  })
  // Of what is settled in part the rest is left, under the same name; of what is settled as a whole nothing.
  await sendAt(house, small, '2026-11-20T13:00:00Z', { time: 3600, up: 2_600_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app)
  await sendAt(house, small, '2026-11-20T13:01:00Z', { time: 3660, up: 2_700_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app)
  expect((await one(house.owner, items[1]!)).body.charge).toMatchObject({ id: items[1]!.id, amount_micros: -10_000, quantity: 100_000 })
  await sendAt(house, small, '2026-11-20T13:02:00Z', { time: 3720, up: 2_800_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app, { all: true })
  expect((await one(house.owner, items[1]!)).status).toBe(404)
})

test('each is on one page alone, where many come to as much', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  const sims = [await house.newSim(), await house.newSim()]
  for (const [n, sgsn_mccmnc] of ['26201', '26202', '26203'].entries())
    for (const sim of sims)
      await sendAt(house, sim, `2026-11-20T12:0${n + 1}:00Z`, { id: `${sim.imsi} ${n}`, time: 60, up: 300_000, sgsn_mccmnc })
  await settleCharges(house.app)
  const { items } = await pendingOf(house.owner)
  expect(new Set(items.map(({ amount_micros }) => amount_micros)).size).toBe(1)
  expect(items).toHaveLength(6)
  const paged: string[] = []
  for (let after: string | undefined, more = true; more;) {
    const page = await pendingOf(house.owner, { page_size: 1, ...(after && { after }) })
    paged.push(...page.items.map(({ id }) => id))
    after = page.next ?? undefined
    more = page.next !== null
  }
  expect(paged).toEqual(items.map(({ id }) => id))
})

test('who is limited to tags sees those of assets that they see; another account none', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  await sendAt(house, await house.newSim(), '2026-11-20T12:01:00Z', { time: 60, up: 300_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app)
  const { items } = await pendingOf(house.owner)
  const tag = (await house.owner.call(createTag, { body: { name: 'north' } })).body.id
  const limited = await house.newMember(house.owner, ['billing.view'], [tag])
  const [member, stranger] = [await house.newMember(house.owner, ['billing.view']), await house.newOwner()]
  for (const person of [limited, stranger]) {
    expect((await pendingOf(person)).items).toEqual([])
    expect((await one(person, items[0]!)).status).toBe(404)
  }
  expect((await one(member, items[0]!)).body.charge).toEqual(items[0])
  await house.db
    .insertInto('asset_tag')
    .values({ account_id: house.owner.account_id, asset_id: items[0]!.asset_id!, tag_id: tag })
    .execute()
  expect((await pendingOf(limited)).items).toEqual(items)
  expect((await member.call(listTransactions, { query: { type: ['charge'] } })).body.items).toEqual([])
})

test('what goes beyond a data pool names it, before it is settled and in the ledger, where it is found by its pool', async () => {
  await using house = await openBilledHouse({}, 10_000_000)
  const [sim, other] = [await house.newSim(), await house.newSim()]
  // The first stops, so the second gives more.
  await join(house, await putPool(house, house.owner, { size_bytes: 1_000_000, priority: 1 }), [sim])
  const pool_id = await putPool(house, house.owner, { size_bytes: 1_000_000, overage_policy: 'payg' })
  const { name } = await house.db.selectFrom('data_pool').select('name').where('id', '=', pool_id).executeTakeFirstOrThrow()
  await join(house, pool_id, [sim])
  await sendAt(house, sim, '2026-11-20T12:01:00Z', { time: 60, up: 3_000_000, sgsn_mccmnc: '26201' })
  await sendAt(house, other, '2026-11-20T12:01:00Z', { time: 60, up: 200_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app)
  const [item] = (await pendingOf(house.owner)).items
  const words = (bytes: string) => `Data beyond data pool ${name} in zone EU1, ${bytes}, 20 Nov 2026`
  expect(item).toMatchObject({ description: words('1 MB'), amount_micros: -100_000 })
  await sendAt(house, sim, '2026-11-20T13:00:00Z', { time: 3600, up: 3_300_000, sgsn_mccmnc: '26201' })
  await settleCharges(house.app, { all: true })
  const { items } = (await house.owner.call(listTransactions, { query: { pool_id } })).body
  expect(items).toMatchObject([{ pool_id, description: words('1.3 MB'), amount_micros: -130_000 }])
})
