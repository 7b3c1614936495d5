import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import { supportConsentSet } from '@masthead/contract/terminal/events'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { endStanding } from './end-support.ts'

type Consent = { standing: boolean; limited: boolean }

export async function getSupportConsent(db: Db, { account_id, tags }: Pick<Actor, 'account_id' | 'tags'>): Promise<Consent> {
  const { support_consent } = await db
    .selectFrom('account')
    .select('support_consent')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return { standing: support_consent, limited: tags.length > 0 }
}

/** Withdrawn, it ends what was had by it. Set as it is already, it changes nothing. It is for all devices: throws forbidden for a limited member. */
export async function updateSupportConsent(tx: Tx, actor: Actor, standing: boolean): Promise<Consent> {
  const { account_id, tags } = actor
  if (tags.length > 0) throw new Problem(forbidden, 'Your access is limited to some tags, and this is for all devices')
  const set = { standing, limited: false }
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ support_consent: standing })
    .where('id', '=', account_id)
    .where('support_consent', '<>', standing)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return set
  await record(tx, actor, supportConsentSet, { standing })
  if (!standing) await endStanding(tx, actor, 'consent_withdrawn')
  return set
}
