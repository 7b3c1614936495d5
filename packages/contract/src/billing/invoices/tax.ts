import * as z from 'zod/mini'
import { micros, type Micros } from '../money.ts'

/** What is added to each payment. 2500 basis points are 25 %. */
export const Tax = z.object({
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name, like VAT'), z.maxLength(30, 'At most 30 characters')),
  basis_points: z.int({ error: 'Enter a percentage' }).check(z.minimum(1, 'More than 0 %'), z.maximum(5000, 'At most 50 %')),
})
export type Tax = z.output<typeof Tax>

/** "VAT 25 %". */
export const taxWords = ({ name, basis_points }: Tax): string => `${name} ${basis_points / 100} %`

const cent = 10_000n

/** `of` of `amount`, to the cent, half to even. */
function share(amount: number, of: number, whole: number): Micros {
  const [dividend, divisor] = [BigInt(amount) * BigInt(of), BigInt(whole) * cent]
  const cents = dividend / divisor
  const rest = (dividend - cents * divisor) * 2n
  return micros(Number((rest > divisor || (rest === divisor && cents % 2n === 1n) ? cents + 1n : cents) * cent))
}

/** What is added to an amount that is paid. */
export const taxOn = (amount: number, tax: Tax | null): Micros => (tax === null ? micros(0) : share(amount, tax.basis_points, 10_000))

type Paid = { amount_micros: number; tax_micros: number }
/** What of a part of a payment with its tax is the amount before it: the rest is tax. */
export const beforeTax = (part: number, { amount_micros, tax_micros }: Paid): Micros =>
  tax_micros === 0 ? micros(part) : share(part, amount_micros, amount_micros + tax_micros)
/** What a part of the amount before tax is with its tax. */
export const withTax = (part: number, { amount_micros, tax_micros }: Paid): Micros => share(part, amount_micros + tax_micros, amount_micros)
