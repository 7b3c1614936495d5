import { backofficeLeft } from '@masthead/contract/backoffice/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { recordStaff } from './staff-log.ts'

/** Ends every stay of this person: a token left behind in another window is worth nothing either. */
export async function leaveBackoffice(tx: Tx, actor: Actor): Promise<void> {
  // Said before the stay ends, while its reason is known.
  await recordStaff(tx, actor, backofficeLeft, {}, { account: { id: actor.account_id, email: actor.email } })
  await tx
    .updateTable('backoffice_stay')
    .set({ ended_at: actor.at })
    .where('person_id', '=', actor.person_id)
    .where('ended_at', 'is', null)
    .execute()
}
