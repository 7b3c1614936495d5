import { createHash, randomBytes } from 'node:crypto'
import { Problem } from '@masthead/contract/kernel/problem'
import { emailNotVerified } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../../kernel/app.ts'

const hashOf = (proof: string) => createHash('sha256').update(proof).digest()
const newProof = () => randomBytes(24).toString('base64url')
type Proofs = Partial<Record<'proof_hash' | 'link_hash', Buffer | null>> & {
  link_expires_at?: Date | null
  invited_by?: string
  inviter_id?: string | null
}

const keep = (tx: Tx, account_id: string, email: string, proofs: Proofs) =>
  tx.updateTable('invitation').set(proofs).where('account_id', '=', account_id).where('email', '=', email).execute()

/**
 * A new secret for the link of an invitation's mail; the link of an earlier mail, and one that was handed over, prove nothing from now on. Where
 * others read the mail, as in the demo, there is none.
 */
export async function giveProof(tx: Tx, account_id: string, email: string, mailed: boolean): Promise<string | undefined> {
  const proof = mailed ? newProof() : undefined
  await keep(tx, account_id, email, { proof_hash: proof === undefined ? null : hashOf(proof), link_hash: null, link_expires_at: null })
  return proof
}

/** A new secret for the link that is handed over. Who makes it answers for the invitation from now on, since it lets in whoever they give it to. */
export async function giveLink(
  tx: Tx,
  { account_id, email: invited_by, person_id }: Actor,
  email: string,
  expires_at: Date
): Promise<string> {
  const proof = newProof()
  await keep(tx, account_id, email, {
    link_hash: hashOf(proof),
    link_expires_at: expires_at,
    invited_by,
    inviter_id: person_id || null,
  })
  return proof
}

type Invited = { invited_by: string; proof_hash: Buffer | null; link_hash: Buffer | null; link_expires_at: Date | null }

/**
 * Anybody can create an account with somebody else's address, and would find the invitations to it. Only whose address is known to be theirs
 * accepts, or who brings the secret of this invitation's link. One that was mailed shows the address to be theirs, for good; one that an owner
 * handed over speaks for that owner alone, since they might have invited themselves. Answers with `staff` where nobody but staff says so: the team
 * is notified, as somebody of staff could confirm an address of their own making. Throws email_not_verified.
 */
export async function refuseUnproven(
  tx: Tx,
  { person_id, email, at }: Actor,
  { invited_by, proof_hash, link_hash, link_expires_at }: Invited,
  { proof, mailed }: { proof: string | undefined; mailed: boolean }
): Promise<'staff' | undefined> {
  // Locked, and only under the address that was invited: a proof of another address, which they have by now, says nothing of this one.
  const person = await tx
    .selectFrom('person')
    .select(['email_proven_at', 'email_proven_by'])
    .where('id', '=', person_id)
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (person?.email_proven_at && person.email_proven_by !== 'staff') return
  const brought = proof && person ? hashOf(proof) : null
  if (brought && proof_hash?.equals(brought)) {
    await tx.updateTable('person').set({ email_proven_at: at, email_proven_by: 'mail' }).where('id', '=', person_id).execute()
    return
  }
  if (brought && link_hash?.equals(brought) && link_expires_at && link_expires_at > at) return
  if (person?.email_proven_at) return 'staff'
  throw new Problem(
    emailNotVerified,
    mailed
      ? 'This e-mail address is not confirmed. Open the link in the mail of this invitation, then accept it'
      : `This e-mail address is not confirmed. Ask ${invited_by} for the link of this invitation, and open it here`
  )
}
