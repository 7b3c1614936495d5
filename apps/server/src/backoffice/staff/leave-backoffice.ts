import { backofficeLeft } from '@masthead/contract/backoffice/events'
import { endStays } from '../../auth/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { recordStaff } from './staff-log.ts'

/** Ends the stays of this session: a token left behind in another window is worth nothing either. Another device is another session. */
export async function leaveBackoffice(tx: Tx, actor: Actor): Promise<void> {
  // Said before the stay ends, while its reason is known.
  await recordStaff(tx, actor, backofficeLeft, {}, { account: { id: actor.account_id, email: actor.email } })
  await endStays(tx, actor, actor.at)
}
