import { addTariffVersion, assignTariff, createTariff, withdrawTariffVersion } from '@masthead/contract/backoffice/tariff-operations'
import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { enterStaff } from '../../backoffice/test-backoffice.ts'
import { noFees } from './test-tariffs.ts'

const version = (effective_from: string) => ({
  effective_from,
  block_bytes: 1,
  rounding_scope: 'session',
  kb: 1000,
  zones: [{ id: 'ALL', name: 'All', networks: ['*'], price_micros: 100_000 }],
  fees: noFees,
})

test('the version by which an account is to pay is not withdrawn, as it would pay nothing then; one with another before it is', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const staff = await enterStaff(house)
  const owner = await house.newOwner()
  const { body: list } = await staff.call(createTariff, {
    body: { name: 'Next year', currency: 'USD', version: version('2027-01-01') } as never,
  })
  const params = { tariff_id: list.id }
  const withdraw = (number: number) => staff.call(withdrawTariffVersion, { params, body: { number } })
  const assign = (tariff_id: string | null, from_day: string) =>
    staff.call(assignTariff, { params: { email: owner.email }, body: { tariff_id, from_day, reason: 'A contract', own_prices: [] } })
  expect((await assign(list.id, '2027-01-05')).status).toBe(200)
  await staff.call(addTariffVersion, { params, body: version('2027-02-01') as never })
  expect(await withdraw(1)).toMatchObject({ status: 409, body: { code: 'tariff_version_needed' } })
  expect((await withdraw(2)).status).toBe(200)
  // Neither while one is withdrawn as the other is given.
  expect((await assign(null, '2027-01-05')).status).toBe(200)
  const answers = await Promise.all([withdraw(1), assign(list.id, '2027-01-10')])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})
