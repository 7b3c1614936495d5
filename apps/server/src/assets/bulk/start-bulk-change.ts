import { sql } from 'kysely'
import type { BulkChange, BulkPreview } from '@masthead/contract/assets/bulk/bulk'
import { confirmWord } from '@masthead/contract/assets/bulk/bulk-action'
import { bulkSelectionChanged } from '@masthead/contract/assets/problems'
import { newId } from '@masthead/contract/kernel/id'
import { invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { getBulkChange } from './bulk-queries.ts'
import { changePart, triesOfPart } from './change-part.ts'
import { chosenAssets, needAtMost, workOf, type Request } from './chosen-assets.ts'
import { countHeld } from './count-held.ts'
import { countLeaving } from './count-leaving.ts'
import { countOutcomes, previewOf } from './outcome.ts'
import type { Work } from './wish.ts'

/** So many assets are changed in one transaction: it holds their locks, and those of the account’s counts, for a fifth of a second. */
export const partSize = 500

type Built = Pick<Config, 'agentDir'>

/** What a change would do now. */
export async function previewBulkChange(tx: Tx, config: Built, actor: Actor, request: Request): Promise<BulkPreview> {
  const ids = await chosenAssets(tx, actor, request)
  const work = await workOf(tx, config, actor, request)
  const preview = previewOf(await countOutcomes(tx, actor, work, ids))
  needAtMost(preview.total)
  if (request.asset_ids) needAny(preview)
  if (work.action === 'release') return { ...preview, leaving: await countLeaving(tx, actor, ids) }
  const held = await countHeld(tx, actor, work, ids)
  return held ? { ...preview, held } : preview
}

/** None of the assets that were named is there. */
function needAny({ total, left }: BulkPreview) {
  if (left.some(({ reason, count }) => reason === 'gone' && count === total)) throw new Problem(notFound)
}

/**
 * Writes down which assets are meant, once: what matches later is not touched. Few are changed at once, many in parts by a job.
 * `count` is what whoever asks agreed to; another number by now is `bulk_selection_changed`.
 */
export async function startBulkChange(
  tx: Tx,
  config: Built,
  actor: Actor,
  request: Request & { count?: number | undefined; confirm?: string | undefined }
): Promise<BulkChange> {
  const { account_id } = actor
  const ids = await chosenAssets(tx, actor, request)
  const work = await workOf(tx, config, actor, request)
  if (request.filter && request.count === undefined) {
    throw new Problem(invalidRequest, 'Say how many assets you mean', { fields: { count: 'Say how many assets you mean' } })
  }
  const word = confirmWord[request.action]
  if (word !== undefined && request.confirm !== word) {
    const words = `Type "${word}": this cannot be taken back`
    throw new Problem(invalidRequest, words, { fields: { confirm: words } })
  }
  const id = await insertChange(tx, actor, work)
  const { rows } = await sql<{ total: number }>`with chosen as materialized (${ids}),
    placed as (select id, (row_number() over (order by id) - 1) / ${partSize}::int as part from chosen),
    made as (insert into bulk_change_part (account_id, bulk_id, part, asset_ids)
      select ${account_id}, ${id}, part, array_agg(id order by id) from placed group by part returning cardinality(asset_ids) as count)
    select coalesce(sum(count), 0)::int as total from made`.execute(tx)
  const { total } = rows[0]!
  needAtMost(total)
  if (request.filter && total !== request.count) throw new Problem(bulkSelectionChanged, changedWords(total, request.count!))
  await begin(tx, actor, { id, total, parts: Math.ceil(total / partSize) })
  const change = await getBulkChange(tx, actor, id)
  if (request.asset_ids) needAny(change)
  return change
}

/** The row of a change that is about to begin. */
export async function insertChange(tx: Tx, actor: Actor, { action, tags, params }: Work, undoes: string | null = null): Promise<string> {
  const { account_id, at, kind, email, person_id, key, ip, request_id } = actor
  const id = newId('bulk', at.getTime())
  await tx
    .insertInto('bulk_change')
    .values({
      account_id,
      id,
      action,
      undoes,
      tags: JSON.stringify(tags),
      params: JSON.stringify(params),
      actor: JSON.stringify({ kind, email, person_id, key, tags: actor.tags, ip, request_id }),
      started_at: at,
      finished_at: null,
    })
    .execute()
  return id
}

/** Few assets are changed at once, many by a job, part after part. */
export async function begin(tx: Tx, { account_id, at }: Actor, { id, total, parts }: { id: string; total: number; parts: number }) {
  await tx.updateTable('bulk_change').set({ total }).where('account_id', '=', account_id).where('id', '=', id).execute()
  const first = { account_id, bulk_id: id, part: 0 }
  if (parts > 1) await addJob(tx, 'change_assets', first, triesOfPart)
  else await changePart(tx, at, first)
}

const changedWords = (now: number, agreed: number) =>
  `${now.toLocaleString('en')} assets match now, and not ${agreed.toLocaleString('en')}. Preview the change again, then confirm it`
