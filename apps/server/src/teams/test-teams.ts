import type { House, Person } from '@masthead/testkit/house'
import type { Sample, Scene } from '../test-samples.ts'

const day = 86_400_000

/** Adds an invitation as if its owner had made it. */
export const addInvitation = (house: House, owner: Person, email: string, permissions: string[] = [], tags: string[] = []) =>
  house.db
    .insertInto('invitation')
    .values({
      account_id: owner.account_id,
      email,
      permissions,
      tags,
      invited_by: owner.email,
      created_at: house.clock.now(),
      expires_at: new Date(house.clock.now().getTime() + 7 * day),
    })
    .execute()

/** A member and an invited person of the team; the owner is a member of, and invited to, teams of others. */
export async function addTeam(house: House, owner: Person) {
  const [member, left, host, second] = [
    await house.newMember(owner, []),
    await house.newMember(owner, []),
    await house.newOwner(),
    await house.newOwner(),
  ]
  const invited = `invited-${member.email}`
  await addInvitation(house, owner, invited)
  for (const other of [host, second]) await addInvitation(house, other, owner.email, ['assets.view'])
  const team = await house.newOwner('Team')
  const { id: person_id } = await house.db.selectFrom('person').select('id').where('email', '=', owner.email).executeTakeFirstOrThrow()
  await house.db.insertInto('membership').values({ account_id: team.account_id, person_id, permissions: [] }).execute()
  return { member: member.email, left: left.email, invited, host: host.email, second: second.email, team: team.email }
}

/** A request of each call on a scene's team. */
export const teamSamples: Record<string, (scene: Scene) => Sample> = {
  'teams.updateInvitation': ({ team }) => ({
    body: { email: team.invited, permissions: ['profile.edit'], tags: [] },
    other: { email: team.invited, permissions: [], tags: [] },
  }),
  'teams.resendInvitation': ({ team }) => ({ body: { email: team.invited }, other: { email: 'nobody@example.test' } }),
  'teams.makeInvitationLink': ({ team }) => ({ body: { email: team.invited }, other: { email: 'nobody@example.test' } }),
  'teams.deleteInvitation': ({ team }) => ({ params: { invited_email: team.invited }, other: { invited_email: 'nobody@example.test' } }),
  'teams.removeMember': ({ team }) => ({ params: { member_email: team.member }, other: { member_email: team.left } }),
  'teams.approveInvitation': ({ team }) => ({ body: { inviter_email: team.host }, other: { inviter_email: team.second } }),
  'teams.rejectInvitation': ({ team }) => ({ body: { inviter_email: team.host }, other: { inviter_email: team.second } }),
  'teams.leaveTeam': ({ team }) => ({ body: { owner_email: team.team }, other: { owner_email: team.host } }),
}
