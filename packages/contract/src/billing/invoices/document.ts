import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { Month } from '../cost.ts'
import { Currency, Micros } from '../money.ts'

/** `invoice`: what a month cost. `receipt`: a payment. `credit_note`: what was paid back of one. */
export const documentKinds = { invoice: 'Invoice', receipt: 'Receipt', credit_note: 'Credit note' } as const
export type DocumentKind = keyof typeof documentKinds
export const DocumentKind = z.enum(Object.keys(documentKinds) as [DocumentKind, ...DocumentKind[]])

/** "RC-2026-0048": without gaps, for each kind and year of this installation. */
export const documentNumber = (kind: DocumentKind, year: number, n: number): string =>
  `${{ invoice: 'IN', receipt: 'RC', credit_note: 'CN' }[kind]}-${year}-${String(n).padStart(4, '0')}`

/** A document that was issued: it never changes. Its file is made from what is kept of it. */
export const BillingDocument = z.object({
  id: z.string(),
  kind: DocumentKind,
  number: z.string(),
  issued_at: Time,
  currency: Currency,
  /** What it is about, in a line. */
  title: z.string(),
  /** Of an invoice. */
  month: z.nullable(Month),
  /** Before tax, to the cent. */
  net_micros: Micros,
  tax_micros: Micros,
  total_micros: Micros,
  top_up_id: z.nullable(z.string()),
})
export type BillingDocument = z.output<typeof BillingDocument>

/** Half to even: what lies between two cents goes to the even one. */
export function toCents(amount: number): number {
  const [cents, rest] = [Math.floor(amount / 10_000), amount - Math.floor(amount / 10_000) * 10_000]
  return (rest > 5000 || (rest === 5000 && cents % 2 !== 0) ? cents + 1 : cents) * 10_000
}
