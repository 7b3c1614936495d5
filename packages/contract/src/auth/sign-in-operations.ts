import * as z from 'zod/mini'
import { Email, TeamName, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound, tooManyRequests } from '../kernel/problem.ts'
import { passwordLength, passwordProblem } from './password.ts'
import {
  codeWrong,
  credentialsWrong,
  emailTaken,
  emailUnverified,
  identityOff,
  identityTaken,
  identityUnavailable,
  lastWayIn,
  linkFirst,
  passkeyRefused,
  registrationOff,
  secondFactorNeeded,
  tokenRefused,
} from './problems.ts'
import { proofFields } from './proof.ts'

/** An e-mail address and a password, or the access token of an identity provider. */
export const LoginBody = z
  .object({
    email: z.optional(Email),
    password: z.optional(z.string().check(z.minLength(1, 'Enter your password'), z.maxLength(1000))),
    access_token: z.optional(z.string().check(z.minLength(1), z.maxLength(16_000))),
  })
  .check((ctx) => {
    if (ctx.value.access_token !== undefined) return
    for (const path of ['email', 'password'] as const)
      if (ctx.value[path] === undefined) ctx.issues.push({ code: 'custom', message: 'This is required', path: [path], input: undefined })
  })

export const RegisterBody = z
  .object({
    email: Email,
    password: z.string().check(z.minLength(passwordLength.min, `Use at least ${passwordLength.min} characters`)),
    team_name: TeamName,
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

/**
 * 200 and the session cookie; or, where the person has an authenticator app, `second_factor_needed` and a cookie with which `auth.passSecondStep`
 * finishes the sign-in.
 */
export const login = operation({
  name: 'auth.login',
  method: 'POST',
  path: '/auth/login',
  summary: 'Sign in and get a session cookie',
  access: 'public',
  body: LoginBody,
  reply: z.object({ email: z.string() }),
  problems: [
    credentialsWrong,
    secondFactorNeeded,
    tooManyRequests,
    identityOff,
    identityUnavailable,
    tokenRefused,
    emailUnverified,
    registrationOff,
    linkFirst,
    identityTaken,
  ],
})

export const register = operation({
  name: 'auth.register',
  method: 'POST',
  path: '/auth/register',
  summary: 'Create an account',
  access: 'public',
  body: RegisterBody,
  reply: z.object({ email: z.string(), team_name: z.string() }),
  problems: [emailTaken, registrationOff, tooManyRequests],
})

export const listIdentities = operation({
  name: 'auth.listIdentities',
  method: 'GET',
  path: '/auth/identities',
  summary: 'Identities of the provider that one may sign in with',
  access: 'self',
  reply: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        /** What the provider last called this person. */
        email: z.string(),
        linked_at: Time,
        used_at: Time,
        /** There is no other way to sign in: it cannot be unlinked. */
        last_way_in: z.boolean(),
      })
    ),
  }),
})

export const linkIdentity = operation({
  name: 'auth.linkIdentity',
  method: 'POST',
  path: '/auth/identities',
  summary: 'Start to link an identity: where the browser goes for it',
  access: 'self',
  body: z.object({
    ...proofFields,
    /** The screen it comes back to. */
    return_to: z.optional(z.string().check(z.maxLength(2000))),
  }),
  reply: z.object({ url: z.string() }),
  problems: [credentialsWrong, codeWrong, passkeyRefused, tooManyRequests, identityOff, identityUnavailable],
})

/** The provider asks anew who one is; for five minutes that stands in, once, for the password of somebody who has none. */
export const proveByIdentity = operation({
  name: 'auth.proveByIdentity',
  method: 'POST',
  path: '/auth/identities/prove',
  summary: 'Start to confirm one’s identity at the identity provider: where the browser goes for it',
  access: 'self',
  body: z.object({
    /** The screen it comes back to. */
    return_to: z.optional(z.string().check(z.maxLength(2000))),
  }),
  reply: z.object({ url: z.string() }),
  problems: [tooManyRequests, identityOff, identityUnavailable],
})

export const unlinkIdentity = operation({
  name: 'auth.unlinkIdentity',
  method: 'POST',
  path: '/auth/identities/{identity_id}/unlink',
  summary: 'Unlink an identity: it no longer signs in',
  access: 'self',
  body: z.object(proofFields),
  problems: [credentialsWrong, codeWrong, passkeyRefused, tooManyRequests, notFound, lastWayIn],
})
