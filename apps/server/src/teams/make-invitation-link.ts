import type { FastifyRequest } from 'fastify'
import { formatExact } from '@masthead/contract/kernel/time'
import { Problem } from '@masthead/contract/kernel/problem'
import { invitationLinkMade } from '@masthead/contract/teams/events'
import { makeInvitationLink as makeOperation } from '@masthead/contract/teams/operations'
import { invitationExpired, invitationMissing, mailIsSent } from '@masthead/contract/teams/problems'
import type { Actor, App } from '../kernel/app.ts'
import { originOf, screenAddress } from '../kernel/console-address.ts'
import { once } from '../kernel/idempotency.ts'
import { record } from '../kernel/record.ts'
import { giveLink } from './invitation-proof.ts'
import { refuseOwnRow, refuseStrongerMember } from './may-grant.ts'
import { findInvitation, lockTeam, rightsNow } from './team-queries.ts'
import { answerPlace } from './write-invitation-mail.ts'

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
      if (!invitation) throw new Problem(invitationMissing, `${email} is not invited. The invitation may have been answered or taken back`)
      refuseStrongerMember(rights, invitation)
      const { expires_at } = invitation
      if (expires_at <= actor.at)
        throw new Problem(invitationExpired, `This invitation expired on ${formatExact(expires_at.toISOString())}. Send it again first`)
      const proof = await giveLink(tx, owner.account_id, email, expires_at)
      await record(tx, actor, invitationLinkMade, { added_member: email })
      const url = originOf(app.config, request) + screenAddress(app.config, answerPlace(proof))
      return { email, url, expires_at: expires_at.toISOString() }
    })
  )
}
