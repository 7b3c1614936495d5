import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { setupIntentPhrase } from './setup-intent.ts'

/** The card provider says how far the set-up of a card has come. */
export const cardSetupChanged = event({
  name: 'billing.card_setup_changed',
  refreshes: ['billing'],
  detail: z.object({ setup_intent_status: z.string(), payment_method: z.nullable(z.string()) }),
  sentence: ({ setup_intent_status, payment_method }) =>
    `Card setup ${payment_method ? 'of {payment_method} ' : ''}${setupIntentPhrase(setup_intent_status)}`,
})

const ofCard = z.object({ payment_method: z.string() })
export const cardAdded = event({
  name: 'billing.card_added',
  refreshes: ['billing'],
  detail: ofCard,
  sentence: 'Added payment method {payment_method}',
})
export const cardRemoved = event({
  name: 'billing.card_removed',
  refreshes: ['billing'],
  detail: ofCard,
  sentence: 'Removed payment method {payment_method}',
})
export const cardMadeDefault = event({
  name: 'billing.card_made_default',
  refreshes: ['billing'],
  detail: ofCard,
  sentence: 'Made {payment_method} the default payment method',
})

/** Staff switched billing on: from then on what is used is charged. */
export const billingSwitchedOn = event({
  name: 'billing.billing_switched_on',
  refreshes: ['billing'],
  detail: z.object({ currency: z.string(), reason: z.string() }),
  sentence: 'Switched billing on, in {currency}: {reason}',
})
const ofAmount = z.object({ transaction_id: z.string(), amount: z.string(), reason: z.string() })
export const creditGiven = event({
  name: 'billing.credit_given',
  refreshes: ['billing'],
  detail: z.extend(ofAmount, { expires_at: z.nullable(z.string()) }),
  sentence: 'Gave {amount} of credits: {reason}',
})
export const creditVoided = event({
  name: 'billing.credit_voided',
  refreshes: ['billing'],
  detail: z.extend(ofAmount, { corrects: z.string() }),
  sentence: 'Took back {amount} of credits that were given: {reason}',
})
export const chargeRefunded = event({
  name: 'billing.charge_refunded',
  refreshes: ['billing'],
  detail: z.extend(ofAmount, { corrects: z.string(), description: z.string() }),
  sentence: 'Refunded {amount} of “{description}”: {reason}',
})
const why = { from_day: z.string(), reason: z.string() }
export const tariffAssigned = event({
  name: 'billing.tariff_assigned',
  refreshes: ['billing'],
  detail: z.object({ tariff_id: z.string(), tariff_name: z.string(), ...why }),
  sentence: 'Gave the account the price list {tariff_name} from {from_day} on: {reason}',
})
export const tariffEnded = event({
  name: 'billing.tariff_ended',
  refreshes: ['billing'],
  detail: z.object(why),
  sentence: 'Took the account off its price list from {from_day} on: {reason}',
})

/** By a version of its price list that is planned. */
export const pricesToChange = event({
  name: 'billing.price_change_planned',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ tariff_name: z.string(), from_day: z.string(), words: z.string() }),
  sentence: 'The prices of {tariff_name} change on {from_day}: {words}',
})
/** After the account was notified of it. */
export const priceChangeWithdrawn = event({
  name: 'billing.price_change_withdrawn',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ tariff_name: z.string() }),
  sentence: 'The planned change of the prices of {tariff_name} was withdrawn',
})

export const balanceUsedUp = event({
  name: 'billing.balance_used_up',
  refreshes: ['billing', 'assets', 'account'],
  effects: ['notifications.update_alerts'],
  detail: z.object({}),
  sentence: 'No credits are left: SIMs whose data would be charged have no service',
})
export const balanceRestored = event({
  name: 'billing.balance_restored',
  refreshes: ['billing', 'assets', 'account'],
  effects: ['notifications.update_alerts'],
  detail: z.object({}),
  sentence: 'SIMs have service again: it no longer stops for want of credits',
})

const ofPayment = z.object({ top_up_id: z.string(), payment_method: z.string(), amount: z.string() })
export const creditsBought = event({
  name: 'billing.credits_bought',
  refreshes: ['billing'],
  detail: ofPayment,
  sentence: 'Added {amount} of credits with {payment_method}',
})
export const paymentFailed = event({
  name: 'billing.payment_failed',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.extend(ofPayment, { failure: z.string() }),
  sentence: 'Could not charge {payment_method} for {amount}: {failure}',
})
/** The card provider paid it back. */
export const paymentRefunded = event({
  name: 'billing.payment_refunded',
  refreshes: ['billing'],
  detail: ofPayment,
  sentence: 'Paid {amount} back to {payment_method}; the credits were taken back',
})
/** The holder of the card says that it was not theirs to pay. */
export const paymentDisputed = event({
  name: 'billing.payment_disputed',
  refreshes: ['billing'],
  detail: ofPayment,
  sentence: 'The payment of {amount} with {payment_method} is disputed; the credits were taken back',
})
/** The money came back from the bank, which did not take it. */
export const refundReturned = event({
  name: 'billing.refund_returned',
  refreshes: ['billing'],
  detail: ofPayment,
  sentence: 'The bank did not take the {amount} that were paid back to {payment_method}; the credits were added again',
})
export const disputeWon = event({
  name: 'billing.dispute_won',
  refreshes: ['billing'],
  detail: ofPayment,
  sentence: 'The dispute about the payment of {amount} with {payment_method} is won; the credits were added again',
})

export const atZeroChanged = event({
  name: 'billing.at_zero_changed',
  refreshes: ['billing', 'assets', 'account'],
  detail: z.object({ at_zero: z.string(), reason: z.string() }),
  sentence: ({ at_zero }) =>
    at_zero === 'stop' ? 'Set service to stop at a balance of zero: {reason}' : 'Set service to go on at a balance of zero: {reason}',
})
/** Staff asked for it; that it is done is an event of its own. */
export const payBackAsked = event({
  name: 'billing.pay_back_asked',
  refreshes: ['billing'],
  detail: z.extend(ofPayment, { reason: z.string() }),
  sentence: 'Refunded {amount} to {payment_method}: {reason}',
})
export const payBackFailed = event({
  name: 'billing.pay_back_failed',
  refreshes: ['billing'],
  detail: z.extend(ofPayment, { failure: z.string() }),
  sentence: 'Could not refund {amount} to {payment_method}: {failure}',
})
export const taxChanged = event({
  name: 'billing.tax_changed',
  refreshes: ['billing'],
  detail: z.object({ tax: z.nullable(z.string()), reason: z.string() }),
  sentence: ({ tax }) => (tax ? 'Added {tax} to each payment: {reason}' : 'Took the tax off payments: {reason}'),
})
