import Stripe from 'stripe'
import { paymentFailed } from '@masthead/contract/billing/events'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import { systemActor, type App } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { customerOf, isMissing, providerOf } from '../cards/index.ts'
import { settlePayment } from './settle-payment.ts'
import { unreachable, type TopUpRow } from './top-up-queries.ts'

type Of = { account_id: string; id: string }
const hundredth = 10_000 // micros
/** The provider counts in the smallest unit of a currency: only where that is a hundredth is it what we send. */
const hasHundredths = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits === 2

/** Asks the provider to charge the card. Once per purchase, however often it runs: our id is the key of the call. */
export async function startTopUp(app: App, { account_id, id, back }: Of & { back?: string | null }): Promise<void> {
  const row = await app.db.selectFrom('top_up').selectAll().where('account_id', '=', account_id).where('id', '=', id).executeTakeFirst()
  if (row?.state !== 'preparing') return
  const provider = providerOf(app)
  if (!provider) return failTopUp(app, row, 'This installation takes no cards')
  if (!hasHundredths(row.currency)) return failTopUp(app, row, `Cards cannot be charged in ${row.currency}`)
  const customer = await customerOf(app, provider, account_id)
  const intent = await provider.paymentIntents
    .create(
      {
        amount: (row.amount_micros + row.tax_micros) / hundredth,
        currency: row.currency.toLowerCase(),
        customer,
        payment_method: row.method_id,
        allowed_payment_method_types: ['card'],
        confirm: true,
        off_session: row.source === 'auto_refill',
        // With an address to come back to the provider answers with that of the bank's page, and else with what its script alone can show.
        ...(back && { return_url: `${back}?top_up=${id}` }),
        metadata: { account: account_id, top_up: id },
      },
      { idempotencyKey: id }
    )
    .catch((error: unknown) => {
      // The card was refused: the provider answers with what it made of the payment.
      if (error instanceof Stripe.errors.StripeCardError) return error.payment_intent ?? { refused: error.message }
      // As after other keys.
      if (isMissing(error)) return { refused: 'The card provider does not know this card any more. Remove it and add it again' }
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return { refused: error.message }
      throw error
    })
  if ('refused' in intent) return failTopUp(app, row, intent.refused)
  await app.db
    .transaction()
    .execute((tx) =>
      tx
        .updateTable('top_up')
        .set({ provider_id: intent.id, client_secret: intent.client_secret })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .execute()
    )
  await settlePayment(app, { provider_id: intent.id })
}

/** After the last try. */
export const giveUpTopUp = (app: App, of: Of): Promise<void> => failTopUp(app, of, unreachable)

/** Ends what is in one of these states, with the reason. */
export const failTopUp = (
  app: App,
  { account_id, id }: Pick<TopUpRow, 'account_id' | 'id'>,
  words: string,
  from: readonly TopUpRow['state'][] = ['preparing']
): Promise<void> =>
  app.db.transaction().execute(async (tx) => {
    const at = app.clock.now()
    const failed = await tx
      .updateTable('top_up')
      .set({ state: 'failed', words, client_secret: null, hosted_url: null, ended_at: at })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .where('state', 'in', [...from])
      .returningAll()
      .executeTakeFirst()
    if (!failed) return
    const amount = formatMoney(micros(failed.amount_micros), failed.currency as Currency)
    const detail = { payment_method: failed.card_name, top_up_id: id, amount, failure: words }
    await record(tx, { ...systemActor(account_id, at), email: failed.begun_by }, paymentFailed, detail)
  })

/** Says to the provider that nobody answers the bank any more. May be repeated. */
export async function cancelPayment(app: App, { provider_id }: { provider_id: string }): Promise<void> {
  await providerOf(app)
    ?.paymentIntents.cancel(provider_id)
    .catch((error: unknown) => {
      // It is over already.
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    })
  await settlePayment(app, { provider_id })
}
