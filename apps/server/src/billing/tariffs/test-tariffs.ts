import type { RoundingScope } from '@masthead/contract/billing/rating'
import { newId } from '@masthead/contract/kernel/id'
import { dayOf } from '@masthead/contract/kernel/time'
import type { House } from '@masthead/testkit/house'

type Given = Pick<House, 'db' | 'clock'>
type Zone = { id: string; networks: string[]; price_micros: number; name?: string }
type Terms = {
  effective_from?: string
  block_bytes?: number
  rounding_scope?: RoundingScope
  kb?: 1000 | 1024
  zones?: Zone[]
  fees?: object
}

export const noFees = {
  activation_micros: 0,
  reactivation_micros: 0,
  active_monthly: [{ from: 1, price_micros: 0 }],
  inactive_monthly_micros: 0,
  standby_monthly_micros: 0,
}
/** Germany at 0.10 for a megabyte, the rest at 2.00. */
export const someZones: Zone[] = [
  { id: 'EU1', networks: ['262'], price_micros: 100_000 },
  { id: 'ROW', networks: ['*'], price_micros: 2_000_000 },
]
let made = 0

/** A price list with a version that is valid. Its id. */
export async function putTariff(house: Given, terms: Terms & { currency?: string } = {}): Promise<string> {
  const at = house.clock.now()
  const id = newId({ prefix: 'trf' }, at.getTime())
  const { currency = 'USD' } = terms
  await house.db
    .insertInto('tariff')
    .values({ id, name: `List ${++made}`, currency, created_at: at, created_by: 'staff@example.test' })
    .execute()
  await putVersion(house, id, terms)
  return id
}

export async function putVersion({ db, clock }: Given, tariff_id: string, terms: Terms): Promise<number> {
  const at = clock.now()
  const { effective_from = dayOf(at), block_bytes = 1, rounding_scope = 'session', kb = 1000, zones = someZones, fees = noFees } = terms
  const { last_number: number } = await db
    .updateTable('tariff')
    .set((eb) => ({ last_number: eb('last_number', '+', 1) }))
    .where('id', '=', tariff_id)
    .returning('last_number')
    .executeTakeFirstOrThrow()
  const counting = { block_bytes, rounding_scope, kb, fees: JSON.stringify(fees) }
  const written = { created_at: at, created_by: 'staff@example.test' }
  await db
    .insertInto('tariff_version')
    .values({ tariff_id, number, effective_from, ...counting, ...written })
    .execute()
  const of = { tariff_id, number }
  await db
    .insertInto('tariff_zone')
    .values(zones.map(({ id, price_micros, name = id }, place) => ({ ...of, id, place, name, price_micros })))
    .execute()
  const networks = zones.flatMap((zone) => zone.networks.map((network) => ({ ...of, network, zone_id: zone.id })))
  await db.insertInto('tariff_network').values(networks).execute()
  return number
}

/** Has an account pay by a price list from today on. */
export async function putAssignment(
  { db, clock }: Given,
  account_id: string,
  tariff_id: string | null,
  { from_day = dayOf(clock.now()), own = {} } = {}
) {
  const values = {
    account_id,
    from_day,
    tariff_id,
    own_prices: JSON.stringify(own),
    assigned_at: clock.now(),
    assigned_by: 'staff@example.test',
  }
  await db.insertInto('account_tariff').values(values).execute()
}

/** What the calls of prices can name: the list that an account pays by, and one with a planned version. */
export async function putPrices(house: Given, { account_id }: { account_id: string }) {
  const tariff_id = await putTariff(house)
  await putAssignment(house, account_id, tariff_id)
  const planned_id = await putTariff(house)
  const number = await putVersion(house, planned_id, { effective_from: '2098-01-01' })
  const standard = await house.db.selectFrom('tariff').select('id').where('is_standard', '=', true).executeTakeFirst()
  if (!standard) await house.db.updateTable('tariff').set({ is_standard: true }).where('id', '=', tariff_id).execute()
  return { tariff_id, planned_id, number }
}
