import type Stripe from 'stripe'
import { creditsBought, paymentFailed } from '@masthead/contract/billing/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { beforeTax } from '@masthead/contract/billing/invoices/tax'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { isMissing, providerOf } from '../cards/index.ts'
import { giveBonuses } from '../coupons/index.ts'
import { lockBalance, post } from '../ledger/index.ts'
import { findReturned, noneReturned, type Returned } from './returned.ts'
import { bookReturned } from './book-returned.ts'
import { findTopUpForUpdate, openStates, type TopUpRow } from './top-up-queries.ts'

const hundredth = 10_000 // micros

/**
 * Asks the provider how a payment is now and brings the books up to that: credited once, taken back as far as it was refunded or is disputed, given again as far as a
 * refund failed or a dispute was won. Whoever asks first: the browser, the provider's hook, or a timed job. May be repeated, and come in any order.
 */
export async function settlePayment(app: App, { provider_id }: { provider_id: string }): Promise<void> {
  const provider = providerOf(app)
  if (!provider) return
  const intent = await provider.paymentIntents.retrieve(provider_id).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
  if (!intent) return
  const asked = await countLook(app, intent)
  if (!asked) return
  const returned = intent.status === 'succeeded' ? await findReturned(provider, intent) : noneReturned
  await app.db.transaction().execute(async (tx) => {
    const { account_id, look } = asked
    await lockBalance(tx, account_id)
    const row = await findTopUpForUpdate(tx, asked, asked.id)
    // Whoever asked later was answered something as new, or newer.
    if (row && row.looked < look) await settle(tx, app, { ...row, looked: look }, intent, returned)
  })
}

/** Finds it by the provider's id; where we never received that, by ours, which the provider keeps with the payment. */
const countLook = ({ db }: App, { id, metadata, currency }: Stripe.PaymentIntent) =>
  db.transaction().execute(async (tx) => {
    // Credits are in the account's currency: what was paid in another is none that we asked for.
    const count = () =>
      tx
        .updateTable('top_up')
        .set((eb) => ({ looks: eb('looks', '+', 1) }))
        .where('currency', '=', currency.toUpperCase())
        .returning(['account_id', 'id', 'looks as look'])
    const known = await count().where('provider_id', '=', id).executeTakeFirst()
    const { account = '', top_up = '' } = metadata
    return known ?? count().where('account_id', '=', account).where('id', '=', top_up).where('provider_id', 'is', null).executeTakeFirst()
  })

async function settle(tx: Tx, app: App, row: TopUpRow, intent: Stripe.PaymentIntent, returned: Returned): Promise<void> {
  const { account_id, id } = row
  const at = app.clock.now()
  const change = (set: Partial<TopUpRow>) =>
    tx
      .updateTable('top_up')
      .set({ provider_id: intent.id, looked: row.looked, ...set })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute()
  const actor = { ...systemActor(account_id, at), email: row.begun_by }
  const currency = row.currency as Currency
  const words = { payment_method: row.card_name, top_up_id: id }
  const over = { client_secret: null, hosted_url: null, ended_at: at }
  if (intent.status !== 'succeeded') {
    if (row.state === 'succeeded') return
    // What was given up here is no more under way, whatever the provider still waits for.
    const isUnderWay = openStates.some((state) => state === row.state)
    const failure = failureWords(intent.last_payment_error)
    const { client_secret, next_action } = intent
    if (intent.status === 'requires_action' && isUnderWay)
      await change({ state: 'requires_action', client_secret, hosted_url: next_action?.redirect_to_url?.url ?? null })
    else if (intent.status === 'processing' && isUnderWay) await change({ state: 'processing' })
    else if (intent.status === 'canceled') await change({ ...over, state: 'canceled' })
    else if (isUnderWay) {
      await change({ ...over, state: 'failed', words: failure ?? 'The card was not charged' })
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
    await change({ ...over, state: 'succeeded', words: null, transaction_id: credit!.id })
    await giveBonuses(tx, { account_id, payment_id: id, paid_micros: paid, at })
    await record(tx, actor, creditsBought, { ...words, amount: formatMoney(paid, currency) })
    await addJob(tx, 'billing.issue_receipt', { account_id, id })
  }
  await change(await bookReturned(tx, { row, at, received, credit_id: credit!.id, returned }))
}

/** Nobody is there to confirm what is paid by itself. */
const failureWords = (error: Stripe.PaymentIntent.LastPaymentError | null): string | null =>
  error?.code === 'authentication_required'
    ? 'The bank wants the card’s holder to confirm this payment. Add credits by hand and confirm it there, or make another card the default.'
    : (error?.message ?? null)
