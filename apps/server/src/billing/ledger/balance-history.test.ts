import { expect, test } from 'vitest'
import { getBalanceHistory } from '@masthead/contract/billing/operations'
import { openHouse } from '@masthead/testkit/house'
import { charging, openBilling, postAll } from './test-ledger.ts'

test('the balance of each day is that of its last entry, a day without one keeps it, and credits are shown', async () => {
  await using house = await openHouse()
  house.clock.set('2026-11-10T10:00:00Z')
  const owner = await house.newOwner()
  const { account_id } = owner
  expect((await owner.call(getBalanceHistory)).body).toEqual({ currency: null, days: [], credits: [] })
  await openBilling(house, account_id)
  const move = (amount: number) => postAll(house, [charging(account_id, `moved ${amount}`, amount)])
  await move(10_000_000)
  await move(-1_000_000)
  house.clock.advance({ days: 2 })
  await move(-2_000_000)
  house.clock.advance({ days: 1 })
  const { body } = await owner.call(getBalanceHistory)
  expect(body.days.map(({ day, balance_micros }) => `${day} ${balance_micros / 1e6}`)).toEqual([
    '2026-11-10 9',
    '2026-11-11 9',
    '2026-11-12 7',
    '2026-11-13 7',
  ])
  expect(body.credits.map(({ amount_micros }) => amount_micros / 1e6)).toEqual([10])
})
