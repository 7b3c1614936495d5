import * as z from 'zod/mini'
import { passwordProblem } from '../auth/password.ts'
import { codeWrong, credentialsWrong, emailTaken, lastFactorDemanded, lastWayIn, linkExpired } from '../auth/problems.ts'
import { passkeyRefused, proofNeeded } from '../auth/problems.ts'
import { Code, PasskeyAnswer, Proof, proofFields } from '../auth/proof.ts'
import { Email, Name, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound, problem, tooManyRequests } from '../kernel/problem.ts'

export const mostPasskeys = 20
export const authenticatorOn = problem({
  code: 'authenticator_on',
  status: 409,
  title: 'Two-factor authentication is on already. Switch it off first to use another app',
})
export const authenticatorOff = problem({ code: 'authenticator_off', status: 409, title: 'Two-factor authentication is not on' })
export const tooManyPasskeys = problem({
  code: 'too_many_passkeys',
  status: 409,
  title: `A person has at most ${mostPasskeys} passkeys. Remove one first`,
})

const proofProblems = [credentialsWrong, codeWrong, passkeyRefused, tooManyRequests] as const
const NewPassword = z.string().check((ctx) => {
  const message = passwordProblem(ctx.value)
  if (message) ctx.issues.push({ code: 'custom', message, input: ctx.value })
})
const Token = z.string().check(z.minLength(1), z.maxLength(200))
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Kept by a password manager or the like, on more than one device. */
  synced: z.boolean(),
  created_at: Time,
  last_used_at: z.nullable(Time),
})
export type Passkey = z.output<typeof Passkey>

export const PersonSession = z.object({
  id: z.string(),
  /** "Chrome on Linux" */
  device: z.string(),
  ip: z.nullable(z.string()),
  created_at: Time,
  /** To the minute. */
  seen_at: Time,
  this_one: z.boolean(),
  /** E-mail of the account it acts on. */
  acting_as: z.nullable(z.string()),
})
export type PersonSession = z.output<typeof PersonSession>

export const Security = z.object({
  email: z.string(),
  /** Whether the address is known to be theirs: without that they accept an invitation by its link alone. */
  email_proven: z.boolean(),
  /** What was ended when they came by a provider to an account that had been opened with their address, in words; for 30 days. */
  earlier_access_ended: z.nullable(z.object({ at: Time, words: z.string() })),
  /** What the person is called; null: not known. */
  name: z.nullable(z.string()),
  /** False for whoever signs in by an identity provider or a passkey alone. */
  has_password: z.boolean(),
  email_change: z.nullable(z.object({ email: z.string(), expires_at: Time })),
  /** Two-factor authentication by an authenticator app. */
  authenticator: z.nullable(z.object({ since: Time, recovery_codes_left: z.int() })),
  passkeys: z.array(Passkey),
  /** The identity provider, where it can prove who one is in place of a password that one does not have; `until`: it just did. */
  provider_proof: z.nullable(z.object({ name: z.string(), until: z.nullable(Time) })),
  /** Until then other sessions can be signed out without a new proof. */
  proved_until: z.nullable(Time),
  /** Whether staff enter the backoffice with two factors alone: a passkey, or a code beside the password. */
  staff_second_factor: z.boolean(),
})
export type Security = z.output<typeof Security>

/** All of it is of the person, also while they act on another account. */
export const getSecurity = operation({
  name: 'account.getSecurity',
  method: 'GET',
  path: '/account/security',
  summary: 'How the person signed in can sign in: password, second factors, identities',
  access: 'self',
  reply: Security,
})

/** For what asks for a proof of the last minutes and takes none itself. */
export const prove = operation({
  name: 'account.prove',
  method: 'POST',
  path: '/account/proof',
  summary: 'Confirm the identity of the person signed in, for the next 15 minutes of this session',
  access: 'self',
  body: Proof,
  reply: z.object({ proved_until: Time }),
  problems: proofProblems,
})

/** Ends every other session; this one goes on with a new cookie. */
export const changePassword = operation({
  name: 'account.changePassword',
  method: 'POST',
  path: '/account/password',
  summary: 'Change the password',
  access: 'self',
  body: z.object({ ...proofFields, new_password: NewPassword }),
  problems: proofProblems,
  spends: 'session',
})

/** Answers the same whether anybody has the e-mail or not. The link in the mail is good for an hour, once. */
export const requestPasswordReset = operation({
  name: 'account.requestPasswordReset',
  method: 'POST',
  path: '/auth/forgot_password',
  summary: 'Mail a link to set a new password',
  access: 'public',
  body: z.object({ email: Email }),
  problems: [tooManyRequests],
})

/** Changes nothing: so that nobody thinks of a password for a link that is used or over. */
export const checkPasswordLink = operation({
  name: 'account.checkPasswordLink',
  method: 'POST',
  path: '/auth/reset_password/check',
  summary: 'Whether a mailed link still sets a password',
  access: 'public',
  body: z.object({ token: Token }),
  problems: [linkExpired],
})

/** Ends every session. A second factor is still asked for at the next sign-in. */
export const resetPassword = operation({
  name: 'account.resetPassword',
  method: 'POST',
  path: '/auth/reset_password',
  summary: 'Set a new password by the token of a mailed link',
  access: 'public',
  body: z.object({ token: Token, password: NewPassword }),
  problems: [linkExpired, tooManyRequests],
})

/** Answers the same whether the new address is somebody's already or not; what is mailed there says it. */
export const changeEmail = operation({
  name: 'account.changeEmail',
  method: 'POST',
  path: '/account/email',
  summary: 'Ask to change the e-mail: a link is mailed to the new address',
  access: 'self',
  body: z.object({ ...proofFields, email: Email }),
  reply: z.object({ email: z.string(), expires_at: Time }),
  problems: proofProblems,
})

export const removeEmailChange = operation({
  name: 'account.removeEmailChange',
  method: 'DELETE',
  path: '/account/email',
  summary: 'Cancel a change of the e-mail that is not confirmed yet',
  access: 'self',
})

export const confirmEmail = operation({
  name: 'account.confirmEmail',
  method: 'POST',
  path: '/auth/confirm_email',
  summary: 'Confirm a new e-mail by the token of a mailed link',
  access: 'public',
  body: z.object({ token: Token }),
  reply: z.object({ email: z.string() }),
  problems: [linkExpired, emailTaken, tooManyRequests],
})

export const startAuthenticator = operation({
  name: 'account.startAuthenticator',
  method: 'POST',
  path: '/account/authenticator',
  summary: 'Get a secret for an authenticator app',
  access: 'self',
  encryptsReply: true,
  body: Proof,
  reply: z.object({
    /** Base 32, to type. */
    secret: z.string(),
    /** `otpauth://…`, for a QR code. */
    uri: z.string(),
  }),
  problems: [...proofProblems, authenticatorOn],
})

export const confirmAuthenticator = operation({
  name: 'account.confirmAuthenticator',
  method: 'POST',
  path: '/account/authenticator/confirm',
  summary: 'Switch on two-factor authentication with the first code of the app; get recovery codes',
  access: 'self',
  encryptsReply: true,
  body: z.object({ code: Code }),
  reply: RecoveryCodes,
  problems: [codeWrong, authenticatorOn, tooManyRequests],
})

export const removeAuthenticator = operation({
  name: 'account.removeAuthenticator',
  method: 'POST',
  path: '/account/authenticator/remove',
  summary: 'Switch two-factor authentication off',
  access: 'self',
  body: Proof,
  problems: [...proofProblems, authenticatorOff, lastFactorDemanded],
})

export const renewRecoveryCodes = operation({
  name: 'account.renewRecoveryCodes',
  method: 'POST',
  path: '/account/recovery_codes',
  summary: 'Create new recovery codes; the previous ones stop working',
  access: 'self',
  encryptsReply: true,
  body: Proof,
  reply: RecoveryCodes,
  problems: [...proofProblems, authenticatorOff],
})

export const startPasskey = operation({
  name: 'account.startPasskey',
  method: 'POST',
  path: '/account/passkeys/challenge',
  summary: 'Get what a browser needs to create a passkey',
  access: 'self',
  body: Proof,
  reply: z.record(z.string(), z.unknown()),
  problems: [...proofProblems, tooManyPasskeys],
})

export const addPasskey = operation({
  name: 'account.addPasskey',
  method: 'POST',
  path: '/account/passkeys',
  summary: 'Add the passkey that the browser created',
  access: 'self',
  body: z.object({ name: Name, passkey: PasskeyAnswer }),
  reply: Passkey,
  problems: [passkeyRefused],
})

export const updatePasskey = operation({
  name: 'account.updatePasskey',
  method: 'PATCH',
  path: '/account/passkeys/{passkey_id}',
  summary: 'Rename a passkey',
  access: 'self',
  body: z.object({ name: Name }),
  reply: Passkey,
  problems: [notFound],
})

export const removePasskey = operation({
  name: 'account.removePasskey',
  method: 'POST',
  path: '/account/passkeys/{passkey_id}/remove',
  summary: 'Remove a passkey: it no longer signs in',
  access: 'self',
  body: Proof,
  problems: [...proofProblems, notFound, lastFactorDemanded, lastWayIn],
})

export const listSessions = operation({
  name: 'account.listSessions',
  method: 'GET',
  path: '/account/sessions',
  summary: 'Where the person is signed in',
  access: 'self',
  reply: z.object({ items: z.array(PersonSession) }),
})

export const removeSession = operation({
  name: 'account.removeSession',
  method: 'DELETE',
  path: '/account/sessions/{session_id}',
  summary: 'Sign out one session; another than this one within 15 minutes of confirming one’s identity',
  access: 'self',
  endsCaller: true,
  problems: [notFound, proofNeeded],
})

export const endOtherSessions = operation({
  name: 'account.endOtherSessions',
  method: 'POST',
  path: '/account/sessions/end_others',
  summary: 'Sign out everywhere but here, within 15 minutes of confirming one’s identity',
  access: 'self',
  reply: z.object({ ended: z.int() }),
  problems: [proofNeeded],
})
