import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import { newId } from '@masthead/contract/kernel/id'
import { tagCreated, tagDeleted, tagUpdated } from '@masthead/contract/tags/events'
import { mostTags, tagNameTaken, tooManyTags } from '@masthead/contract/tags/operations'
import { type Tag, TagColor } from '@masthead/contract/tags/tag'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { forgetTag } from '../teams/index.ts'
import { getTag } from './tag-queries.ts'

type Color = z.output<typeof TagColor>

/** Makes a tag; without a colour it gets the one after the newest tag's. */
export async function createTag(tx: Tx, actor: Actor, { name, color }: { name: string; color?: Color | undefined }): Promise<Tag> {
  refuseLimited(actor)
  const { account_id } = actor
  // One at a time on an account, so that neither the limit nor the turn of colours is run over.
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const tags = await tx.selectFrom('tag').select('color').where('account_id', '=', account_id).orderBy('created_at').orderBy('id').execute()
  if (tags.length >= mostTags) throw new Problem(tooManyTags)
  const id = newId('tag', actor.at.getTime())
  const next = TagColor.options[(TagColor.options.indexOf(tags.at(-1)?.color as Color) + 1) % TagColor.options.length]!
  const made = await tx
    .insertInto('tag')
    .values({ account_id, id, name, color: color ?? next, created_at: actor.at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw new Problem(tagNameTaken, `There is a tag "${name}" already`)
  await record(tx, actor, tagCreated, { tag_id: id, tag_name: name })
  return getTag(tx, actor, id)
}

/** Renames or recolours a tag. */
export async function updateTag(
  tx: Tx,
  actor: Actor,
  id: string,
  { name, color }: { name?: string | undefined; color?: Color | undefined }
): Promise<Tag> {
  refuseLimited(actor)
  const tag = await getTagForUpdate(tx, actor, id)
  const changed = { name: name ?? tag.name, color: color ?? tag.color }
  if (changed.name !== tag.name || changed.color !== tag.color) {
    const taken = await tx
      .selectFrom('tag')
      .select('id')
      .where('account_id', '=', actor.account_id)
      .where('id', '<>', id)
      .where((eb) => eb(eb.fn('lower', ['name']), '=', eb.fn('lower', [eb.val(changed.name)])))
      .executeTakeFirst()
    if (taken) throw new Problem(tagNameTaken, `There is a tag "${changed.name}" already`)
    await tx.updateTable('tag').set(changed).where('account_id', '=', actor.account_id).where('id', '=', id).execute()
    await record(tx, actor, tagUpdated, { tag_id: id, tag_name: changed.name, old_name: tag.name, new_name: changed.name })
  }
  return getTag(tx, actor, id)
}

/** Deletes a tag; it leaves its assets, and they the data pools it brought them to, by a job. A member it limited beside other tags sees fewer assets from now on; one it alone limits keeps it. */
export async function deleteTag(tx: Tx, actor: Actor, id: string): Promise<void> {
  refuseLimited(actor)
  const tag = await getTagForUpdate(tx, actor, id)
  await forgetTag(tx, actor, tag)
  await tx.deleteFrom('tag').where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  await record(tx, actor, tagDeleted, { tag_id: id, tag_name: tag.name })
}

/** Tags say which assets a limited member may see, so a limited member does not change them. */
function refuseLimited(actor: Actor) {
  if (actor.tags.length > 0) throw new Problem(forbidden, 'Your access is limited to some tags, so you cannot change tags')
}

async function getTagForUpdate(tx: Tx, { account_id }: Actor, id: string) {
  // Locks the account first, as createTag does: two who take the same name come one after the other.
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const tag = await tx
    .selectFrom('tag')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!tag) throw new Problem(notFound)
  return tag
}
