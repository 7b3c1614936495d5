import * as z from 'zod/mini'
import { Time } from '../kernel/fields.ts'
import { Currency, Micros } from './money.ts'

/** What credits can be bought for at once, in whole micros; in whole hundredths. */
export const leastTopUp = 10_000_000
export const mostTopUp = 10_000_000_000
/** What is offered. */
export const topUpSteps = [25_000_000, 50_000_000, 100_000_000, 250_000_000] as const

/**
 * How far a purchase of credits has come. `preparing`: the provider is asked. `requires_action`: the card's bank asks its holder, in the browser. `processing`: the
 * provider is asked what came of it. The rest are ends.
 */
export const TopUpState = z.enum(['preparing', 'requires_action', 'processing', 'succeeded', 'failed', 'canceled'])
export const TopUp = z.object({
  id: z.string(),
  state: TopUpState,
  /** Before tax. */
  amount_micros: Micros,
  tax_micros: Micros,
  tax_words: z.nullable(z.string()),
  currency: Currency,
  source: z.enum(['card', 'auto_refill']),
  card_name: z.string(),
  /** For the provider's script alone; while the bank asks. */
  client_secret: z.nullable(z.string()),
  /** The bank's own page, where the holder confirms a payment that was begun so; while the bank asks. It leads back to Add credits. */
  hosted_url: z.nullable(z.url()),
  /** Why it failed, as the provider says it. */
  words: z.nullable(z.string()),
  /** It is given up because no answer came: the card may have been charged all the same. We check each minute, and know it within minutes. */
  is_unknown: z.boolean(),
  begun_by: z.string(),
  begun_at: Time,
  ended_at: z.nullable(Time),
  /** Of the ledger. */
  transaction_id: z.nullable(z.string()),
  refunded_micros: Micros,
  disputed_at: z.nullable(Time),
})
export type TopUp = z.output<typeof TopUp>

export const isOpen = ({ state }: Pick<TopUp, 'state'>) => state === 'preparing' || state === 'requires_action' || state === 'processing'
