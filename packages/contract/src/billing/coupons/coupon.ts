import * as z from 'zod/mini'
import { Time } from '../../kernel/fields.ts'
import { formatMoney, micros, Currency, Micros } from '../money.ts'

/** `amount`: credits at once. `percent`: so much more on the next credits that are bought. */
export const CouponKind = z.enum(['amount', 'percent'])

/** As it is typed: spaces and small letters do not matter. */
export const CouponCode = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9][A-Z0-9-]{4,39}$/, 'A code has 5 to 40 letters, digits and dashes'))

const days = z.int().check(z.minimum(1, 'At least 1 day'), z.maximum(3650, 'At most 3,650 days'))
const uses = z.int().check(z.minimum(1, 'At least 1'), z.maximum(1_000_000, 'At most 1,000,000'))
const amount = z.int({ error: 'Enter an amount' }).check(
  z.minimum(10_000, 'At least 0.01'),
  z.maximum(10_000_000_000, 'At most 10,000.00'),
  z.refine((given) => given % 10_000 === 0, 'Use at most two decimals')
)

/** What a coupon gives: its amount, or so many per cent up to an amount; both are credits of its currency. */
const Gives = z.object({
  kind: CouponKind,
  currency: Currency,
  /** What is given; of a bonus, the most that is. */
  amount_micros: amount,
  percent: z.nullable(z.int().check(z.minimum(1, 'At least 1 %'), z.maximum(100, 'At most 100 %'))),
  /** The credits end so many days after they are given; null: never. */
  credit_days: z.nullable(days),
})

export const CouponFields = z
  .extend(Gives, {
    code: CouponCode,
    /** The last moment at which it can be redeemed; null: none. */
    expires_at: z.nullable(Time),
    /** On so many accounts; null: on all. */
    most_uses: z.nullable(uses),
  })
  .check(
    z.refine(({ kind, percent }) => (kind === 'percent') === (percent !== null), {
      error: 'Enter the per cent of the bonus',
      path: ['percent'],
    })
  )

export const CouponState = z.enum(['open', 'used_up', 'expired', 'ended'])

export const Coupon = z.object({
  ...Gives.shape,
  id: z.string(),
  code: z.string(),
  state: CouponState,
  expires_at: z.nullable(Time),
  most_uses: z.nullable(z.int()),
  uses: z.int(),
  created_at: Time,
  created_by: z.string(),
  ended_at: z.nullable(Time),
})
export type Coupon = z.output<typeof Coupon>

/** A coupon on an account: once. */
export const CouponUse = z.object({
  ...Gives.shape,
  coupon_id: z.string(),
  code: z.string(),
  used_at: Time,
  used_by: z.string(),
  /** What was given; null: a bonus that waits for the next credits that are bought. */
  given_micros: z.nullable(Micros),
  given_at: z.nullable(Time),
  transaction_id: z.nullable(z.string()),
})
export type CouponUse = z.output<typeof CouponUse>

type Given = Pick<Coupon, 'kind' | 'currency' | 'amount_micros' | 'percent'>

/** "$10.00 of credits", "10 % more on the next credits that are bought, at most $50.00". */
export const couponWords = ({ kind, currency, amount_micros, percent }: Given): string => {
  const money = formatMoney(micros(amount_micros), currency)
  return kind === 'amount' ? `${money} of credits` : `${percent} % more on the next credits that are bought, at most ${money}`
}

const hundredth = 10_000 // micros

/** What a bonus comes to: to the hundredth below, and no more than its most. */
export const bonusOf = ({ percent, amount_micros }: Pick<Given, 'percent' | 'amount_micros'>, bought_micros: number): number =>
  Math.min(amount_micros, Math.floor((bought_micros * (percent ?? 0)) / 100 / hundredth) * hundredth)
