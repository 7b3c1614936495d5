import { addTariffVersion, assignTariff, withdrawTariffVersion } from '@masthead/contract/backoffice/tariff-operations'
import { listActivities } from '@masthead/contract/activities/operations'
import { listAlerts } from '@masthead/contract/notifications/operations'
import { openHouse, type House } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { loadNetworks } from '../../networks/index.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { noFees, putAssignment, putTariff, putVersion } from './test-tariffs.ts'

type Owner = Awaited<ReturnType<House['newOwner']>>

const version = (effective_from: string, given: object = {}) =>
  ({
    effective_from,
    block_bytes: 1,
    rounding_scope: 'session',
    kb: 1000,
    fees: noFees,
    zones: [
      { id: 'EU1', name: 'Europe', networks: ['262'], price_micros: 80_000 },
      { id: 'ROW', name: 'The rest', networks: ['*'], price_micros: 3_000_000 },
    ],
    ...given,
  }) as never

/** Alerts of prices: newest first. */
const alertsOf = async (owner: Owner) =>
  (await owner.call(listAlerts, { query: {} })).body.items
    .filter(({ link }) => link === '/billing/pricing')
    .map(({ title, words }) => `${title}: ${words}`)

async function again(house: House) {
  await house.db.transaction().execute((tx) => addJob(tx, 'billing.announce_prices', {}))
  await house.settle()
}

test('whoever pays by a price list on that day is notified of a planned version, once, and of its withdrawal', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  await loadNetworks(house.db)
  const staff = await enterStaff(house)
  const [owner, agreed, leaving, free] = [await house.newOwner(), await house.newOwner(), await house.newOwner(), await house.newOwner()]
  const tariff_id = await putTariff(house)
  await putAssignment(house, owner.account_id, tariff_id)
  await putAssignment(house, agreed.account_id, tariff_id, { own: { EU1: 50_000, ROW: 1_000_000 } })
  await putAssignment(house, leaving.account_id, tariff_id)
  await putAssignment(house, leaving.account_id, await putTariff(house), { from_day: '2026-12-15' })
  const params = { tariff_id }
  expect(await staff.call(addTariffVersion, { params, body: version('2027-01-01') })).toMatchObject({ status: 200 })
  await house.settle()
  expect(await alertsOf(owner)).toEqual([
    expect.stringMatching(
      /^Prices change on 1 Jan 2027: By the price list List \d+: EU1 falls to \$0\.08 per MB, ROW rises to \$3\.00 per MB\.$/
    ),
  ])
  // Prices that were agreed stay; who pays by another list by then, or by none, is not concerned.
  for (const other of [agreed, leaving, free]) expect(await alertsOf(other)).toEqual([])
  await again(house)
  expect(await alertsOf(owner)).toHaveLength(1)
  expect((await owner.call(listActivities, {})).body.items.map(({ sentence }) => sentence).join()).toContain(
    'change on 1 Jan 2027: EU1 falls'
  )

  await staff.call(withdrawTariffVersion, { params, body: { number: 2 } as never })
  await house.settle()
  expect((await alertsOf(owner))[0]).toMatch(/^A planned change of prices was withdrawn/)
  // Fees and rounding, and networks that are in another zone, concern those with prices of their own as well.
  const zones = [
    { id: 'EU1', name: 'Europe', networks: ['262', '228-01'], price_micros: 100_000 },
    { id: 'ROW', name: 'The rest', networks: ['*'], price_micros: 2_000_000 },
  ]
  const fees = { ...noFees, activation_micros: 1_000_000 }
  await staff.call(addTariffVersion, { params, body: version('2026-11-22', { zones, fees, block_bytes: 1000 }) })
  await house.settle()
  expect((await alertsOf(agreed))[0]).toMatch(/: 1 network is in another zone, other fees of SIMs, data is rounded otherwise\.$/)
  // Once it is valid, the next one is notified of.
  await putVersion(house, tariff_id, { effective_from: '2026-12-01', fees, block_bytes: 1000 })
  await again(house)
  expect(await alertsOf(owner)).toHaveLength(3)
  house.clock.set('2026-11-22T12:00:00Z')
  await again(house)
  expect((await alertsOf(owner))[0]).toMatch(/^Prices change on 1 Dec 2026: By the price list List \d+: 1 network is in another zone\.$/)
  expect(await alertsOf(owner)).toHaveLength(4)
})

test('who is given a price list with a planned version is notified of it', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  await loadNetworks(house.db)
  const staff = await enterStaff(house)
  const owner = await house.newOwner()
  const tariff_id = await putTariff(house)
  await staff.call(addTariffVersion, { params: { tariff_id }, body: version('2027-01-01') })
  const given = { tariff_id, from_day: '2026-11-20', reason: 'A contract', own_prices: [{ zone_id: 'EU1', price_micros: 50_000 }] }
  expect(await staff.call(assignTariff, { params: { email: owner.email }, body: given as never })).toMatchObject({ status: 200 })
  await house.settle()
  expect(await alertsOf(owner)).toEqual([expect.stringMatching(/: ROW rises to \$3\.00 per MB\.$/)])
})
