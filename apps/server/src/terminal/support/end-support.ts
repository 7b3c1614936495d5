import { supportEnded } from '@masthead/contract/terminal/events'
import type { SupportEnd } from '@masthead/contract/terminal/support'
import { staffActed } from '@masthead/contract/signals'
import { systemActor, type Actor, type App, type Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { record } from '../../kernel/record.ts'
import type { SupportRow } from './support-queries.ts'

/** Notifies the console of the person of support who asked. */
export const notifyAsker = (tx: Tx, { staff_person_id }: Pick<SupportRow, 'staff_person_id'>) => publish(tx, [staff_person_id], staffActed)

type Named = Pick<SupportRow, 'id' | 'asset_id' | 'asset_name' | 'staff_email'>
export const namedOf = ({ id, asset_id, asset_name, staff_email }: Named) => ({ support_id: id, asset_id, asset_name, staff_email })

/** Writes that an access is over. A terminal that is open by it ends by itself, within a second. */
export async function setOver(
  tx: Tx,
  { account_id, id }: Pick<SupportRow, 'account_id' | 'id'>,
  ended: { at: Date; by: string | null; reason: SupportEnd; words?: string | null }
): Promise<void> {
  const { at, by, reason, words = null } = ended
  await tx
    .updateTable('support_access')
    .set({ state: 'over', ended_at: at, ended_by: by, end_reason: reason, words })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

/** The same, with its event on the account. */
export async function endWith(tx: Tx, actor: Actor, row: SupportRow, reason: SupportEnd): Promise<void> {
  await setOver(tx, row, { at: actor.at, by: actor.kind === 'system' ? null : actor.email, reason })
  await record(tx, actor, supportEnded, { ...namedOf(row), reason })
  await notifyAsker(tx, row)
}

/** Ends what support has by the standing consent, with which nobody said yes to it; on one device, or on all. */
export async function endStanding(tx: Tx, actor: Actor, reason: SupportEnd, asset_id?: string): Promise<void> {
  const had = await tx
    .selectFrom('support_access')
    .selectAll()
    .where('account_id', '=', actor.account_id)
    .$if(asset_id !== undefined, (some) => some.where('asset_id', '=', asset_id!))
    .where('state', '=', 'allowed')
    .where('standing', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const row of had) await endWith(tx, actor, row, reason)
}

/** Ends what nobody answered, and what had its time. */
export async function endSupportInTime({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const due = await db
    .selectFrom('support_access')
    .select(['account_id', 'id'])
    .where('state', '<>', 'over')
    .where('until', '<=', at)
    .limit(200)
    .execute()
  for (const { account_id, id } of due)
    await db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('support_access')
        .selectAll()
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .where('state', '<>', 'over')
        .where('until', '<=', at)
        .forUpdate()
        .executeTakeFirst()
      if (row) await endWith(tx, systemActor(account_id, at), row, row.state === 'asked' ? 'unanswered' : 'time_over')
    })
}
