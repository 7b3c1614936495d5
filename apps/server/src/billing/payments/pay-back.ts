import { sql } from 'kysely'
import Stripe from 'stripe'
import { payBackFailed } from '@masthead/contract/billing/events'
import { notCorrectable } from '@masthead/contract/billing/ledger-problems'
import { formatMoney, micros, type Currency, type Micros } from '@masthead/contract/billing/money'
import { withTax } from '@masthead/contract/billing/invoices/tax'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { isMissing, providerOf } from '../cards/index.ts'
import { returnableWithBonuses } from '../coupons/index.ts'
import { findPending, lockBalance } from '../ledger/index.ts'
import { settlePayment } from './settle-payment.ts'
import type { TopUpRow } from './top-up-queries.ts'

const payBackId = idKind('pbk')
const hundredth = 10_000 // micros
/** About nine hours: the provider knows our id for a day, and until then what it did unanswered is not done twice. */
const triesWithinADay = 11
const mostRefunds = 1000

type Asked = { account_id: string; transaction_id: string; amount_micros: Micros; reason: string; by: string; at: Date }

/** Asks for a payment, or a part of it, to be paid back to its card: a job asks the provider. No more than is left of it, and than is on the balance. Throws not_found, not_correctable. */
export async function askToPayBack(tx: Tx, { account_id, transaction_id, amount_micros, reason, by, at }: Asked): Promise<TopUpRow> {
  const account = (await lockBalance(tx, account_id))!
  const paid = await tx
    .selectFrom('top_up')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('transaction_id', '=', transaction_id)
    .executeTakeFirst()
  if (!paid) throw new Problem(notFound, 'No payment by card is behind this entry')
  if (paid.disputed_at) throw new Problem(notCorrectable, 'This payment is disputed: the card provider decides about it')
  const left = await leftToPayBack(tx, paid, at, null)
  if (amount_micros > left) {
    const words = formatMoney(micros(left), account.currency as Currency)
    throw new Problem(
      notCorrectable,
      left > 0 ? `At most ${words} can be paid back: the rest is spent, or was paid back` : 'Nothing is left to pay back'
    )
  }
  const id = newId(payBackId, at.getTime())
  await tx
    .insertInto('pay_back')
    .values({ account_id, id, top_up_id: paid.id, amount_micros, reason, asked_by: by, asked_at: at, state: 'asked' })
    .execute()
  await addJob(tx, 'billing.pay_back', { account_id, id }, { maxAttempts: triesWithinADay })
  return paid
}

/**
 * What may be paid back of a payment whose balance is locked, in micros; `asked`: for what was asked already, with what others asked before it. Credits that were given are no
 * money, what was used and is not in the ledger yet is spent, and the bonus of a payment goes with it.
 */
async function leftToPayBack(tx: Tx, paid: TopUpRow, at: Date, asked: string | null): Promise<number> {
  const { account_id, id } = paid
  const { rows } = await sql<{
    of_it: number
    of_all: number
    bought: number
    balance: number
  }>`select coalesce(sum(amount_micros), 0)::bigint as of_all,
      coalesce(sum(amount_micros) filter (where top_up_id = ${id}), 0)::bigint as of_it,
      (select coalesce(sum(remaining_micros), 0)::bigint from ledger_grant where account_id = ${account_id} and kind = 'purchased'
        and (expires_at <= ${at}) is not true) as bought,
      (select balance_micros from billing_account where account_id = ${account_id}) as balance
    from pay_back where account_id = ${account_id} and state = 'asked' and (${asked}::text is null or id < ${asked})`.execute(tx)
  const { of_it, of_all, bought, balance } = rows[0]!
  const { held_micros, reserved_micros } = await findPending(tx, account_id, at)
  const returned_micros = paid.refunded_micros + of_it
  const spendable_micros = balance - held_micros + reserved_micros - of_all
  const returnable = await returnableWithBonuses(tx, {
    account_id,
    payment_id: id,
    paid_micros: paid.amount_micros,
    returned_micros,
    spendable_micros,
  })
  return Math.max(0, Math.min(paid.amount_micros - returned_micros, bought - of_all, returnable))
}

type Of = { account_id: string; id: string }

/** Asks the provider, once however often it runs, and brings the books up to what it says. */
export async function payBack(app: App, { account_id, id }: Of): Promise<void> {
  const row = await app.db
    .selectFrom('pay_back as b')
    .innerJoin('top_up as p', (on) => on.onRef('p.account_id', '=', 'b.account_id').onRef('p.id', '=', 'b.top_up_id'))
    .select(['b.state', 'b.amount_micros as part', 'p.provider_id', 'p.amount_micros', 'p.tax_micros'])
    .where('b.account_id', '=', account_id)
    .where('b.id', '=', id)
    .executeTakeFirst()
  if (row?.state !== 'asked' || !row.provider_id) return
  const provider = providerOf(app)
  if (!provider) return endPayBack(app, { account_id, id }, 'This installation takes no cards')
  const { provider_id: payment_intent } = row
  // The answer to an earlier try may have been lost.
  const refunds = await provider.refunds
    .list({ payment_intent, limit: 100 })
    .autoPagingToArray({ limit: mostRefunds })
    .catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
  const known = refunds.find(({ metadata }) => metadata?.pay_back === id)
  if (!known) {
    // Somebody may have paid it back at the provider meanwhile.
    await settlePayment(app, { provider_id: payment_intent })
    const gone = await goneMeanwhile(app, { account_id, id })
    if (gone !== null) return endPayBack(app, { account_id, id }, gone)
  }
  const made = known
    ? Promise.resolve(known)
    : provider.refunds.create(
        { payment_intent, amount: withTax(row.part, row) / hundredth, metadata: { pay_back: id } },
        { idempotencyKey: id }
      )
  const refused = await made
    .then(({ status }) => (status === 'failed' || status === 'canceled' ? 'The bank did not take it' : null))
    .catch((error: unknown) => {
      if (error instanceof Stripe.errors.StripeInvalidRequestError || error instanceof Stripe.errors.StripeCardError) return error.message
      throw error
    })
  if (refused !== null) return endPayBack(app, { account_id, id }, refused)
  // Its reason stands in the entry, so it is done after that.
  await settlePayment(app, { provider_id: row.provider_id })
  await endPayBack(app, { account_id, id }, null)
}

/** In words, where what was asked for is not there any more. */
const goneMeanwhile = (app: App, { account_id, id }: Of): Promise<string | null> =>
  app.db.transaction().execute(async (tx) => {
    await lockBalance(tx, account_id)
    const { top_up_id, amount_micros } = await tx
      .selectFrom('pay_back')
      .select(['top_up_id', 'amount_micros'])
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const paid = await tx
      .selectFrom('top_up')
      .selectAll()
      .where('account_id', '=', account_id)
      .where('id', '=', top_up_id)
      .executeTakeFirstOrThrow()
    const left = await leftToPayBack(tx, paid, app.clock.now(), id)
    if (left >= amount_micros) return null
    return `It was spent meanwhile, or paid back at the card provider: ${formatMoney(micros(left), paid.currency as Currency)} of it is left`
  })

/** After the last try. */
export const giveUpPayBack = (app: App, of: Of): Promise<void> =>
  endPayBack(app, of, 'The card provider could not be reached. Try again in a few minutes')

/** With `words` it failed, and they say why. */
const endPayBack = (app: App, { account_id, id }: Of, words: string | null): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('pay_back')
      .set({ state: words === null ? 'done' : 'failed', words })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('state', '=', 'asked')
      .returning(['top_up_id', 'amount_micros'])
      .executeTakeFirst()
    if (!ended || words === null) return
    const { card_name, currency } = await tx
      .selectFrom('top_up')
      .select(['card_name', 'currency'])
      .where('account_id', '=', account_id)
      .where('id', '=', ended.top_up_id)
      .executeTakeFirstOrThrow()
    const amount = formatMoney(micros(ended.amount_micros), currency as Currency)
    const detail = { top_up_id: ended.top_up_id, payment_method: card_name, amount, failure: words }
    await record(tx, systemActor(account_id, app.clock.now()), payBackFailed, detail)
  })
