import { credentialsWrong, passkeyRefused, proofNeeded } from '@masthead/contract/auth/problems'
import type { Proof } from '@masthead/contract/auth/proof'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import { checkPasskey, findAuthenticator } from '../../factors/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { checkCode, wrong, type Spend, type Visit } from './check-code.ts'
import { checkPassword, isStillPassword } from './check-password.ts'
import { handOn, rotateSession } from '../sessions/rotate-session.ts'
import { markTwoFactors } from '../sessions/session.ts'

/**
 * Somebody who is signed in proves anew that it is them: by password or passkey, or who has no password by a new sign-in at the provider; and
 * by a code where an authenticator app is on.
 * Answers how to use the proof up: call it within the transaction of what rests on it (inside `once`, so that a repeated request is answered
 * and a replayed code or passkey is not). The session gets another secret with it. Throws credentials_wrong, code_wrong, passkey_refused, too_many_requests.
 */
export async function requireFreshProof(visit: Visit, { password, passkey, code }: Proof): Promise<Spend> {
  const { app, actor } = visit
  const person = { id: actor.person_id, email: actor.email }
  const first = passkey ? provePasskey(visit, passkey) : password ? provePassword(visit, password) : proveVouched(visit)
  const spends = [await first]
  if (await findAuthenticator(app.db, person.id)) {
    if (!code) throw wrong('Enter the code from your authenticator app')
    const checked = await checkCode(visit, person, code).catch(async (error: unknown) => {
      // Switched off between the two checks, by the first of several like this one: no code is asked for any more.
      if (!(await findAuthenticator(app.db, person.id))) return null
      throw error
    })
    if (checked) spends.push(checked.spend)
  }
  await handOn(app.db, visit)
  return async (tx) => {
    for (const spend of spends) await spend(tx)
    const { numUpdatedRows } = await tx
      .updateTable('session')
      .set({ proved_at: actor.at })
      .where('id', '=', actor.session_id ?? '')
      .executeTakeFirstOrThrow()
    // Signed out meanwhile, as by a new password: nothing rests on it any more.
    if (numUpdatedRows === 0n) throw new Problem(unauthenticated)
    // A code beside what came first, or a passkey, which takes two itself.
    if (passkey || spends.length > 1) await markTwoFactors(tx, actor)
    await rotateSession(tx, visit)
  }
}

/** How long a proof, the sign-in too, counts for what takes none itself. */
export const proofCounts = 15 * 60_000 // ms

/** Somebody proved who they are in this session not long ago. Throws proof_needed. */
export async function requireRecentProof(db: Db, { session_id, at }: Actor): Promise<void> {
  const session = await db
    .selectFrom('session')
    .select('proved_at')
    .where('id', '=', session_id ?? '')
    .executeTakeFirst()
  if (!session?.proved_at || at.getTime() - session.proved_at.getTime() >= proofCounts) throw new Problem(proofNeeded)
}

/** How long the provider's word counts, once, in place of a password that somebody does not have. */
export const providerProofCounts = 5 * 60_000 // ms

async function proveVouched({ app, actor }: Visit): Promise<Spend> {
  const { name = null } = app.config.integrations.identity ?? {}
  const session = await app.db
    .selectFrom('session')
    .innerJoin('person', 'person.id', 'session.person_id')
    .select(['session.vouched_at', 'person.password_hash'])
    .where('session.id', '=', actor.session_id ?? '')
    .executeTakeFirst()
  if (!session || session.password_hash !== null) throw refused('Enter your password')
  // Not at the field: there is none for the password.
  const again = new Problem(credentialsWrong, name ? `Prove at ${name} that it is you first` : 'Use your passkey: you have no password')
  if (!session.vouched_at || actor.at.getTime() - session.vouched_at.getTime() >= providerProofCounts) throw again
  return async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('session')
      .set({ vouched_spent: true })
      .where('id', '=', actor.session_id ?? '')
      .where('vouched_spent', '=', false)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) throw again
  }
}

async function provePasskey({ app, request, actor }: Visit, answer: string): Promise<Spend> {
  const { person_id, spend } = await checkPasskey({ app, request, at: actor.at }, 'passkey_proof', answer)
  if (person_id !== actor.person_id) throw new Problem(passkeyRefused, 'This passkey is of somebody else')
  return spend
}

async function provePassword(visit: Visit, password: string): Promise<Spend> {
  const checked = await checkPassword(visit, { email: visit.actor.email, password }).catch((error: unknown) => {
    throw error instanceof Problem && error.kind === credentialsWrong ? refused('The password is wrong') : error
  })
  return async (tx) => {
    if (!(await isStillPassword(tx, checked))) throw refused('The password was changed meanwhile')
  }
}

const refused = (words: string) => new Problem(credentialsWrong, words, { fields: { password: words } })
