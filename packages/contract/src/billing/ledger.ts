import * as z from 'zod/mini'
import { AskedTime, listOf, Time } from '../kernel/fields.ts'
import { Currency, Micros } from './money.ts'
import { DocumentKind } from './invoices/document.ts'
import { Tax } from './invoices/tax.ts'

/** What can happen to a balance, in the words of the console. */
export const ledgerTypes = {
  credit: 'Credit',
  charge: 'Charge',
  refund: 'Refund',
  adjustment: 'Adjustment',
  expiry: 'Expiry',
  void: 'Void',
} as const
export type LedgerType = keyof typeof ledgerTypes
export const LedgerType = z.enum(Object.keys(ledgerTypes) as [LedgerType, ...LedgerType[]])

/** By what way a transaction came. */
export const LedgerSource = z.enum(['card', 'auto_refill', 'staff', 'system', 'usage'])
export type LedgerSource = z.output<typeof LedgerSource>

/** Where money stands. What a transaction adds to one it takes from another. */
export const LedgerAccount = z.enum(['customer_balance', 'cash', 'revenue', 'granted', 'tax'])
export type LedgerAccount = z.output<typeof LedgerAccount>

/** One transaction of the ledger. It is never changed: a correction is another one. */
export const LedgerTransaction = z.object({
  id: z.string(),
  type: LedgerType,
  sub_type: z.string(),
  /** Added to the balance; below zero it was taken away. */
  amount_micros: Micros,
  balance_after_micros: Micros,
  description: z.string(),
  reason: z.nullable(z.string()),
  actor: z.string(),
  source: LedgerSource,
  /** When it holds from, as for a charge of usage the end of that. */
  effective_at: Time,
  posted_at: Time,
  usage_from: z.nullable(Time),
  usage_to: z.nullable(Time),
  quantity: z.nullable(z.number()),
  unit: z.nullable(z.string()),
  unit_price_micros: z.nullable(z.number()),
  zone: z.nullable(z.string()),
  /** What the price list calls it. */
  zone_name: z.nullable(z.string()),
  tariff_version: z.nullable(z.string()),
  /** The same in words: “Standard, version 2”. */
  price_list: z.nullable(z.string()),
  /** The bytes of a kilobyte of that price list: 1,000 or 1,024. */
  kb: z.nullable(z.int()),
  /** Of an asset that one sees. */
  asset_id: z.nullable(z.string()),
  asset_name: z.nullable(z.string()),
  sim_id: z.nullable(z.string()),
  pool_id: z.nullable(z.string()),
  payment_id: z.nullable(z.string()),
  /** The transaction that this one takes back, or a part of it. */
  corrects: z.nullable(z.string()),
  /** The one that took this one back. */
  corrected_by: z.nullable(z.string()),
})
export type LedgerTransaction = z.output<typeof LedgerTransaction>

/** With the receipt, the credit note or the invoice that it stands in; null: none yet. */
export const LedgerEntry = z.extend(LedgerTransaction, {
  document: z.nullable(z.object({ id: z.string(), kind: DocumentKind, number: z.string() })),
})
export type LedgerEntry = z.output<typeof LedgerEntry>

/** Credits that were bought, or given. */
export const GrantKind = z.enum(['purchased', 'granted'])
export type GrantKind = z.output<typeof GrantKind>

/** `stop`: SIMs whose next byte would be charged have no service. `go_on`: what they use is owed. */
export const AtZero = z.enum(['stop', 'go_on'])
export type AtZero = z.output<typeof AtZero>

/** What an account has. */
export const Balance = z.object({
  currency: Currency,
  enabled_at: Time,
  /** What is in the ledger, for good. */
  balance_micros: Micros,
  /** What was used and is not in the ledger yet. */
  pending_micros: Micros,
  /** What was asked to be paid back to a card, until the card provider has done so. */
  reserved_micros: Micros,
  /** What can be spent: the balance less what is pending and reserved. */
  available_micros: Micros,
  /** It pays by no price list today: nothing is charged, and nothing stops at zero. */
  is_free: z.boolean(),
  /** What happens when none of it is left. */
  at_zero: AtZero,
  /** Added to each payment; null: none is. */
  tax: z.nullable(Tax),
  /** What data costs in a day, of late, and what leaves on the first of each month. */
  daily_micros: Micros,
  monthly_micros: Micros,
  /** What is left of credits that were bought, and of those that were given. */
  purchased_micros: Micros,
  granted_micros: Micros,
  /** Credits that end, the soonest first. */
  expiring: z.array(z.object({ amount_micros: Micros, expires_at: Time, description: z.string() })),
  /** Of this calendar month in UTC: what was added, and what was taken away (below zero). */
  month_in_micros: Micros,
  month_out_micros: Micros,
  /** When all entries and charges were last compared with each other, and how many of this account did not agree (at most 10 are counted); null: not yet. */
  checked: z.nullable(z.object({ at: Time, differences: z.int() })),
})
export type Balance = z.output<typeof Balance>

/** How far back the balance is listed by day. */
export const balanceDays = 90

/** What was left in the ledger at the end of a day in UTC, or is left now of the day that runs. */
export const BalanceDay = z.object({ day: z.iso.date(), balance_micros: Micros })
export type BalanceDay = z.output<typeof BalanceDay>

/** Credits that were added: bought, or given. */
export const CreditAdded = z.object({
  transaction_id: z.string(),
  at: Time,
  amount_micros: Micros,
  source: LedgerSource,
  description: z.string(),
})
export type CreditAdded = z.output<typeof CreditAdded>

/** What may be taken back of a transaction by staff, and how; null: nothing. */
export function staffCan({
  type,
  source,
  amount_micros,
  corrected_by,
}: Pick<LedgerTransaction, 'type' | 'source' | 'amount_micros' | 'corrected_by'>): 'void' | 'refund' | 'pay_back' | null {
  if (type === 'credit' && (source === 'card' || source === 'auto_refill')) return 'pay_back'
  if (corrected_by) return null
  if (type === 'credit' && source === 'staff') return 'void'
  // Usage that was reported late is an adjustment as well. What a dispute or the end of a coupon takes is no revenue that could be given back.
  if (amount_micros < 0 && (type === 'charge' || (type === 'adjustment' && source === 'usage'))) return 'refund'
  return null
}

export const AskedAmount = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(9_000_000_000_000_000))

/** Which transactions are listed. */
export const LedgerFilter = z.object({
  type: listOf(LedgerType),
  asset_id: z.optional(z.string().check(z.maxLength(64))),
  /** What was paid for a data pool, or given back of that. */
  pool_id: z.optional(z.string().check(z.maxLength(64))),
  /** How much was added or taken away, without its sign: from, and to. */
  least_micros: z.optional(AskedAmount),
  most_micros: z.optional(AskedAmount),
  /** When it was posted: from, and until before. */
  start: z.optional(AskedTime),
  end: z.optional(AskedTime),
})
