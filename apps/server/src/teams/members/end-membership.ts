import type { Actor, Tx } from '../../kernel/app.ts'
import type { Owner } from '../team-queries.ts'
import { withdrawBeyond } from '../invitations/withdraw-invitations.ts'

/**
 * Ends a membership: with it what the person offered to others, and their sessions' stay on the account, so that a later membership does
 * not find them there. Call it with the team locked, and end their streams (`endStreams`) once everything is recorded.
 */
export async function endMembership(tx: Tx, actor: Actor, owner: Owner, person_id: string): Promise<void> {
  const { account_id } = owner
  await tx.deleteFrom('membership').where('account_id', '=', account_id).where('person_id', '=', person_id).execute()
  await tx.updateTable('session').set({ acting_as: null }).where('person_id', '=', person_id).where('acting_as', '=', account_id).execute()
  await withdrawBeyond(tx, actor, owner, person_id, null)
}
