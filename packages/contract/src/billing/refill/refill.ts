import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { CostLimits, Megabyte } from '../cost-limits/cost-limits.ts'
import { Currency, Micros } from '../money.ts'
import { leastTopUp, mostTopUp, TopUp } from '../top-up.ts'

/** `fixed`: the same amount each time. `target`: what is missing to an amount. */
export const RefillMode = z.enum(['fixed', 'target'])
export type RefillMode = z.output<typeof RefillMode>

/** So many payments in a row that fail end it. */
export const mostFailures = 3
/** After one that failed the next is tried so much later. */
export const triedAgainAfter = 86_400_000 // ms
/** Who has begun what nobody did. */
export const refillActor = 'auto-refill'

/** How an account is filled by itself, and what came of it. */
export const Refill = z.object({
  is_on: z.boolean(),
  mode: RefillMode,
  /** Once less than this can be spent. */
  below_micros: Micros,
  /** Bought each time, or the balance that is filled up to. */
  amount_micros: Micros,
  /** All that is charged by itself in a calendar month in UTC, before tax. */
  month_limit_micros: Micros,
  month_charged_micros: Micros,
  /** The card that is charged; null: none is kept. */
  card_name: z.nullable(z.string()),
  /** In a row, since credits were last bought. */
  failures: z.int(),
  next_try_at: z.nullable(Time),
  /** Why it was switched off by itself. */
  stopped_words: z.nullable(z.string()),
  last: z.nullable(z.pick(TopUp, { id: true, state: true, amount_micros: true, words: true, begun_at: true })),
})
export type Refill = z.output<typeof Refill>

/** When people are notified that little is left; null: they are not. */
export const BalanceWarnings = z.object({ warn_micros: z.nullable(Micros), urgent_micros: z.nullable(Micros) })
export const BalanceLevel = z.enum(['warn', 'urgent'])
export type BalanceLevel = z.output<typeof BalanceLevel>

/** What watches over the balance of an account, and over what it is spent on. */
export const BalanceRules = z.object({
  currency: Currency,
  warnings: BalanceWarnings,
  /** Which of them it is below now. */
  level: z.nullable(BalanceLevel),
  /** What can be spent: the balance less what is not in the ledger yet. */
  available_micros: Micros,
  cost_limits: CostLimits,
  /** Of which the price is that the limits name, today. */
  megabyte: Megabyte,
  /** Null until somebody has set it up. */
  refill: z.nullable(Refill),
})
export type BalanceRules = z.output<typeof BalanceRules>

const hundredth = 10_000 // micros

/** What is to be bought when `available` is left and `charged` was spent of the month's limit; null: nothing that fits. */
export function refillAmount(
  { mode, amount_micros, month_limit_micros }: Pick<Refill, 'mode' | 'amount_micros' | 'month_limit_micros'>,
  { available, charged }: { available: number; charged: number }
): number | null {
  const room = Math.floor((month_limit_micros - charged) / hundredth) * hundredth
  const missing = mode === 'fixed' ? amount_micros : Math.ceil((amount_micros - available) / hundredth) * hundredth
  const wanted = Math.min(Math.max(missing, leastTopUp), mostTopUp)
  if (wanted <= room) return wanted
  // Filled up as far as the month allows; the same amount each time is that or nothing.
  return mode === 'target' && room >= leastTopUp ? room : null
}
