import { balanceRestored, balanceUsedUp, paymentFailed, priceChangeWithdrawn, pricesToChange } from '@masthead/contract/billing/events'
import { expensiveDataUsed } from '@masthead/contract/billing/cost-limits/events'
import {
  balanceEnough,
  balanceLow,
  balanceWarningsChanged,
  refillAtLimit,
  refillChanged,
  refillRetried,
  refillStopped,
} from '@masthead/contract/billing/refill/events'
import { refillActor } from '@masthead/contract/billing/refill/refill'
import { readingPermissions } from '@masthead/contract/event-reading'
import type { HappenedEvent } from '../kernel/jobs/effects.ts'
import type { Meaning } from './alert-rules.ts'
import type { Cause } from './raise-alert.ts'

const raised = (alert: Pick<Cause, 'cause' | 'severity' | 'title' | 'words' | 'lasting'> & { link?: string }): Meaning => ({
  raise: { source: 'billing', permission: readingPermissions.billing, link: '/billing', ...alert },
})
const low = 'balance:low'
const usedUp = 'balance:used_up'
const stopped = 'refill:stopped'

/** Little is left on the balance, it is not filled by itself any more, or what is used costs more than the account allows. */
export function moneyMeaning({ id, name, detail, actor_email }: HappenedEvent): Meaning | null {
  // Once for the account: each of its SIMs is blocked for this one reason.
  if (name === balanceUsedUp.name)
    return raised({
      cause: usedUp,
      severity: 'critical',
      title: 'No credits are left',
      words: 'SIMs whose data would be charged have no service until credits are added.',
      lasting: true,
      link: '/billing/addcredits',
    })
  if (name === balanceRestored.name) return { resolve: usedUp, words: 'SIMs have service again' }
  if (name === balanceLow.name) {
    const { level, threshold, balance } = balanceLow.detail.parse(detail)
    return raised({
      cause: low,
      severity: level === 'urgent' ? 'critical' : 'warn',
      title: `The balance is below ${threshold}`,
      words: `${balance} are left. At zero, SIMs whose data is charged have no service until credits are added.`,
      lasting: true,
      link: '/billing/addcredits',
    })
  }
  if (name === balanceEnough.name) return { resolve: low, words: `There are ${balanceEnough.detail.parse(detail).balance}` }
  if (name === balanceWarningsChanged.name) {
    const { warn, urgent } = balanceWarningsChanged.detail.parse(detail)
    return warn === null && urgent === null ? { resolve: low, words: 'The low-balance alerts were switched off' } : null
  }
  if (name === paymentFailed.name && actor_email === refillActor) {
    const { payment_method, amount, failure } = paymentFailed.detail.parse(detail)
    return raised({
      cause: 'refill:failed',
      severity: 'warn',
      title: `Auto-refill could not charge ${payment_method}`,
      words: `The payment was of ${amount}. ${failure.replace(/[.]?$/, '.')} It is tried again a day later. After three payments in a row that fail it is switched off.`,
      lasting: false,
    })
  }
  if (name === refillStopped.name)
    return raised({
      cause: stopped,
      severity: 'critical',
      title: 'Auto-refill was switched off',
      words: `${refillStopped.detail.parse(detail).words} The balance is not filled until somebody adds credits, or switches it on again.`,
      lasting: true,
    })
  if (name === refillChanged.name) return { resolve: stopped, words: 'Somebody has set it up anew' }
  if (name === refillRetried.name) return { resolve: stopped, words: 'Somebody has tried it again' }
  if (name === refillAtLimit.name)
    return raised({
      cause: 'refill:at_limit',
      severity: 'warn',
      title: 'Auto-refill has reached its limit of the month',
      words: `More would be above ${refillAtLimit.detail.parse(detail).month_limit}. Add credits by hand, or raise the limit.`,
      lasting: false,
    })
  if (name === pricesToChange.name) {
    const { tariff_name, from_day, words } = pricesToChange.detail.parse(detail)
    return raised({
      cause: `prices:${id}`,
      severity: 'warn',
      title: `Prices change on ${from_day}`,
      words: `By the price list ${tariff_name}: ${words}.`,
      lasting: false,
      link: '/billing/pricing',
    })
  }
  if (name === priceChangeWithdrawn.name)
    return raised({
      cause: `prices:${id}`,
      severity: 'warn',
      title: 'A planned change of prices was withdrawn',
      words: `Prices stay as they are in the price list ${priceChangeWithdrawn.detail.parse(detail).tariff_name}, until you are notified of another change.`,
      lasting: false,
      link: '/billing/pricing',
    })
  if (name === expensiveDataUsed.name) {
    const { asset_id, asset_name, sim_id, zone, price, limit, megabyte = 'MB' } = expensiveDataUsed.detail.parse(detail)
    const alert = raised({
      cause: `expensive:${sim_id}:${zone}`,
      severity: 'warn',
      title: `${asset_name} uses data at ${price} per ${megabyte}`,
      words: `It is in zone ${zone}, and the account allows ${limit}. Refuse data at such prices by the cost limits under Billing, or by its network group.`,
      lasting: false,
    }) as { raise: Cause }
    return { raise: { ...alert.raise, asset_id, link: `/assets/${asset_id}` } }
  }
  return null
}
