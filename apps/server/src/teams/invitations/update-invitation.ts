import { sql } from 'kysely'
import type { updateInvitation as promise } from '@masthead/contract/teams/operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { invitationUpdated, memberInvited, memberUpdated, teamRightsChanged } from '@masthead/contract/teams/events'
import { teamFull } from '@masthead/contract/teams/problems'
import { invitationDays, mostMembers } from '@masthead/contract/teams/team'
import type { Actor, Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { linksProve } from '../../kernel/mail/mail.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { record } from '../../kernel/record.ts'
import { getTagsByWord } from '../../tags/index.ts'
import { giveProof } from './invitation-proof.ts'
import { limitMail } from './limit-mail.ts'
import { refuseOwnRow, refuseStrongerMember, refuseWideGrant } from '../may-grant.ts'
import { withdrawBeyond } from './withdraw-invitations.ts'
import { findInvitation, findMember, lockTeam, rightsNow, tagNames, type Member, type Owner } from '../team-queries.ts'
import { notifyInvited } from './notify-invited.ts'
import { teamWords, notifyPerson } from '../notify-person.ts'
import { writeInvitationMail } from './write-invitation-mail.ts'

type Body = Parsed<typeof promise>['body']
type Grant = { permissions: string[]; tags: string[] }
const same = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((one) => b.includes(one))

export const expiryOf = (at: Date) => new Date(at.getTime() + invitationDays * 86_400_000)

/** Invites somebody to the team; of who is a member or invited already it replaces what they may do (spec §4). */
export async function updateInvitation(
  tx: Tx,
  actor: Actor,
  { email, permissions, tags }: Body,
  config: Config
): Promise<Reply<typeof promise>> {
  const owner = await lockTeam(tx, actor.account_id)
  const rights = await rightsNow(tx, actor)
  refuseOwnRow(actor, owner, email)
  const member = await findMember(tx, owner.account_id, email)
  const invitation = member ? undefined : await findInvitation(tx, owner.account_id, email)
  const before = member ?? invitation
  if (before) refuseStrongerMember(rights, { ...before, email })
  const viewer = { account_id: actor.account_id, tags: rights.tags }
  const given = tags && (await getTagsByWord(tx, viewer, tags)).map((tag) => tag.tag_id)
  const granted: Grant = { permissions, tags: given ?? before?.tags ?? [] }
  refuseWideGrant(rights, granted)
  const detail = { permissions, tags: await tagNames(tx, owner.account_id, granted.tags) }
  const old = before && { old_permissions: before.permissions, old_tags: await tagNames(tx, owner.account_id, before.tags) }
  const unchanged = before && same(before.permissions, granted.permissions) && same(before.tags, granted.tags)
  if (member) {
    if (!unchanged) {
      await changeMember(tx, actor, owner, member, granted)
      await record(tx, actor, memberUpdated, { updated_member: email, ...detail, ...old! })
      await notifyPerson(tx, actor, { id: member.person_id, account_id: member.account_id }, teamRightsChanged, {
        ...teamWords(owner),
        ...detail,
      })
      await endStreams(tx, { person_id: member.person_id, account_id: owner.account_id })
    }
  } else if (invitation && invitation.expires_at > actor.at) {
    if (!unchanged) {
      await saveInvitation(tx, actor, email, granted, invitation.expires_at)
      await record(tx, actor, invitationUpdated, { updated_member: email, ...detail, ...old! })
    }
  } else {
    await invite(tx, actor, owner, { email, ...granted, tag_names: detail.tags, mailed: linksProve(config) })
    await record(tx, actor, memberInvited, { added_member: email, ...detail })
  }
  return { email, state: member ? 'member' : 'invited', permissions, tags: detail.tags ?? [] }
}

async function changeMember(tx: Tx, actor: Actor, owner: Owner, { person_id }: Member, granted: Grant) {
  const { account_id } = owner
  await tx.updateTable('membership').set(granted).where('account_id', '=', account_id).where('person_id', '=', person_id).execute()
  await withdrawBeyond(tx, actor, owner, person_id, granted)
}

async function invite(
  tx: Tx,
  actor: Actor,
  owner: Owner,
  { email, tag_names, mailed, ...granted }: Grant & { email: string; tag_names: string[] | null; mailed: boolean }
) {
  await refuseFull(tx, owner, email)
  await limitMail(tx, actor, email)
  const expires_at = expiryOf(actor.at)
  await saveInvitation(tx, actor, email, granted, expires_at)
  const proof = await giveProof(tx, owner.account_id, email, mailed)
  const { team_name } = owner
  await writeInvitationMail(
    tx,
    { email, inviter: actor.email, team_name, permissions: granted.permissions, tag_names, expires_at, proof },
    actor.at
  )
  await notifyInvited(tx, actor, owner, email, 'received')
}

/** Who changes what is offered answers for it from now on; a link that somebody else made ends with that. */
async function saveInvitation(
  tx: Tx,
  { account_id, email: invited_by, person_id, at }: Actor,
  email: string,
  granted: Grant,
  expires_at: Date
) {
  const offer = { ...granted, invited_by, inviter_id: person_id || null, expires_at }
  const link_hash = sql<Buffer | null>`case when invitation.inviter_id = excluded.inviter_id then invitation.link_hash end`
  await tx
    .insertInto('invitation')
    .values({ account_id, email, ...offer, created_at: at })
    .onConflict((conflict) => conflict.columns(['account_id', 'email']).doUpdateSet({ ...offer, link_hash }))
    .execute()
}

async function refuseFull(tx: Tx, { account_id }: Owner, email: string) {
  const count = (table: 'membership' | 'invitation') =>
    tx
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', account_id)
  const members = await count('membership').executeTakeFirstOrThrow()
  const invitations = await count('invitation').where('email', '<>', email).executeTakeFirstOrThrow()
  if (members.count + invitations.count >= mostMembers) throw new Problem(teamFull)
}
