import * as z from 'zod/mini'
import { Email } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notAMember } from './problems.ts'
import { UserInfo } from './user-info.ts'

export const logout = operation({
  name: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the session',
  access: 'self',
  endsCaller: true,
  whileViewing: true,
  reply: z.object({
    /** Where the browser ends its session at the identity provider too, when somebody signed in here by it. */
    provider_logout_url: z.nullable(z.string()),
  }),
  // The address says who the provider knows them as.
  encryptsReply: true,
  spends: 'session',
})

export const getUserInfo = operation({
  name: 'auth.getUserInfo',
  method: 'GET',
  path: '/auth/user_info',
  summary: 'Who is signed in, and on whose account',
  access: 'self',
  reply: UserInfo,
})

export const switchAccount = operation({
  name: 'auth.switchAccount',
  method: 'POST',
  path: '/auth/switch_account',
  summary: 'Switch to a team’s account, or back to one’s own',
  access: 'self',
  body: z.object({ team_member_email: Email }),
  problems: [notAMember],
})
