import type { LedgerTransaction, LedgerType } from '@masthead/contract/billing/ledger'
import { formatMoney, micros, type Currency, type Micros } from '@masthead/contract/billing/money'
import type { Shape, Tone } from '../ui/StateShape.tsx'

/** "$6.51", "−$0.31": to the cent, as balances and lists have it, with the sign of `signed`; what is less than a cent in full. */
export const inCents = (amount: Micros, currency: Currency) =>
  formatMoney(amount, currency, Math.abs(amount) < 10_000 ? {} : { decimals: 2 }).replace('-', '−')

/** "+$12.00", "−$6.51": what was added to a balance, or taken away. */
export const signed = (amount: Micros, currency: Currency) => `${amount < 0 ? '−' : '+'}${inCents(micros(Math.abs(amount)), currency)}`

/** In units of a currency: entries of more are not asked for. */
export const mostAsked = 1_000_000_000
/** In micros, of an amount that an address says; nothing where it is none. */
export const askedMicros = (amount: string) =>
  amount !== '' && Number(amount) >= 0 ? Math.round(Math.min(Number(amount), mostAsked) * 1e6) : null

export const typeLooks: Record<LedgerType, { tone: Tone | 'plain'; shape?: Shape }> = {
  credit: { tone: 'ok', shape: 'done' },
  charge: { tone: 'plain' },
  refund: { tone: 'ok', shape: 'done' },
  adjustment: { tone: 'info', shape: 'diamond' },
  expiry: { tone: 'idle', shape: 'cross' },
  void: { tone: 'idle', shape: 'cross' },
}

export const sourceWords: Record<LedgerTransaction['source'], string> = {
  card: 'Card payment',
  auto_refill: 'Auto-refill',
  staff: 'Masthead staff',
  system: 'Masthead',
  usage: 'Usage',
}

/** The megabyte that a price is of. */
const megabyteOf = ({ kb }: Pick<LedgerTransaction, 'kb'>) =>
  kb === 1024 ? { bytes: 1_048_576, word: 'MiB' } : { bytes: 1_000_000, word: 'MB' }

type Priced = Pick<LedgerTransaction, 'quantity' | 'unit' | 'unit_price_micros' | 'zone' | 'zone_name' | 'price_list' | 'kb'>
const isData = ({ unit }: Pick<Priced, 'unit'>) => unit === 'byte' || unit === 'bytes'

/** "18.6 MB", "1 SIM"; null where it is an amount of money alone. */
export function quantityWords(line: Priced): string | null {
  const { quantity, unit } = line
  if (quantity === null) return null
  const { bytes, word } = megabyteOf(line)
  if (isData(line)) return `${(quantity / bytes).toLocaleString('en', { maximumFractionDigits: 6 })} ${word}`
  return `${quantity.toLocaleString('en')} ${unit ?? ''}`.trim()
}

/** "$0.35 per MB", "$2.00"; null where nothing has a price. */
export function unitPriceWords(line: Priced, currency: Currency): string | null {
  if (line.unit_price_micros === null) return null
  return `${formatMoney(micros(Math.round(line.unit_price_micros)), currency)}${isData(line) ? ` per ${megabyteOf(line).word}` : ''}`
}

/** "18.60 MB × $0.35 per MB, zone Balkans", as far as it is known. */
export function howMuch(line: Priced, currency: Currency): string | null {
  const { zone, zone_name } = line
  const amount = quantityWords(line)
  if (amount === null) return null
  const price = unitPriceWords(line, currency)
  return `${amount}${price === null ? '' : ` × ${price}`}${zone ? `, zone ${zone_name ?? zone}` : ''}`
}

/** What a description does not say: at which price it was charged. */
export function priceWords(line: Priced, currency: Currency): string | null {
  const { quantity, price_list } = line
  const price = unitPriceWords(line, currency)
  if (quantity === null || price === null) return null
  if (isData(line)) return [price, price_list].filter(Boolean).join(', ')
  return quantity === 1 ? null : `${quantity.toLocaleString('en')} × ${price}`
}
