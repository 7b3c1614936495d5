import type { FastifyRequest } from 'fastify'
import { Problem } from '@masthead/contract/kernel/problem'
import { formatExact } from '@masthead/contract/kernel/time'
import { invitationLinkMade, invitationResent } from '@masthead/contract/teams/events'
import { makeInvitationLink as makeOperation } from '@masthead/contract/teams/operations'
import { invitationExpired, invitationMissing, mailIsSent } from '@masthead/contract/teams/problems'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { consoleAddress, screenAddress } from '../../kernel/http/console-address.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { linksProve } from '../../kernel/mail/mail.ts'
import { record } from '../../kernel/record.ts'
import { giveLink, giveProof } from './invitation-proof.ts'
import { limitMail } from './limit-mail.ts'
import { refuseOwnRow, refuseStrongerMember } from '../may-grant.ts'
import { findInvitation, lockTeam, rightsNow, tagNames } from '../team-queries.ts'
import { notifyInvited } from './notify-invited.ts'
import { expiryOf } from './update-invitation.ts'
import { answerPlace, writeInvitationMail } from './write-invitation-mail.ts'

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
  if (!invitation) throw new Problem(invitationMissing, `${email} is not invited. The invitation may have been answered or revoked`)
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
  await notifyInvited(tx, actor, owner, email, 'received')
  return { email, expires_at: expires_at.toISOString() }
}

type Call = { app: App; request: FastifyRequest; actor: Actor; body: { email: string } }

/**
 * The link of an invitation, for its owner to hand over where no mail is sent: shown this once, good as long as the invitation is now, and in
 * place of the one before. Throws mail_is_sent, invitation_missing, invitation_expired, and what may not be done to a member who may more.
 */
export function makeInvitationLink({ app, request, actor, body: { email } }: Call) {
  if (app.mailer) throw new Problem(mailIsSent)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, makeOperation, async () => {
      const owner = await lockTeam(tx, actor.account_id)
      const rights = await rightsNow(tx, actor)
      refuseOwnRow(actor, owner, email)
      const invitation = await findInvitation(tx, owner.account_id, email)
      if (!invitation) throw new Problem(invitationMissing, `${email} is not invited. The invitation may have been answered or revoked`)
      refuseStrongerMember(rights, invitation)
      const { expires_at } = invitation
      if (expires_at <= actor.at)
        throw new Problem(invitationExpired, `This invitation expired on ${formatExact(expires_at.toISOString())}. Renew it first`)
      const proof = await giveLink(tx, actor, email, expires_at)
      await record(tx, actor, invitationLinkMade, { added_member: email })
      const url = consoleAddress(app.config, request) + screenAddress(app.config, answerPlace(proof))
      return { email, url, expires_at: expires_at.toISOString() }
    })
  )
}
