import { newId } from '@masthead/contract/kernel/id'
import { retentionEnded, retentionSet } from '@masthead/contract/registry/events'
import { retentionId, type Retention, type SetRetentionBody } from '@masthead/contract/registry/retention'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { needSlug } from '../content/slug.ts'
import { needService } from '../suspended.ts'
import { getRules, getScope, listRetention } from './retention-queries.ts'

/** Sets a rule, or ends it. Throws not_found. */
export async function setRetention(tx: Tx, actor: Actor, { repository, rule }: SetRetentionBody): Promise<{ items: Retention[] }> {
  await needService(tx, actor)
  const { account_id, at, email } = actor
  const scope = await getScope(tx, actor, repository)
  await needSlug(tx, account_id, at)
  const repository_id = scope?.repository_id ?? null
  const before = (await getRules(tx, account_id)).get(repository_id)
  if (JSON.stringify(before) === JSON.stringify(rule ?? undefined)) return listRetention(tx, actor)
  if (before)
    await tx
      .deleteFrom('registry_retention')
      .where('account_id', '=', account_id)
      .where('repository_id', 'is not distinct from', repository_id)
      .execute()
  if (rule)
    await tx
      .insertInto('registry_retention')
      .values({ account_id, id: newId(retentionId, at.getTime()), repository_id, ...rule, changed_at: at, changed_by: email })
      .execute()
  await record(tx, actor, rule ? retentionSet : retentionEnded, { repository: scope?.name ?? null })
  return listRetention(tx, actor)
}
