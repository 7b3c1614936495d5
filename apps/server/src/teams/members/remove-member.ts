import { Problem } from '@masthead/contract/kernel/problem'
import { memberRemoved, teamMembershipEnded } from '@masthead/contract/teams/events'
import { ownMembership } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { endMembership } from './end-membership.ts'
import { refuseOwnRow, refuseStrongerMember } from '../may-grant.ts'
import { getMember, lockTeam, rightsNow } from '../team-queries.ts'
import { teamWords, notifyPerson } from '../notify-person.ts'

/** Removes a member from the team: their next request, and every stream they have open, is without it. */
export async function removeMember(tx: Tx, actor: Actor, email: string): Promise<void> {
  const owner = await lockTeam(tx, actor.account_id)
  const rights = await rightsNow(tx, actor)
  if (email === actor.email && email !== owner.email) throw new Problem(ownMembership, 'To leave the team yourself, use your profile')
  refuseOwnRow(actor, owner, email)
  const member = await getMember(tx, owner.account_id, email)
  refuseStrongerMember(rights, member)
  await endMembership(tx, actor, owner, member.person_id)
  await record(tx, actor, memberRemoved, { removed_member: email })
  await notifyPerson(tx, actor, { id: member.person_id, account_id: member.account_id }, teamMembershipEnded, teamWords(owner))
  await endStreams(tx, { person_id: member.person_id, account_id: owner.account_id })
}
