import { invitationRevoked } from '@masthead/contract/teams/events'
import { updateInvitation } from '@masthead/contract/teams/operations'
import { actorMay, type Actor, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { covers } from '../may-grant.ts'
import type { Owner, Rights } from '../team-queries.ts'
import { notifyInvited } from './notify-invited.ts'

/** Takes back what a person offered and may no longer: their grants do not outlive their rights. `rights` null: they have none. */
export async function withdrawBeyond(tx: Tx, actor: Actor, owner: Owner, inviter_id: string, rights: Rights | null): Promise<void> {
  const offered = await tx
    .selectFrom('invitation')
    .select(['email', 'permissions', 'tags'])
    .where('account_id', '=', owner.account_id)
    .where('inviter_id', '=', inviter_id)
    .orderBy('email')
    .execute()
  const still = rights && actorMay(rights, updateInvitation.access) ? rights : null
  for (const { email, ...granted } of offered) {
    if (!still || !covers(still, granted)) await withdrawInvitation(tx, actor, owner, email)
  }
}

/** Takes an invitation back. */
export async function withdrawInvitation(tx: Tx, actor: Actor, owner: Owner, email: string): Promise<void> {
  await tx.deleteFrom('invitation').where('account_id', '=', owner.account_id).where('email', '=', email).execute()
  await record(tx, { ...actor, account_id: owner.account_id }, invitationRevoked, { removed_member: email })
  await notifyInvited(tx, actor, owner, email, 'withdrawn')
}
