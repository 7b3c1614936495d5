import * as z from 'zod/mini'
import { operation } from '../kernel/operation.ts'
import { tooManyRequests } from '../kernel/problem.ts'
import { codeWrong, passkeyRefused, signInExpired } from './problems.ts'
import { Code, PasskeyAnswer } from './proof.ts'

/** What the browser's `PublicKeyCredential.parseRequestOptionsFromJSON` and its twin for creation take. */
export const PasskeyOptions = z.record(z.string(), z.unknown())

/** How a sign-in whose password was right can be finished: by the cookie it got with `second_factor_needed`. Nothing without it. */
export const getSecondStep = operation({
  name: 'auth.getSecondStep',
  method: 'GET',
  path: '/auth/second_step',
  summary: 'How a sign-in that needs a second factor can be finished',
  access: 'public',
  reply: z.object({ methods: z.array(z.enum(['code', 'recovery_code', 'passkey'])) }),
})

export const passSecondStep = operation({
  name: 'auth.passSecondStep',
  method: 'POST',
  path: '/auth/second_step',
  summary: 'Finish a sign-in with a code of an authenticator app, a recovery code or a passkey',
  access: 'public',
  body: z.object({ code: z.optional(Code), passkey: z.optional(PasskeyAnswer) }),
  reply: z.object({ email: z.string() }),
  problems: [signInExpired, codeWrong, passkeyRefused, tooManyRequests],
  spends: 'step',
})

export const challengePasskey = operation({
  name: 'auth.challengePasskey',
  method: 'POST',
  path: '/auth/passkey_challenge',
  summary: 'Get what a passkey is to sign: to sign in, for the second step of a sign-in, or to confirm the identity of who is signed in',
  access: 'public',
  body: z.object({ use: z.enum(['sign_in', 'second_step', 'proof']) }),
  reply: PasskeyOptions,
  problems: [tooManyRequests],
})

/** A passkey is opened with a finger, a face or a PIN, so it is two factors by itself: no code is asked for. */
export const signInWithPasskey = operation({
  name: 'auth.signInWithPasskey',
  method: 'POST',
  path: '/auth/passkey_sign_in',
  summary: 'Sign in with a passkey and get a session cookie',
  access: 'public',
  body: z.object({ passkey: PasskeyAnswer }),
  reply: z.object({ email: z.string() }),
  problems: [passkeyRefused, tooManyRequests],
  spends: 'passkey',
})
