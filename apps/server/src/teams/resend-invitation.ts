import { Problem } from '@masthead/contract/kernel/problem'
import { invitationResent } from '@masthead/contract/teams/events'
import { invitationMissing } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../kernel/app.ts'
import type { Config } from '../kernel/config.ts'
import { linksProve } from '../kernel/mail.ts'
import { record } from '../kernel/record.ts'
import { giveProof } from './invitation-proof.ts'
import { limitMail } from './limit-mail.ts'
import { refuseOwnRow, refuseStrongerMember } from './may-grant.ts'
import { findInvitation, lockTeam, rightsNow, tagNames } from './team-queries.ts'
import { tellInvited } from './tell-invited.ts'
import { expiryOf } from './update-invitation.ts'
import { writeInvitationMail } from './write-invitation-mail.ts'

/** Mails an invitation once more, also one that has expired; its days start anew. */
export async function resendInvitation(
  tx: Tx,
  actor: Actor,
  email: string,
  config: Config
): Promise<{ email: string; expires_at: string }> {
  const owner = await lockTeam(tx, actor.account_id)
  const rights = await rightsNow(tx, actor)
  refuseOwnRow(actor, owner, email)
  const invitation = await findInvitation(tx, owner.account_id, email)
  if (!invitation) throw new Problem(invitationMissing, `${email} is not invited. The invitation may have been answered or taken back`)
  refuseStrongerMember(rights, invitation)
  await limitMail(tx, actor, email)
  const expires_at = expiryOf(actor.at)
  await tx.updateTable('invitation').set({ expires_at }).where('account_id', '=', owner.account_id).where('email', '=', email).execute()
  const { permissions, tags } = invitation
  const tag_names = await tagNames(tx, owner.account_id, tags)
  const proof = await giveProof(tx, owner.account_id, email, linksProve(config))
  await writeInvitationMail(
    tx,
    { email, inviter: actor.email, team_name: owner.team_name, permissions, tag_names, expires_at, proof },
    actor.at
  )
  await record(tx, actor, invitationResent, { added_member: email })
  await tellInvited(tx, actor, owner, email, 'received')
  return { email, expires_at: expires_at.toISOString() }
}
