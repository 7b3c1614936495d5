import { supportConsentSet } from '@masthead/contract/terminal/events'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { endWith } from './end-support.ts'

export async function getSupportConsent(db: Db, { account_id }: Pick<Actor, 'account_id'>): Promise<{ standing: boolean }> {
  const { support_consent } = await db
    .selectFrom('account')
    .select('support_consent')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return { standing: support_consent }
}

/** Withdrawn, it ends what was had by it. Set as it is already, it changes nothing. */
export async function updateSupportConsent(tx: Tx, actor: Actor, standing: boolean): Promise<{ standing: boolean }> {
  const { account_id } = actor
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ support_consent: standing })
    .where('id', '=', account_id)
    .where('support_consent', '<>', standing)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return { standing }
  await record(tx, actor, supportConsentSet, { standing })
  if (standing) return { standing }
  const had = await tx
    .selectFrom('support_access')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('state', '=', 'allowed')
    .where('standing', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const row of had) await endWith(tx, actor, row, 'consent_withdrawn')
  return { standing }
}
