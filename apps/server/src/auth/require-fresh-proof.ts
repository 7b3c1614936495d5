import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { credentialsWrong, passkeyRefused } from '@masthead/contract/auth/problems'
import type { Proof } from '@masthead/contract/auth/proof'
import { Problem } from '@masthead/contract/kernel/problem'
import { checkPasskey, findAuthenticator } from '../factors/index.ts'
import { checkCode, wrong, type Spend, type Visit } from './check-code.ts'
import { checkPassword } from './check-password.ts'

/** What of a proof may be told apart in a repeated request: what is good once, and not the password. */
export const shownProof = ({ passkey, code }: Proof) => ({ passkey, code })

/** A secret as it may be told apart in a repeated request: a hash that is worth nothing without the request's own key, which is not kept. */
export const shownSecret = ({ headers }: FastifyRequest, secret: string) =>
  createHmac('sha256', String(headers['idempotency-key'] ?? ''))
    .update(secret)
    .digest('base64url')

/**
 * Somebody who is signed in proves anew that it is them: by password or passkey, and by a code where an authenticator app is on.
 * Answers how to use the proof up: call it within the transaction of what rests on it (inside `once`, so that a repeated request is answered
 * and a replayed code or passkey is not). Throws credentials_wrong, code_wrong, passkey_refused, too_many_requests.
 */
export async function requireFreshProof(visit: Visit, { password, passkey, code }: Proof): Promise<Spend> {
  const { app, actor } = visit
  const person = { id: actor.person_id, email: actor.email }
  const spends = [passkey ? await provePasskey(visit, passkey) : await provePassword(visit, password ?? '')]
  if (await findAuthenticator(app.db, person.id)) {
    if (!code) throw wrong('Write the code of your authenticator app')
    const { spend } = await checkCode(visit, person, code)
    spends.push(spend)
  }
  return async (tx) => {
    for (const spend of spends) await spend(tx)
  }
}

async function provePasskey({ app, request, actor }: Visit, answer: string): Promise<Spend> {
  const { person_id, spend } = await checkPasskey({ app, request, at: actor.at }, 'passkey_proof', answer)
  if (person_id !== actor.person_id) throw new Problem(passkeyRefused, 'This passkey is of somebody else')
  return spend
}

async function provePassword(visit: Visit, password: string): Promise<Spend> {
  if (password === '') throw refused('Write your password')
  await checkPassword(visit, { email: visit.actor.email, password }).catch((error: unknown) => {
    throw error instanceof Problem && error.kind === credentialsWrong ? refused('The password is wrong') : error
  })
  return async () => {}
}

const refused = (words: string) => new Problem(credentialsWrong, words, { fields: { password: words } })
