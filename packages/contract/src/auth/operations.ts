import * as z from 'zod/mini'
import { Email } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { passwordLength, passwordProblem } from './password.ts'
import { credentialsWrong, emailTaken, notAMember, registrationOff } from './problems.ts'

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

export const LoginBody = z.object({
  email: Email,
  password: z.string().check(z.minLength(1, 'Write your password'), z.maxLength(1000)),
})

export const RegisterBody = z
  .object({
    email: Email,
    password: z.string().check(z.minLength(passwordLength.min, `Use at least ${passwordLength.min} characters`)),
    team_name: z
      .string()
      .check(z.trim(), z.minLength(1, 'Write the name of your company or team'), z.maxLength(120, 'Use at most 120 characters')),
  })
  .check((ctx) => {
    const message = passwordProblem(ctx.value.password, ctx.value)
    if (message) ctx.issues.push({ code: 'custom', message, path: ['password'], input: ctx.value.password })
  })

/** What the login screen needs before anyone is signed in. */
export const getSetup = operation({
  name: 'auth.getSetup',
  method: 'GET',
  path: '/auth/setup',
  summary: 'What the sign-in page needs to know',
  access: 'public',
  reply: z.object({
    /** No account exists yet: the first one registered also becomes staff. */
    first_run: z.boolean(),
    registration: z.boolean(),
    /** The demo's sign-ins, only while the demo is on. */
    demo: z.nullable(
      z.object({
        password: z.string(),
        people: z.array(z.object({ email: z.string(), about: z.string() })),
      })
    ),
  }),
})

export const login = operation({
  name: 'auth.login',
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in and get a session cookie',
  access: 'public',
  body: LoginBody,
  reply: z.object({ email: z.string() }),
  problems: [credentialsWrong, tooManyRequests],
})

export const register = operation({
  name: 'auth.register',
  method: 'POST',
  path: '/auth/register',
  summary: 'Open an account',
  access: 'public',
  body: RegisterBody,
  reply: z.object({ email: z.string(), team_name: z.string() }),
  problems: [emailTaken, registrationOff, tooManyRequests],
})

export const logout = operation({
  name: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  summary: 'End the session',
  access: 'signed_in',
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
