import { createHash } from 'node:crypto'
import type { CardError, NextAction } from './entity.ts'

/** How a test card behaves. `asks`: its bank asks the holder, always or only until they have agreed once to payments without them. `fails`: and when. */
type Behaviour = {
  number: string
  brand: string
  asks?: 'once' | 'always'
  fails?: CardError
  /** It can be kept, and fails when it is charged. */
  onlyCharge?: boolean
  /** Its holder disputes what was charged, soon after. */
  disputes?: boolean
  /** What is paid back to it succeeds at first, and fails soon after. */
  refundsFail?: boolean
}

const declined = (decline_code: string, message = 'Your card was declined.'): CardError => ({
  type: 'card_error',
  code: 'card_declined',
  decline_code,
  message,
})
const failed = (code: string, message: string): CardError => ({ type: 'card_error', code, message })

/** The numbers that Stripe publishes for tests, and what becomes of them: https://docs.stripe.com/testing. */
const behaviours: readonly Behaviour[] = [
  { number: '4242424242424242', brand: 'visa' },
  { number: '5555555555554444', brand: 'mastercard' },
  { number: '378282246310005', brand: 'amex' },
  { number: '4000002500003155', brand: 'visa', asks: 'once' },
  { number: '4000002760003184', brand: 'visa', asks: 'always' },
  { number: '4000000000003220', brand: 'visa', asks: 'always' },
  {
    number: '4000008260003178',
    brand: 'visa',
    asks: 'once',
    fails: declined('insufficient_funds', 'Your card has insufficient funds.'),
    onlyCharge: true,
  },
  {
    number: '4000008400001629',
    brand: 'visa',
    asks: 'always',
    fails: declined('generic_decline'),
    onlyCharge: true,
  },
  { number: '4000000000000002', brand: 'visa', fails: declined('generic_decline') },
  { number: '4000000000009995', brand: 'visa', fails: declined('insufficient_funds', 'Your card has insufficient funds.') },
  { number: '4000000000009987', brand: 'visa', fails: declined('lost_card') },
  { number: '4000000000009979', brand: 'visa', fails: declined('stolen_card') },
  { number: '4100000000000019', brand: 'visa', fails: declined('fraudulent') },
  { number: '4000000000000069', brand: 'visa', fails: failed('expired_card', 'Your card has expired.') },
  { number: '4000000000000127', brand: 'visa', fails: failed('incorrect_cvc', 'Your card’s security code is incorrect.') },
  {
    number: '4000000000000119',
    brand: 'visa',
    fails: failed('processing_error', 'An error occurred while processing your card. Try again in a little bit.'),
  },
  { number: '4000000000000341', brand: 'visa', fails: declined('generic_decline'), onlyCharge: true },
  { number: '4000000000000259', brand: 'visa', disputes: true },
  { number: '4000000000005126', brand: 'visa', refundsFail: true },
]

const byLastDigits = new Map(behaviours.map((each) => [each.number.slice(-6), each]))
/** Of a kept card; another release may know fewer. */
export const behaviourOf = (behaves_as: string): Behaviour => byLastDigits.get(behaves_as) ?? behaviours[0]!

export type CardInput = { number: string; exp_month: number; exp_year: number; cvc?: string | undefined }
export type ReadCard = { brand: string; last4: string; fingerprint: string; behaves_as: string; asks: boolean }

const incorrectNumber = failed('incorrect_number', 'Your card number is incorrect.')

/** What is to be kept of a card, or why it is none. Real numbers are refused, so that none is ever typed here for long. */
export function readCard({ number, exp_month, exp_year, cvc }: CardInput, now: Date): ReadCard | CardError {
  const digits = number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(digits) || !hasCheckDigit(digits)) return incorrectNumber
  const card = behaviours.find((each) => each.number === digits)
  if (!card) return declined('test_mode_live_card', 'Your card was declined. Your request was in test mode, but used a non test card.')
  if (!(exp_month >= 1 && exp_month <= 12)) return failed('invalid_expiry_month', 'Your card’s expiration month is invalid.')
  const year = exp_year < 100 ? 2000 + exp_year : exp_year
  const isOver = year < now.getUTCFullYear() || (year === now.getUTCFullYear() && exp_month < now.getUTCMonth() + 1)
  if (isOver || year > now.getUTCFullYear() + 50) return failed('invalid_expiry_year', 'Your card’s expiration year is invalid.')
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) return failed('invalid_cvc', 'Your card’s security code is invalid.')
  return {
    brand: card.brand,
    last4: digits.slice(-4),
    fingerprint: createHash('sha256').update(digits).digest('hex').slice(0, 16),
    behaves_as: digits.slice(-6),
    asks: card.asks !== undefined,
  }
}

/** ISO/IEC 7812-1, annex B (Luhn). */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((all, digit, i) => {
    const doubled = i % 2 === 1 ? Number(digit) * 2 : Number(digit)
    return all + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** How a card's bank asks on its page: in a frame of the provider's script, or where the browser goes and comes back from. */
export const bankOf = (page: string, return_url: string | null): NextAction =>
  return_url === null
    ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: page } }
    : { type: 'redirect_to_url', redirect_to_url: { url: `${page}?${String(new URLSearchParams({ return_url }))}`, return_url } }
