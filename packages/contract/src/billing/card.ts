import * as z from 'zod/mini'

/** Brands as people write them; what the provider calls otherwise is shown as it is. */
const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  eftpos_au: 'eftpos',
}
export const brandOf = (brand: string): string => (Object.hasOwn(brands, brand) ? brands[brand]! : brand)

/** How many cards an account keeps. */
export const mostCards = 10

/** A card that the provider keeps: nothing else of it is here (spec §3). */
export const Card = z.object({
  id: z.string(),
  brand: z.string(),
  /** The last four digits. */
  last_four: z.string(),
  /** "04/31". */
  expires: z.string(),
  is_expired: z.boolean(),
  /** Credits are bought with it unless another is chosen. */
  is_default: z.boolean(),
  added_by: z.nullable(z.string()),
  added_at: z.string(),
})
export type Card = z.output<typeof Card>

/** "Visa ending in 4242". */
export const cardName = ({ brand, last_four }: Pick<Card, 'brand' | 'last_four'>): string => `${brand} ending in ${last_four}`

/**
 * How far it has come to keep a card. `preparing`: the provider is asked for a form. `ready`: the browser may send the card to the provider, with the client
 * secret. `checking`: the provider is asked what came of it. The rest are ends.
 */
export const CardSetupState = z.enum(['preparing', 'ready', 'checking', 'done', 'failed'])
export const CardSetup = z.object({
  id: z.string(),
  state: CardSetupState,
  /** For the provider's script alone; while it is ready. */
  client_secret: z.nullable(z.string()),
  /** Of a form on the provider's own page: where it is, while it is ready. */
  hosted_url: z.nullable(z.url()),
  card: z.nullable(z.string()),
  /** Why it failed, or what is still to be done. */
  words: z.nullable(z.string()),
})
export type CardSetup = z.output<typeof CardSetup>
