import type Stripe from 'stripe'
import type { App } from '../../kernel/app.ts'
import { customerOf, isMissing, providerOf } from '../cards/index.ts'
import { eachOf } from '../../kernel/jobs/each-of.ts'
import { giveUpPayBack } from './pay-back.ts'
import { settlePayment } from './settle-payment.ts'
import { cancelPayment, failTopUp } from './start-top-up.ts'
import { openStates, unreachable } from './top-up-queries.ts'

const soon = 30_000 // ms
const longAfter = 86_400_000 // ms
/** What is asked of the provider arrives there within this, if ever, ms. */
const arrivesWithin = 600_000
const forgotten = 'The card provider does not know this payment any more, so we cannot tell whether the card was charged'

/** Asks about payments that nobody said anything of: a hook may be lost, and a browser closed. Where nobody answers the bank within a day the payment is cancelled. */
export async function checkPayments(app: App): Promise<void> {
  const provider = providerOf(app)
  if (!provider) return
  const at = app.clock.now().getTime()
  const waiting = await app.db
    .selectFrom('top_up')
    .select(['account_id', 'id', 'provider_id', 'state', 'begun_at'])
    .where('state', 'in', [...openStates])
    .where('provider_id', 'is not', null)
    // Or while the clock was ahead.
    .where(({ or, eb }) => or([eb('begun_at', '<', new Date(at - soon)), eb('begun_at', '>', new Date(at + soon))]))
    .orderBy('begun_at')
    .limit(100)
    .execute()
  const look = async ({ provider_id, state, begun_at, ...of }: (typeof waiting)[number]) => {
    const isOld = begun_at.getTime() < at - longAfter
    // As after other keys of the provider: it would be under way for ever, and nobody could buy credits.
    if (isOld && (await isForgotten(provider, provider_id!))) await failTopUp(app, of, forgotten, openStates)
    else await (isOld && state === 'requires_action' ? cancelPayment : settlePayment)(app, { provider_id: provider_id! })
  }
  await eachOf(
    [() => eachOf(waiting, look), () => giveUpStuck(app), () => giveUpStuckPayBacks(app), () => lookForLost(app, provider)],
    (step) => step()
  )
}

/** What nobody tries any more, as after a process that was killed in the last of its tries. */
async function giveUpStuck(app: App): Promise<void> {
  const stuck = await app.db
    .selectFrom('top_up')
    .select(['account_id', 'id'])
    .where('state', '=', 'preparing')
    .where('provider_id', 'is', null)
    .where('begun_at', '<', new Date(app.clock.now().getTime() - longAfter))
    .limit(100)
    .execute()
  for (const of of stuck) await failTopUp(app, of, unreachable)
}

/** The same of what is to be paid back: it would be reserved for ever. What the provider did all the same was found by its events long before. */
async function giveUpStuckPayBacks(app: App): Promise<void> {
  const stuck = await app.db
    .selectFrom('pay_back')
    .select(['account_id', 'id'])
    .where('state', '=', 'asked')
    .where('asked_at', '<', new Date(app.clock.now().getTime() - longAfter))
    .limit(100)
    .execute()
  for (const of of stuck) await giveUpPayBack(app, of)
}

const isForgotten = (provider: Stripe, id: string): Promise<boolean> =>
  provider.paymentIntents.retrieve(id).then(
    () => false,
    (error: unknown) => {
      if (isMissing(error)) return true
      throw error
    }
  )

const unanswered = new Set<Stripe.PaymentIntent.Status>(['requires_action', 'requires_confirmation', 'requires_payment_method'])

/** Of what was given up because no answer came: the card may have been charged all the same. */
async function lookForLost(app: App, provider: Stripe): Promise<void> {
  const at = app.clock.now().getTime()
  const before = new Date(at - 7 * longAfter)
  const nobodyKnows = 'The card provider could not be reached, and we could not find out whether your card was charged. See its statement'
  const lost = app.db.selectFrom('top_up').where('state', '=', 'failed').where('provider_id', 'is', null).where('words', '=', unreachable)
  const noteOutcome = (words: string, { account_id, id }: { account_id: string; id: string }) =>
    app.db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('top_up')
          .set({ words })
          .where('account_id', '=', account_id)
          .where('id', '=', id)
          .where('state', '=', 'failed')
          .where('provider_id', 'is', null)
          .execute()
      )
  const old = await lost.select(['account_id', 'id']).where('begun_at', '<=', before).limit(100).execute()
  for (const of of old) await noteOutcome(nobodyKnows, of)
  const asked = await lost
    .select(['account_id', 'id', 'begun_at', 'ended_at'])
    .where('begun_at', '>', before)
    .orderBy('begun_at')
    .limit(100)
    .execute()
  await eachOf(asked, async ({ account_id, id, begun_at, ended_at }) => {
    const customer = await customerOf(app, provider, account_id)
    const created = { gte: Math.floor(begun_at.getTime() / 1000) - 3600 }
    const found = await provider.paymentIntents
      .list({ customer, created, limit: 100 })
      .autoPagingToArray({ limit: 1000 })
      .then(
        (all) => all.find(({ metadata }) => metadata.top_up === id),
        (error: unknown) => {
          // A customer that it does not know has paid nothing there.
          if (isMissing(error)) return undefined
          throw error
        }
      )
    // Nobody answers for it any more: it is given up there too, so that it is never charged later.
    if (found && unanswered.has(found.status)) await cancelPayment(app, { provider_id: found.id })
    else if (found) await settlePayment(app, { provider_id: found.id })
    else if (ended_at!.getTime() < at - arrivesWithin)
      await noteOutcome('The card provider could not be reached. Nothing was charged', { account_id, id })
  })
}
