import { invitationMoved } from '@masthead/contract/teams/events'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { findInvitation, lockTeam } from '../team-queries.ts'

/**
 * Pending invitations follow a person from one e-mail address to another: they stay theirs, and whoever has the old address next gets none.
 * Call it only where the old address was proven to be theirs; else somebody could carry off what others were invited to.
 */
export async function moveInvitations(tx: Tx, actor: Actor, from: string, to: string): Promise<void> {
  const pending = await tx.selectFrom('invitation').select('account_id').where('email', '=', from).orderBy('account_id').execute()
  for (const { account_id } of pending) {
    await lockTeam(tx, account_id)
    // It may have been taken back meanwhile.
    if (!(await findInvitation(tx, account_id, from))) continue
    const pair = { account_id, email: from }
    const taken = await findInvitation(tx, account_id, to)
    if (taken)
      await tx
        .deleteFrom('invitation')
        .where((eb) => eb.and(pair))
        .execute()
    else
      await tx
        .updateTable('invitation')
        .set({ email: to })
        .where((eb) => eb.and(pair))
        .execute()
    await record(tx, { ...actor, account_id }, invitationMoved, { old_email: from, new_email: to })
  }
}
