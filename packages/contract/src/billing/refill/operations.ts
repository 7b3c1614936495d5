import * as z from 'zod/mini'
import { operation } from '../../kernel/operation.ts'
import { billingOff, noCard, topUpOpen } from '../ledger-problems.ts'
import { leastTopUp, mostTopUp } from '../top-up.ts'
import { BalanceRules, RefillMode } from './refill.ts'

export const getBalanceRules = operation({
  name: 'billing.getBalanceRules',
  method: 'GET',
  path: '/billing/balance-rules',
  summary: 'When the account is warned of a low balance, and how it is filled by itself',
  access: 'billing.view',
  reply: z.object({
    /** Null while billing is not switched on. */
    rules: z.nullable(BalanceRules),
  }),
})

const amount = (least: number, leastWords: string) =>
  z.int({ error: 'Enter an amount' }).check(
    z.minimum(least, `At least ${leastWords}`),
    z.maximum(mostTopUp * 10, 'At most 100,000.00'),
    z.refine((given) => given % 10_000 === 0, 'Use at most two decimals')
  )
const warning = z.nullable(amount(10_000, '0.01'))

export const setBalanceWarnings = operation({
  name: 'billing.setBalanceWarnings',
  method: 'PUT',
  path: '/billing/balance-warnings',
  summary: 'Set the low-balance alerts',
  access: 'billing.edit',
  body: z.object({ warn_micros: warning, urgent_micros: warning }).check(
    z.refine(({ warn_micros, urgent_micros }) => warn_micros === null || urgent_micros === null || urgent_micros < warn_micros, {
      error: 'The urgent threshold must be lower than the first',
      path: ['urgent_micros'],
    })
  ),
  reply: BalanceRules,
  problems: [billingOff],
})

/** It charges the default card. */
export const setRefill = operation({
  name: 'billing.setRefill',
  method: 'PUT',
  path: '/billing/refill',
  summary: 'Set auto-refill',
  access: 'billing.edit',
  body: z
    .object({
      is_on: z.boolean(),
      mode: RefillMode,
      below_micros: amount(1_000_000, '1.00'),
      amount_micros: amount(leastTopUp, '10.00'),
      month_limit_micros: amount(leastTopUp, '10.00'),
    })
    .check(
      z.refine(({ mode, amount_micros, below_micros }) => mode === 'fixed' || amount_micros > below_micros, {
        error: 'More than the balance at which it is filled',
        path: ['amount_micros'],
      }),
      z.refine(({ mode, amount_micros }) => mode === 'target' || amount_micros <= mostTopUp, {
        error: 'At most 10,000.00',
        path: ['amount_micros'],
      }),
      z.refine(({ mode, amount_micros, month_limit_micros }) => mode === 'target' || month_limit_micros >= amount_micros, {
        error: 'At least what is bought each time',
        path: ['month_limit_micros'],
      })
    ),
  reply: BalanceRules,
  problems: [billingOff, noCard],
})

/** Charges the default card at once, and goes on as it is set; where failures had switched it off, it is on again. */
export const retryRefill = operation({
  name: 'billing.retryRefill',
  method: 'POST',
  path: '/billing/refill/retry',
  summary: 'Try auto-refill again after a payment that failed',
  access: 'billing.edit',
  reply: BalanceRules,
  problems: [billingOff, noCard, topUpOpen],
})
