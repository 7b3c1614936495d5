import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { refuseStrongerMember } from '../may-grant.ts'
import { findInvitation, lockTeam, rightsNow } from '../team-queries.ts'
import { withdrawInvitation } from './withdraw-invitations.ts'

/** Takes back an invitation that was not answered yet. */
export async function deleteInvitation(tx: Tx, actor: Actor, email: string): Promise<void> {
  const owner = await lockTeam(tx, actor.account_id)
  const rights = await rightsNow(tx, actor)
  const invitation = await findInvitation(tx, owner.account_id, email)
  if (!invitation) throw new Problem(notFound, 'This invitation does not exist. It may have been answered or revoked')
  refuseStrongerMember(rights, invitation)
  await withdrawInvitation(tx, actor, owner, email)
}
