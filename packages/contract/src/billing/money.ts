import * as z from 'zod/mini'

/** An amount in whole millionths of the account's currency; never a float (1.25 is 1_250_000). */
export const Micros = z.int().brand<'Micros'>()
export type Micros = z.infer<typeof Micros>

const microsPerUnit = 1_000_000

/** ISO 4217, upper case. */
export const Currency = z.string().check(z.regex(/^[A-Z]{3}$/))
export type Currency = z.infer<typeof Currency>

/** Those that accounts can be billed in: all have a hundredth. */
export const billingCurrencies = ['USD', 'EUR', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'CAD', 'AUD'] as const
export const isBillingCurrency = (currency: string): boolean => billingCurrencies.some((each) => each === currency)
export const BillingCurrency = Currency.check(z.refine(isBillingCurrency, `Use one of ${billingCurrencies.join(', ')}`))

/** An amount out of whole millionths. Throws when it is no whole number that can be kept apart from its neighbours. */
export function micros(amount: number): Micros {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`${amount} is no whole number of micros`)
  return amount as Micros
}

const grouped = (whole: number) => String(whole).replaceAll(/\B(?=(\d{3})+$)/g, ',')
// Those without a smaller unit.
const wholeCurrencies = new Set(['CLP', 'ISK', 'JPY', 'KRW', 'PYG', 'UGX', 'VND', 'XAF', 'XOF'])
const symbols: Record<string, string> = { USD: '$', EUR: '€', GBP: '£', JPY: '¥' }

/**
 * "$1,284.60", "-€0.004", "CHF 5.00": as many decimals as the currency has, six at most, so that a price by the megabyte is not rounded away. `decimals`
 * rounds to so many, half away from zero.
 */
export function formatMoney(amount: Micros, currency: Currency, { decimals }: { decimals?: number } = {}): string {
  const unit = decimals === undefined ? 1 : 10 ** (6 - decimals)
  const size = Math.floor(Math.abs(amount) / unit + 0.5) * unit
  const least = wholeCurrencies.has(currency) ? 0 : 2
  const fraction = String(size % microsPerUnit).padStart(6, '0')
  const shown = decimals === undefined ? fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, '') : fraction.slice(0, decimals)
  const sign = amount < 0 && size > 0 ? '-' : ''
  return `${sign}${symbols[currency] ?? `${currency} `}${grouped(Math.floor(size / microsPerUnit))}${shown ? `.${shown}` : ''}`
}
