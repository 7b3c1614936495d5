import type { Currency } from '@masthead/contract/billing/money'
import { dayOf } from '@masthead/contract/kernel/time'
import { newId } from '@masthead/contract/kernel/id'
import { sql } from 'kysely'
import { putTax, switchOn } from '../../billing/ledger/index.ts'
import type { Tx } from '../../kernel/app.ts'
import { staffEmail } from '../people.ts'

const day = 86_400_000

/** Each network's MCC, or itself, and its price for a megabyte in the version that is valid and in the one that is planned. */
const zones = [
  {
    id: 'EU1',
    name: 'Europe',
    price: [16_000, 16_000],
    networks: '202 204 206 208 214 216 219 222 226 230 231 232 234 235 238 240 242 244 246 247 248 260 262 268 270 272 278 280 284 293',
  },
  { id: 'NA1', name: 'North America', price: [14_000, 14_000], networks: '302 310 311 312 313 314 315 316 334' },
  { id: 'AP1', name: 'Asia, Oceania, Brazil', price: [18_000, 17_000], networks: '440 441 450 454 466 502 505 520 525 530 724' },
  { id: 'R2', name: 'Switzerland, Türkiye', price: [350_000, 280_000], networks: '228 286' },
  { id: 'SEA', name: 'At sea and in the air', price: [8_900_000, 7_900_000], networks: '901' },
  { id: 'R3', name: 'The rest of the world', price: [1_400_000, 1_400_000], networks: '*' },
] as const

const fees = {
  activation_micros: 1_000_000,
  reactivation_micros: 500_000,
  active_monthly: [
    { from: 1, price_micros: 2_000_000 },
    { from: 11, price_micros: 1_600_000 },
  ],
  inactive_monthly_micros: 100_000,
  standby_monthly_micros: 200_000,
}

/** The general price list with a planned version. The demo's account pays by it since before its usage begins, with a price of its own in Europe. */
export async function writeDemoTariff(tx: Tx, account_id: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - 120 * day)
  const tariff_id = newId({ prefix: 'trf' }, since.getTime())
  const by = { created_at: since, created_by: staffEmail }
  await tx
    .insertInto('tariff')
    .values({ id: tariff_id, name: 'Standard', currency: 'USD', is_standard: true, last_number: 2, ...by })
    .execute()
  const planned = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2))
  for (const [i, from] of [since, planned].entries()) {
    const number = i + 1
    const counting = { block_bytes: 1000, rounding_scope: 'session' as const, kb: 1000, fees: JSON.stringify(fees) }
    await tx
      .insertInto('tariff_version')
      .values({ tariff_id, number, effective_from: dayOf(from), ...counting, ...by })
      .execute()
    await tx
      .insertInto('tariff_zone')
      .values(zones.map(({ id, name, price }, place) => ({ tariff_id, number, id, place, name, price_micros: price[i]! })))
      .execute()
    for (const { id, networks } of zones)
      await sql`insert into tariff_network (tariff_id, number, network, zone_id)
        select ${tariff_id}, ${number}, network, ${id} from unnest(${networks.split(' ')}::text[]) as network`.execute(tx)
  }
  await switchOn(tx, { account_id, currency: 'USD' as Currency, by: staffEmail, at: since })
  await putTax(tx, account_id, { name: 'VAT', basis_points: 2500 })
  const said = { changed_at: since, changed_by: 'owner@demo.test' }
  const address = { company: 'Acme Telemetry AB', address: 'Hamngatan 4', postal_code: '211 22', city: 'Malmö', country: 'SE' }
  await tx
    .insertInto('billing_profile')
    .values({ account_id, ...address, tax_id: 'SE556677889901', emails: ['accounting@demo.test'], ...said })
    .execute()
  await tx.insertInto('balance_rule').values({ account_id, warn_micros: 300_000_000, urgent_micros: 100_000_000 }).execute()
  const assigned = { assigned_at: since, assigned_by: staffEmail }
  await tx
    .insertInto('account_tariff')
    .values({ account_id, from_day: dayOf(since), tariff_id, own_prices: JSON.stringify({ EU1: 12_000 }), announced: 2, ...assigned })
    .execute()
}
