import * as z from 'zod/mini'

/** Session user info, exactly the specification's fields (§3). `permissions` are the user's own (staff permissions); a membership has its own list. */
export const UserInfo = z.object({
  email: z.string(),
  team_name: z.string(),
  groups: z.array(z.string()),
  permissions: z.array(z.string()),
  /** E-mail of the account being acted on. */
  acting_as: z.nullable(z.string()),
  member_of: z.array(z.object({ email: z.string(), team_name: z.string(), permissions: z.array(z.string()) })),
  pending_invitations_from: z.array(z.object({ email: z.string(), team_name: z.string() })),
  team_members: z.array(z.object({ email: z.string(), permissions: z.array(z.string()), tags: z.array(z.string()) })),
})
export type UserInfo = z.output<typeof UserInfo>
