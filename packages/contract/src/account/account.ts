import * as z from 'zod/mini'

export const Account = z.object({
  id: z.string(),
  email: z.string(),
  team_name: z.string(),
  suspended: z.boolean(),
  /** Its owner closed it: until then they can reopen it. */
  erase_at: z.optional(z.iso.datetime()),
  /** ISO 4217; one per account. */
  currency: z.string(),
  timezone: z.string(),
  /** It demands a second factor of everybody who acts on it, which whoever asks has not, or has not proved: nothing else of it is answered. */
  lacks_factor: z.optional(z.enum(['missing', 'unproved'])),
  feature_flags: z.object({ network_groups: z.boolean() }),
  created_at: z.iso.datetime(),
  /** Staff look at it, and can change nothing. */
  staff_view: z.optional(z.literal(true)),
})
export type Account = z.output<typeof Account>
