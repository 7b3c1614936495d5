import { tagAssigned, tagUnassigned } from '@masthead/contract/tags/events'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { tagsOfAsset, type NamedTag } from './tag-queries.ts'

/**
 * Gives an asset exactly these tags. Of a limited member only their own tags are meant: others on the asset stay,
 * and one of theirs must stay, or they would not see the asset any more.
 */
export async function setTags(
  tx: Tx,
  actor: Actor,
  asset: { asset_id: string; asset_name: string },
  wanted: readonly NamedTag[]
): Promise<void> {
  if (actor.tags.length > 0 && wanted.length === 0) {
    const words = 'Keep at least one of your tags, or you would no longer see the asset'
    throw new Problem(invalidRequest, words, { fields: { tags: words } })
  }
  const present = await tagsOfAsset(tx, actor, asset.asset_id)
  const added = wanted.filter((tag) => !present.some((each) => each.tag_id === tag.tag_id))
  const removed = present.filter((tag) => !wanted.some((each) => each.tag_id === tag.tag_id))
  const { account_id } = actor
  const { asset_id } = asset
  if (added.length > 0 && removed.length > 0) await lockCounts(tx, actor, [...added, ...removed])
  if (added.length > 0) {
    // Selected, not just written: a tag that goes at this very moment is simply not given.
    await tx
      .insertInto('asset_tag')
      .columns(['account_id', 'tag_id', 'asset_id'])
      .expression((eb) =>
        eb
          .selectFrom('tag')
          .select(['account_id', 'id', eb.val(asset_id).as('asset_id')])
          .where('account_id', '=', account_id)
          .where(
            'id',
            'in',
            added.map((tag) => tag.tag_id)
          )
          .forKeyShare()
      )
      .execute()
  }
  if (removed.length > 0) {
    const ids = removed.map((tag) => tag.tag_id)
    await tx
      .deleteFrom('asset_tag')
      .where('account_id', '=', account_id)
      .where('asset_id', '=', asset_id)
      .where('tag_id', 'in', ids)
      .execute()
  }
  for (const tag of added) await record(tx, actor, tagAssigned, { ...asset, ...tag })
  for (const tag of removed) await record(tx, actor, tagUnassigned, { ...asset, ...tag })
}

/** What is given and what is taken off is counted in turn: two who swap the same tags on two assets must not wait for each other in a ring. */
const lockCounts = (tx: Tx, { account_id }: Actor, tags: readonly NamedTag[]) =>
  tx
    .selectFrom('tag')
    .select('id')
    .where('account_id', '=', account_id)
    .where(
      'id',
      'in',
      tags.map((tag) => tag.tag_id)
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
