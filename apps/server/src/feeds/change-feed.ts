import type { addFeed as addOp, updateFeed as updateOp } from '@masthead/contract/backoffice/feed-operations'
import { feedFolderTaken } from '@masthead/contract/backoffice/problems'
import { feedAdded, feedChanged, feedKeyChanged } from '@masthead/contract/backoffice/staff-actions'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { recordStaff } from '../backoffice/index.ts'
import type { Actor, Tx } from '../kernel/app.ts'
import { makeFeedKey } from './feed-key.ts'

const feedId = idKind('fed')

/** What a feed reports is of whatever time it says, and not of the time since it was added. */
const ofAnyTime = new Date(0)

/** A program or a folder may report from now on. Throws feed_folder_taken. */
export async function addFeed(tx: Tx, actor: Actor, body: Parsed<typeof addOp>['body']): Promise<{ id: string; key: string }> {
  const id = newId(feedId, actor.at.getTime())
  const { key, prefix, hash } = makeFeedKey()
  await refuseTaken(tx, id, body.folder)
  await tx.insertInto('gateway').values({ id, name: body.name, of_feed: true, created_at: ofAnyTime }).execute()
  await tx
    .insertInto('feed')
    .values({ id, ...body, key_hash: hash, key_prefix: prefix, created_at: actor.at, created_by: actor.email })
    .execute()
  await recordStaff(tx, actor, feedAdded, { name: body.name }, { target: body.name, after: body })
  return { id, key }
}

/** What is as wanted already is no change. Throws not_found, feed_folder_taken. */
export async function updateFeed(
  tx: Tx,
  actor: Actor,
  id: string,
  { disabled, ...wanted }: Parsed<typeof updateOp>['body']
): Promise<void> {
  const { name, folder, silent_after_minutes, disabled_at } = await getFeedForUpdate(tx, id)
  const before = { name, folder, silent_after_minutes, disabled: disabled_at !== null }
  const given = Object.fromEntries(Object.entries({ ...wanted, disabled }).filter(([, value]) => value !== undefined))
  const after = { ...before, ...given }
  if (JSON.stringify(after) === JSON.stringify(before)) return
  if (after.folder !== folder) await refuseTaken(tx, id, after.folder)
  const { disabled: isOff, ...row } = after
  const off = isOff ? (disabled_at ?? actor.at) : null
  await tx
    .updateTable('feed')
    .set({ ...row, disabled_at: off, ...(after.folder !== folder && { folder_failure: null, folder_failed_at: null }) })
    .where('id', '=', id)
    .execute()
  await tx.updateTable('gateway').set({ name: after.name }).where('id', '=', id).execute()
  await recordStaff(tx, actor, feedChanged, { name: after.name }, { target: after.name, before, after })
}

/** What comes with the key before is refused. Keys stand in no log. Throws not_found. */
export async function rotateFeedKey(tx: Tx, actor: Actor, id: string): Promise<string> {
  const { name } = await getFeedForUpdate(tx, id)
  const { key, prefix, hash } = makeFeedKey()
  await tx.updateTable('feed').set({ key_hash: hash, key_prefix: prefix }).where('id', '=', id).execute()
  await recordStaff(tx, actor, feedKeyChanged, { name }, { target: name })
  return key
}

async function getFeedForUpdate(tx: Tx, id: string) {
  const row = await tx.selectFrom('feed').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

async function refuseTaken(tx: Tx, id: string, folder: string | null) {
  if (folder === null) return
  const other = await tx.selectFrom('feed').select('name').where('folder', '=', folder).where('id', '<>', id).executeTakeFirst()
  const words = `The folder ${folder} is that of the feed ${other?.name}`
  if (other) throw new Problem(feedFolderTaken, words, { fields: { folder: words } })
}
