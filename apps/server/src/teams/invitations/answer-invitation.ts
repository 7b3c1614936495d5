import type { FastifyRequest } from 'fastify'
import { Problem } from '@masthead/contract/kernel/problem'
import { formatExact } from '@masthead/contract/kernel/time'
import { invitationAccepted, invitationRejected, teamDeclined, teamJoined } from '@masthead/contract/teams/events'
import { alreadyMember, invitationExpired, invitationMissing } from '@masthead/contract/teams/problems'
import { approveInvitation as approveOperation } from '@masthead/contract/teams/operations'
import type { Actor, App, Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { record } from '../../kernel/record.ts'
import { refuseUnproven } from './invitation-proof.ts'
import { findInvitation, findMember, findPerson, findTeamByOwner, tagNames, type Owner } from '../team-queries.ts'
import { teamWords, notifyPerson } from '../notify-person.ts'

type Answer = { app: App; request: FastifyRequest; actor: Actor; body: { inviter_email: string; proof?: string | undefined } }

/** Joins the team that one was invited to by its owner's account. The answer is the owner and what may be done on their account. */
export const approveInvitation = ({ app, request, actor, body }: Answer): Promise<{ email: string; permissions: string[] }> =>
  app.db.transaction().execute((tx) => once(tx, actor, request, approveOperation, () => join(tx, actor, body, app.mailer !== null)))

async function join(tx: Tx, actor: Actor, { inviter_email, proof }: Answer['body'], mailed: boolean) {
  const owner = await findTeamByOwner(tx, inviter_email)
  const invitation = owner && (await findInvitation(tx, owner.account_id, actor.email))
  // An invitation may have waited at the address that one has now.
  if (owner && (await findMember(tx, owner.account_id, actor.email)))
    throw new Problem(alreadyMember, `You are a member of the team ${owner.team_name} already`)
  if (!invitation) throw noInvitation(inviter_email)
  if (owner.person_id === actor.person_id) throw new Problem(alreadyMember, 'This is your own account: you may do everything on it already')
  if (invitation.expires_at <= actor.at) {
    const ended = formatExact(invitation.expires_at.toISOString())
    throw new Problem(invitationExpired, `This invitation expired on ${ended}. Ask ${inviter_email} to send it again`)
  }
  const confirmed_by = await refuseUnproven(tx, actor, invitation, { proof, mailed })
  const { account_id, permissions, tags, invited_by, created_at } = invitation
  await tx
    .insertInto('membership')
    .values({ account_id, person_id: actor.person_id, permissions, tags, created_at: actor.at, invited_by, invited_at: created_at })
    .execute()
  await forget(tx, actor, owner)
  const detail = { added_member: actor.email, permissions, tags: await tagNames(tx, account_id, tags) }
  await record(tx, { ...actor, account_id }, invitationAccepted, { ...detail, ...(confirmed_by && { confirmed_by }) })
  await notifyPerson(tx, actor, await self(tx, actor), teamJoined, teamWords(owner))
  return { email: owner.email, permissions }
}

/** Declines an invitation, also one that has expired. */
export async function rejectInvitation(tx: Tx, actor: Actor, inviter_email: string): Promise<void> {
  const owner = await findTeamByOwner(tx, inviter_email)
  const invitation = owner && (await findInvitation(tx, owner.account_id, actor.email))
  if (!invitation) throw noInvitation(inviter_email)
  await forget(tx, actor, owner)
  await record(tx, { ...actor, account_id: owner.account_id }, invitationRejected, { removed_member: actor.email })
  await notifyPerson(tx, actor, await self(tx, actor), teamDeclined, teamWords(owner))
}

/** The same words whether there is such an account or not. */
const noInvitation = (email: string) =>
  new Problem(invitationMissing, `There is no invitation of ${email} for you. It may have been answered or revoked`)

const forget = (tx: Tx, { email }: Actor, { account_id }: Owner) =>
  tx.deleteFrom('invitation').where('account_id', '=', account_id).where('email', '=', email).execute()

/** The person's own account: they may be working on another. */
const self = async (tx: Tx, { email }: Actor) => (await findPerson(tx, email))!
