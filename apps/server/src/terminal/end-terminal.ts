import { terminalFailed } from '@masthead/contract/terminal/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getTerminal } from './terminal-queries.ts'

/** Ends a session: at once where nobody holds it yet, else by whoever does, within a second. */
export async function endTerminal(tx: Tx, actor: Actor, id: string): Promise<void> {
  const session = await getTerminal(tx, actor, id)
  const { account_id, at, email } = actor
  const ours = tx.updateTable('terminal_session').where('account_id', '=', account_id).where('id', '=', id).where('state', '<>', 'ended')
  const unheld = await ours
    .set({ state: 'ended', ended_at: at, end_reason: 'ended', ended_by: email })
    .where('held_by', 'is', null)
    .executeTakeFirst()
  if (unheld.numUpdatedRows > 0n) {
    const { asset_id, asset_name } = session
    await record(tx, actor, terminalFailed, { asset_id, asset_name, terminal_id: id, reason: 'ended' })
  } else await ours.set({ end_asked_by: email }).execute()
}
