import * as z from 'zod/mini'
import { Email } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notAMember } from './problems.ts'

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

export const logout = operation({
  name: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the session',
  access: 'signed_in',
  reply: z.object({
    /** Where the browser ends its session at the identity provider too, when the provider vouched for this one. */
    provider_logout_url: z.nullable(z.string()),
  }),
})

export const getUserInfo = operation({
  name: 'auth.getUserInfo',
  method: 'GET',
  path: '/auth/user_info',
  summary: 'Who is signed in, and on whose account',
  access: 'signed_in',
  reply: UserInfo,
})

export const switchAccount = operation({
  name: 'auth.switchAccount',
  method: 'POST',
  path: '/auth/switch_account',
  summary: "Act on a team's account, or on one's own again",
  access: 'signed_in',
  body: z.object({ team_member_email: Email }),
  problems: [notAMember],
})
