import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'
import { BalanceLevel } from './refill.ts'

/** Of what can be spent. Once for each level, until there is enough again. */
export const balanceLow = event({
  name: 'billing.balance_low',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ level: BalanceLevel, threshold: z.string(), balance: z.string() }),
  sentence: 'The balance is below {threshold}: {balance} are left',
})
export const balanceEnough = event({
  name: 'billing.balance_enough',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ balance: z.string() }),
  sentence: 'The balance is {balance} again, above every warning',
})
export const balanceWarningsChanged = event({
  name: 'billing.balance_warnings_changed',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ warn: z.nullable(z.string()), urgent: z.nullable(z.string()) }),
  sentence: ({ warn, urgent }) => {
    const levels = [warn && '{warn}', urgent && 'urgently {urgent}'].filter(Boolean).join(' and ')
    return levels ? `Set low-balance alerts below ${levels}` : 'Switched the low-balance alerts off'
  },
})
export const refillChanged = event({
  name: 'billing.refill_changed',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ is_on: z.boolean(), mode: z.string(), below: z.string(), amount: z.string(), month_limit: z.string() }),
  sentence: ({ is_on, mode }) =>
    is_on
      ? `Switched auto-refill on: below {below} ${mode === 'fixed' ? 'it buys {amount}' : 'it fills up to {amount}'}, at most {month_limit} a month`
      : 'Switched auto-refill off',
})
/** By itself: it does not go on until somebody switches it on. */
export const refillStopped = event({
  name: 'billing.refill_stopped',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ words: z.string() }),
  sentence: 'Auto-refill was switched off: {words}',
})
/** Once a month. */
export const refillAtLimit = event({
  name: 'billing.refill_at_limit',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ month_limit: z.string() }),
  sentence: 'Auto-refill waits for the next month: more would be above its limit of {month_limit} a month',
})
/** Somebody did not wait a day after a payment that failed. */
export const refillRetried = event({
  name: 'billing.refill_retried',
  refreshes: ['billing'],
  effects: ['notifications.update_alerts'],
  detail: z.object({ payment_method: z.string() }),
  sentence: 'Tried auto-refill again with {payment_method}',
})
