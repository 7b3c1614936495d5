import * as z from 'zod/mini'
import { Micros } from '../money.ts'

/** What happens where data costs more than the account allows: it is notified, or its SIMs are refused there. */
export const PriceAction = z.enum(['warn', 'refuse'])
export type PriceAction = z.output<typeof PriceAction>

/** Of how many bytes a price is, as its price list counts: of a million, or of 1024 × 1024. */
export const Megabyte = z.enum(['MB', 'MiB'])
export type Megabyte = z.output<typeof Megabyte>

/** What data may cost an account, as it says itself. */
export const CostLimits = z.object({
  /** The most for a megabyte, before `price_action` follows; null: any price. What a data pool gives costs nothing. */
  most_price_micros: z.nullable(Micros),
  price_action: PriceAction,
  /** Once the data of a SIM has cost so much on a day in UTC, the SIM is blocked until the day is over; null: never. */
  sim_day_micros: z.nullable(Micros),
})
export type CostLimits = z.output<typeof CostLimits>
