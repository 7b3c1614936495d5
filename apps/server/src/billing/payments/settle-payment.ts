import type Stripe from 'stripe'
import { creditsBought, paymentDisputed, paymentFailed, paymentRefunded } from '@masthead/contract/billing/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { beforeTax } from '@masthead/contract/billing/invoices/tax'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { isMissing, providerOf } from '../cards/index.ts'
import { giveBonuses, takeBackBonuses } from '../coupons/index.ts'
import { post } from '../ledger/index.ts'
import { openStates, type TopUpRow } from './top-up-queries.ts'

const hundredth = 10_000 // micros

/**
 * Asks the provider how a payment is now and brings the books up to that: credited once, taken back as far as it was refunded or is disputed. Whoever asks first: the
 * browser, the provider's hook, or a look now and then. May be repeated, and come in any order.
 */
export async function settlePayment(app: App, { provider_id }: { provider_id: string }): Promise<void> {
  const provider = providerOf(app)
  if (!provider) return
  const intent = await provider.paymentIntents.retrieve(provider_id, { expand: ['latest_charge'] }).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (!intent) return
  const charge = await chargeOf(provider, intent)
  await app.db.transaction().execute(async (tx) => {
    const row = await findRow(tx, intent)
    if (row) await settle(tx, app, row, intent, charge)
  })
}

async function chargeOf(provider: Stripe, { latest_charge }: Stripe.PaymentIntent): Promise<Stripe.Charge | null> {
  return typeof latest_charge === 'string' ? provider.charges.retrieve(latest_charge) : latest_charge
}

/** By the provider's id; where we never heard that, by ours, which the provider keeps with the payment. Locked, after the balance. */
async function findRow(tx: Tx, { id, metadata, currency }: Stripe.PaymentIntent): Promise<TopUpRow | undefined> {
  // Credits are in the account's currency: what was paid in another is none that we asked for.
  const find = () => tx.selectFrom('top_up').selectAll().where('currency', '=', currency.toUpperCase())
  const known = await find().where('provider_id', '=', id).executeTakeFirst()
  const { account = '', top_up = '' } = metadata
  const row =
    known ?? (await find().where('account_id', '=', account).where('id', '=', top_up).where('provider_id', 'is', null).executeTakeFirst())
  if (!row) return undefined
  await tx.selectFrom('billing_account').select('account_id').where('account_id', '=', row.account_id).forNoKeyUpdate().execute()
  return find().where('account_id', '=', row.account_id).where('id', '=', row.id).forUpdate().executeTakeFirst()
}

async function settle(tx: Tx, app: App, row: TopUpRow, intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): Promise<void> {
  const { account_id, id } = row
  const at = app.clock.now()
  const change = (set: Partial<TopUpRow>) =>
    tx
      .updateTable('top_up')
      .set({ provider_id: intent.id, ...set })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute()
  const actor = { ...systemActor(account_id, at), email: row.begun_by }
  const currency = row.currency as Currency
  const words = { payment_method: row.card_name, top_up_id: id }
  if (intent.status !== 'succeeded') {
    if (row.state === 'succeeded') return
    // What was given up here is no more under way, whatever the provider still waits for.
    const isUnderWay = openStates.some((state) => state === row.state)
    const failure = failureWords(intent.last_payment_error)
    if (intent.status === 'requires_action' && isUnderWay) await change({ state: 'requires_action', client_secret: intent.client_secret })
    else if (intent.status === 'processing' && isUnderWay) await change({ state: 'processing' })
    else if (intent.status === 'canceled') await change({ state: 'canceled', client_secret: null, ended_at: at })
    else if (isUnderWay) {
      await change({ state: 'failed', client_secret: null, words: failure ?? 'The card was not charged', ended_at: at })
      const amount = formatMoney(micros(row.amount_micros), currency)
      await record(tx, actor, paymentFailed, { ...words, amount, failure: failure ?? 'it was not charged' })
    }
    return
  }
  const received = intent.amount_received * hundredth
  const paid = beforeTax(received, row)
  const [credit] = await post(tx, at, [
    {
      account_id,
      key: `payment_intent:${intent.id}`,
      type: 'credit',
      sub_type: 'topup',
      amount_micros: paid,
      tax_micros: micros(received - paid),
      against: 'cash',
      description: `Credits, ${row.card_name}`,
      actor: row.begun_by,
      source: row.source,
      payment_id: id,
    },
  ])
  if (!credit!.repeated) {
    await change({ state: 'succeeded', client_secret: null, words: null, ended_at: at, transaction_id: credit!.id })
    await giveBonuses(tx, { account_id, payment_id: id, paid_micros: paid, at })
    await record(tx, actor, creditsBought, { ...words, amount: formatMoney(paid, currency) })
    await addJob(tx, 'billing.issue_receipt', { account_id, id })
  }
  if (charge) await takeBack(tx, { row, charge, at, received, corrects: credit!.id, change, intent })
}

/** Nobody is there to confirm what is paid by itself. */
const failureWords = (error: Stripe.PaymentIntent.LastPaymentError | null): string | null =>
  error?.code === 'authentication_required'
    ? 'The bank wants the card’s holder to confirm this payment. Add credits by hand and confirm it there, or make another card the default.'
    : (error?.message ?? null)

type Back = {
  row: TopUpRow
  charge: Stripe.Charge
  intent: Stripe.PaymentIntent
  at: Date
  received: number
  corrects: string
  change: (set: Partial<TopUpRow>) => Promise<unknown>
}

/** What was refunded, or is disputed, leaves the balance, also below zero. What was taken back is only ever more. */
async function takeBack(tx: Tx, { row, charge, intent, at, received, corrects, change }: Back): Promise<void> {
  const { account_id, id, card_name } = row
  const currency = row.currency as Currency
  const actor = systemActor(account_id, at)
  // With its tax, which goes back as it came.
  const due = charge.disputed ? received : charge.amount_refunded * hundredth
  const [net, tax] = [beforeTax(due, row), due - beforeTax(due, row)]
  const more = micros(net - row.refunded_micros)
  if (more <= 0) return
  const isDispute = charge.disputed
  // Staff asked for it, and said why.
  const asked = await tx
    .selectFrom('pay_back')
    .select('reason')
    .where('account_id', '=', account_id)
    .where('top_up_id', '=', id)
    .where('state', '=', 'asked')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const [taken] = await post(tx, at, [
    {
      account_id,
      key: `${isDispute ? 'dispute' : 'payment_refund'}:${intent.id}:${due}`,
      type: isDispute ? 'adjustment' : 'refund',
      sub_type: isDispute ? 'dispute' : 'payment',
      amount_micros: micros(0 - more),
      tax_micros: micros(row.refunded_tax_micros - tax),
      against: 'cash',
      description: isDispute ? `Payment disputed, ${card_name}` : `Paid back to ${card_name}`,
      actor: 'system',
      source: 'card',
      payment_id: id,
      corrects,
      reason: asked?.reason ?? null,
    },
  ])
  await takeBackBonuses(tx, { account_id, payment_id: id, paid_micros: beforeTax(received, row), returned_micros: net, at })
  if (!isDispute) await addJob(tx, 'billing.issue_credit_note', { account_id, transaction_id: taken!.id })
  await change({ refunded_micros: net, refunded_tax_micros: tax, ...(isDispute && { disputed_at: at }) })
  const detail = { payment_method: card_name, top_up_id: id, amount: formatMoney(more, currency) }
  await record(tx, actor, isDispute ? paymentDisputed : paymentRefunded, detail)
}
