import * as z from 'zod/mini'

export const Account = z.object({
  id: z.string(),
  email: z.string(),
  team_name: z.string(),
  suspended: z.boolean(),
  /** ISO 4217; one per account. */
  currency: z.string(),
  timezone: z.string(),
  feature_flags: z.object({ network_groups: z.boolean() }),
  created_at: z.iso.datetime(),
  /** Staff look at it, and can change nothing. */
  staff_view: z.optional(z.literal(true)),
})
export type Account = z.output<typeof Account>
