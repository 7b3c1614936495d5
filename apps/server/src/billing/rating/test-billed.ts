import { micros, type Currency } from '@masthead/contract/billing/money'
import { type MeteredHouse, openMeteredHouse } from '../../metering/test-network.ts'
import { post, switchOn } from '../ledger/index.ts'
import { putAssignment, putTariff } from '../tariffs/test-tariffs.ts'

type Terms = Parameters<typeof putTariff>[1]

/** At noon, with an owner who pays by a tariff and has so much credit. */
export async function openBilledHouse(terms: Terms, credit_micros = 0) {
  const house = await openMeteredHouse()
  house.clock.set('2026-11-20T12:00:00Z')
  const { account_id } = house.owner
  const tariff_id = await putTariff(house, { effective_from: '2026-01-01', ...terms })
  await putAssignment(house, account_id, tariff_id, { from_day: '2026-01-01' })
  const at = house.clock.now()
  await house.db.transaction().execute((tx) => switchOn(tx, { account_id, currency: 'USD' as Currency, by: 'staff@example.test', at }))
  await topUp(house, credit_micros)
  return Object.assign(house, { tariff_id })
}

let topUps = 0
export async function topUp(house: MeteredHouse, amount: number) {
  if (amount === 0) return
  const what = { type: 'credit', sub_type: 'topup', against: 'cash', description: 'Top-up', actor: 'staff', source: 'staff' } as const
  const posting = { account_id: house.owner.account_id, key: `topup:${++topUps}`, amount_micros: micros(amount), ...what }
  await house.db.transaction().execute((tx) => post(tx, house.clock.now(), [posting]))
}
