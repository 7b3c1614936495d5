import type { UserInfo } from '@masthead/contract/auth/user-info'
import type { Actor, Db } from '../kernel/app.ts'
import { tagNamesOf } from '../tags/index.ts'

/**
 * Who is signed in. All of it is of the person and of their own account, also while they act on another: `acting_as` alone says so,
 * and the permissions on that account stand with it in `member_of` (spec §5, step 4).
 */
export async function getUserInfo(db: Db, actor: Actor): Promise<UserInfo> {
  const { person_id, account_id, at } = actor
  const person = await db
    .selectFrom('person')
    .innerJoin('account', 'account.id', 'person.account_id')
    .select(['person.account_id', 'person.email', 'account.team_name', 'person.groups', 'person.permissions'])
    .where('person.id', '=', person_id)
    .executeTakeFirstOrThrow()
  const member_of = withViewed(
    actor,
    await listMemberships(db, person_id),
    actor.kind === 'staff' ? await findOwner(db, account_id) : undefined
  )
  return {
    email: person.email,
    team_name: person.team_name,
    groups: person.groups,
    permissions: person.permissions,
    acting_as: member_of.find((owner) => owner.account_id === account_id)?.email ?? null,
    member_of: member_of.map(({ email, team_name, permissions }) => ({ email, team_name, permissions: [...permissions] })),
    pending_invitations_from: await listInvitations(db, person.email, at),
    team_members: await listTeamMembers(db, person.account_id),
  }
}

type Membership = { account_id: string; email: string; team_name: string; permissions: readonly string[] }

/** Staff who look at a customer's account are there as somebody who may see everything. */
const withViewed = ({ account_id, permissions }: Actor, member_of: Membership[], owner: { email: string; team_name: string } | undefined) =>
  owner
    ? [
        ...member_of.filter((each) => each.account_id !== account_id),
        { account_id, ...owner, permissions: permissions === 'all' ? [] : permissions },
      ]
    : member_of

const findOwner = (db: Db, account_id: string) =>
  db
    .selectFrom('account')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
    .select(['owner.email', 'account.team_name'])
    .where('account.id', '=', account_id)
    .executeTakeFirst()

/** The accounts a person may act on, by their owner. */
const listMemberships = (db: Db, person_id: string) =>
  db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
    .select(['membership.account_id', 'owner.email', 'account.team_name', 'membership.permissions'])
    .where('membership.person_id', '=', person_id)
    .orderBy('owner.email')
    .execute()

const listInvitations = (db: Db, email: string, at: Date) =>
  db
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.account_id')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
    .select(['owner.email', 'account.team_name'])
    .where('invitation.email', '=', email)
    .where('invitation.expires_at', '>', at)
    .orderBy('invitation.created_at')
    .execute()

/** Tags by name: the console shows them so, and ids of tags that are gone have none. */
const listTeamMembers = (db: Db, account_id: string) =>
  db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'membership.person_id')
    .select(['person.email', 'membership.permissions', tagNamesOf('membership').as('tags')])
    .where('membership.account_id', '=', account_id)
    .orderBy('person.email')
    .execute()
