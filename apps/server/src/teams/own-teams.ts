import type { Invitation, Membership } from '@masthead/contract/teams/team'
import type { Actor, Db } from '../kernel/app.ts'
import { tagNamesOf } from '../tags/index.ts'

/** Invitations waiting for the person's answer, oldest first, and whether they may accept without a link. */
export async function listInvitations(db: Db, { email, person_id, at }: Actor): Promise<{ items: Invitation[]; email_proven: boolean }> {
  const { email_proven_at } = await db.selectFrom('person').select('email_proven_at').where('id', '=', person_id).executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('invitation')
    .innerJoin('account', 'account.id', 'invitation.account_id')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
    .select(['owner.email', 'account.team_name', 'invitation.permissions', 'invitation.tags as ids', 'invitation.invited_by'])
    .select(['invitation.created_at', 'invitation.expires_at', tagNamesOf('invitation').as('tags')])
    .where('invitation.email', '=', email)
    .where('invitation.expires_at', '>', at)
    .orderBy('invitation.created_at')
    .execute()
  const items = rows.map(({ ids, created_at, expires_at, ...invitation }) => ({
    ...invitation,
    limited: ids.length > 0,
    invited_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }))
  return { items, email_proven: email_proven_at !== null }
}

/** Teams that the person is a member of, by name. */
export async function listMemberships(db: Db, { person_id }: Actor): Promise<Membership[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('account', 'account.id', 'membership.account_id')
    .innerJoin('person as owner', 'owner.account_id', 'account.id')
    .select(['owner.email', 'account.team_name', 'membership.permissions', 'membership.tags as ids', 'membership.created_at'])
    .select(tagNamesOf('membership').as('tags'))
    .where('membership.person_id', '=', person_id)
    .orderBy((eb) => eb.fn('lower', ['account.team_name']))
    .orderBy('owner.email')
    .execute()
  return rows.map(({ ids, created_at, ...membership }) => ({ ...membership, limited: ids.length > 0, joined_at: created_at.toISOString() }))
}
