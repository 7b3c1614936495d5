import { createHash, randomBytes } from 'node:crypto'
import { Problem } from '@masthead/contract/kernel/problem'
import { emailUnproven } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../kernel/app.ts'

const hashOf = (proof: string) => createHash('sha256').update(proof).digest()

/** A new secret for the link of an invitation's mail; the link of an earlier mail proves nothing from now on. */
export async function giveProof(tx: Tx, account_id: string, email: string): Promise<string> {
  const proof = randomBytes(24).toString('base64url')
  await tx
    .updateTable('invitation')
    .set({ proof_hash: hashOf(proof) })
    .where('account_id', '=', account_id)
    .where('email', '=', email)
    .execute()
  return proof
}

/**
 * Anybody can open an account with somebody else's address, and would find the invitations to it. Where mail is sent, only who reads it
 * accepts: they bring the secret of the link, or have shown before that the address is theirs. Throws email_unproven.
 */
export async function refuseUnproven(
  tx: Tx,
  { person_id, at }: Actor,
  proof_hash: Buffer | null,
  proof: string | undefined
): Promise<void> {
  const { email_proven_at } = await tx.selectFrom('person').select('email_proven_at').where('id', '=', person_id).executeTakeFirstOrThrow()
  if (email_proven_at) return
  if (!proof || !proof_hash?.equals(hashOf(proof))) throw new Problem(emailUnproven)
  await tx.updateTable('person').set({ email_proven_at: at }).where('id', '=', person_id).execute()
}
