import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { memberLeft, teamLeft } from '@masthead/contract/teams/events'
import { ownAccount } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { endStreams } from '../../kernel/live/streams.ts'
import { endMembership } from './end-membership.ts'
import { findMember, findTeamByOwner } from '../team-queries.ts'
import { teamWords, notifyPerson } from '../notify-person.ts'

/** Ends one's own membership, whatever account one works on now. */
export async function leaveTeam(tx: Tx, actor: Actor, owner_email: string): Promise<void> {
  if (owner_email === actor.email) throw new Problem(ownAccount, 'This is your own account: you cannot leave it')
  const owner = await findTeamByOwner(tx, owner_email)
  const member = owner && (await findMember(tx, owner.account_id, actor.email))
  if (!member) throw new Problem(notFound, `You are not a member of the team of ${owner_email}`)
  await endMembership(tx, actor, owner, member.person_id)
  await record(tx, { ...actor, account_id: owner.account_id }, memberLeft, { removed_member: actor.email })
  await notifyPerson(tx, actor, { id: member.person_id, account_id: member.account_id }, teamLeft, teamWords(owner))
  await endStreams(tx, { person_id: member.person_id, account_id: owner.account_id })
}
