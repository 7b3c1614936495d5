import * as z from 'zod/mini'

/** A mobile network, by its MCC-MNC. `name` and `country` are null when nobody told us about it. */
export const Network = z.object({
  /** `262-01` */
  mccmnc: z.string(),
  name: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2 */
  country: z.nullable(z.string()),
})
export type Network = z.output<typeof Network>
