import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { loadNetworks } from '../../networks/index.ts'
import { prepareDemo } from '../index.ts'

test('the customer of the demo buys credits before theirs are used up: the balance was never below zero', async () => {
  await using house = await openHouse({ config: { demo: true } })
  await loadNetworks(house.db)
  expect(await prepareDemo(house.app)).not.toBeNull()
  const lines = await house.db
    .selectFrom('ledger_transaction')
    .select(['posted_at', 'description', 'amount_micros', 'balance_after_micros'])
    .orderBy('account_id')
    .orderBy('number')
    .execute()
  if (process.env.SHOW)
    for (const line of lines)
      console.log(line.posted_at.toISOString(), line.amount_micros / 1e6, line.balance_after_micros / 1e6, line.description)
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter(({ balance_after_micros }) => balance_after_micros < 0)).toEqual([])
})
