import { newId } from '@masthead/contract/kernel/id'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Currency } from '@masthead/contract/billing/money'
import { micros } from '@masthead/contract/billing/money'
import type { House } from '@masthead/testkit/house'
import { switchOn } from './billing-account.ts'
import { post } from './post.ts'
import type { Posting } from './posting.ts'

type On = Pick<House, 'app' | 'clock'>

export const usd = 'USD' as Currency

export const openBilling = ({ app, clock }: On, account_id: string) =>
  app.db.transaction().execute((tx) => switchOn(tx, { account_id, currency: usd, by: 'staff@example.test', at: clock.now() }))

/** An account of its own, with billing; its id. */
export async function newAccount(house: House, name: string): Promise<string> {
  const { account_id } = await house.newOwner(name)
  await openBilling(house, account_id)
  return account_id
}

export const charging = (account_id: string, key: string, amount: number, more: Partial<Posting> = {}): Posting => ({
  account_id,
  key,
  type: amount > 0 ? 'credit' : 'charge',
  sub_type: amount > 0 ? 'topup' : 'payg_data',
  amount_micros: micros(amount),
  against: amount > 0 ? 'cash' : 'revenue',
  description: amount > 0 ? 'Credits' : 'Data',
  actor: 'system',
  source: 'system',
  ...more,
})

export const postAll = ({ app, clock }: On, postings: readonly Posting[]) =>
  app.db.transaction().execute((tx) => post(tx, clock.now(), postings))

/** What an asset used today, at a price of a price list of `putTariff`. */
export function usageEntry({ clock }: On, of: { account_id: string; tariff_id: string; asset_id: string | null }): Posting {
  const { account_id, tariff_id, asset_id } = of
  const [now, sim_id] = [clock.now(), `sim_of_${asset_id}`]
  return charging(account_id, `usage:${sim_id}:${dayOf(now)}:${tariff_id}:1:${dayOf(now)}:EU1:payg:262-01:false:1`, -1, {
    source: 'usage',
    usage_from: now,
    usage_to: now,
    quantity: 10,
    unit: 'byte',
    unit_price_micros: 100_000,
    tariff_version: `${tariff_id}:1`,
    zone: 'EU1',
    asset_id,
    sim_id,
  })
}

type OfAsset = { account_id: string; tariff_id: string; asset_id: string }

/** What the SIM of an asset used today and what is not in the ledger yet, at a price of a price list of `putTariff`; its name. */
export async function putPending({ app: { db }, clock }: On, { account_id, tariff_id, asset_id }: OfAsset): Promise<string> {
  const [at, day] = [clock.now(), dayOf(clock.now())]
  const { id: sim_id } = await db.selectFrom('sim').select('id').where('asset_id', '=', asset_id).executeTakeFirstOrThrow()
  const amounts = { price_micros: 100_000, bytes: 40_000, billed_bytes: 40_000, charged_micros: 4000, used_from: at, used_to: at }
  const rate = { tariff_id, number: 1, from_day: day, zone_id: 'EU1', source: 'payg' as const }
  await db.transaction().execute(async (tx) => {
    const charge = { account_id, sim_id, day, mccmnc: '262-01', is_late: false, ...rate, ...amounts }
    await tx.insertInto('charge').values(charge).execute()
    const sum = { account_id, month: `${day.slice(0, 7)}-01`, sim_id, kind: 'payg', micros: 4000, bytes: 40_000 }
    await tx.insertInto('cost_sim').values(sum).execute()
  })
  return `${sim_id}:${day}:${tariff_id}:1:${day}:EU1:payg:262-01:false`
}

/** Numbers are of the whole installation. */
let documents = 0

/** An account with credits of its own and a charge of usage, and a customer with credits that staff gave and a charge. */
export async function putMoney(
  house: On,
  { account_id, asset_id, tariff_id, pool_id }: OfAsset & { pool_id: string },
  customer_id: string
) {
  await openBilling(house, account_id)
  await openBilling(house, customer_id)
  const grant = { kind: 'granted' as const }
  const [credit, given, charge, usage, customer_usage] = await postAll(house, [
    charging(account_id, 'sample', 9_000_000, { asset_id }),
    charging(customer_id, 'given', 5_000_000, { source: 'staff', sub_type: 'grant', against: 'granted', grant }),
    charging(customer_id, 'charge', -1_000_000),
    usageEntry(house, { account_id, tariff_id, asset_id }),
    usageEntry(house, { account_id: customer_id, tariff_id, asset_id: null }),
    charging(account_id, 'term', -1, { sub_type: 'data_pool', pool_id }),
  ])
  // Two that are over: one that was paid, and one that was given up.
  const [top_up_id, given_up_id] = [newId({ prefix: 'pay' }), newId({ prefix: 'pay' })]
  for (const [id, state] of [
    [top_up_id, 'succeeded'],
    [given_up_id, 'canceled'],
  ] as const) {
    const bought = {
      amount_micros: 9_000_000,
      currency: 'USD',
      source: 'card' as const,
      method_id: 'pm_sample',
      card_name: 'Visa ending in 4242',
    }
    await house.app.db.transaction().execute((tx) =>
      tx
        .insertInto('top_up')
        .values({ account_id, id, state, ...bought, begun_by: 'owner@example.test', begun_at: house.clock.now() })
        .execute()
    )
  }
  const [bought] = await postAll(house, [charging(customer_id, 'bought', 9_000_000, { source: 'card' })])
  await house.app.db.transaction().execute((tx) =>
    tx
      .insertInto('top_up')
      .values({
        account_id: customer_id,
        id: newId({ prefix: 'pay' }),
        state: 'succeeded',
        amount_micros: 9_000_000,
        currency: 'USD',
        source: 'card',
        method_id: 'pm_sample',
        card_name: 'Visa ending in 4242',
        transaction_id: bought!.id,
        begun_by: 'owner@example.test',
        begun_at: house.clock.now(),
      })
      .execute()
  )
  const [document_id, customer_document_id] = [newId({ prefix: 'doc' }), newId({ prefix: 'doc' })]
  for (const [of, id] of [
    [account_id, document_id],
    [customer_id, customer_document_id],
  ] as const)
    await house.app.db.transaction().execute((tx) =>
      tx
        .insertInto('billing_document')
        .values({
          account_id: of,
          id,
          kind: 'receipt',
          year: 2020,
          n: ++documents,
          source: top_up_id,
          issued_at: house.clock.now(),
          currency: 'USD',
          title: 'Credits, paid with Visa ending in 4242',
          month: null,
          net_micros: 9_000_000,
          tax_micros: 0,
          top_up_id,
          seller: 'Masthead',
          recipient: JSON.stringify({ company: 'Samples', address: null }),
          lines: JSON.stringify([{ words: 'Credits', quantity: null, micros: 9_000_000 }]),
        })
        .execute()
    )
  const pending_id = await putPending(house, { account_id, tariff_id, asset_id })
  const coupon_id = newId({ prefix: 'cpn' })
  const coupon_code = `SCENE-${documents}`
  const gives = { kind: 'amount' as const, currency: 'USD', amount_micros: 5_000_000, percent: null, credit_days: null }
  const coupon = { id: coupon_id, code: coupon_code, ...gives, expires_at: null, most_uses: null, created_by: 'staff@example.test' }
  await house.app.db.transaction().execute((tx) =>
    tx
      .insertInto('coupon')
      .values({ ...coupon, created_at: house.clock.now() })
      .execute()
  )
  return {
    coupon_id,
    coupon_code,
    pending_id,
    bought_id: bought!.id,
    document_id,
    customer_document_id,
    top_up_id,
    given_up_id,
    credit_id: credit!.id,
    given_id: given!.id,
    charge_id: charge!.id,
    usage_id: usage!.id,
    customer_usage_id: customer_usage!.id,
  }
}
