import { sql } from 'kysely'
import { tagUnknown } from '@masthead/contract/assets/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Tag, TagColor } from '@masthead/contract/tags/tag'
import type * as z from 'zod/mini'
import type { Actor, Db, Tx } from '../kernel/app.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags'>
/** A tag as events name it. */
export type NamedTag = { tag_id: string; tag_name: string }

/** The tags a viewer may know of: all of the account, or the ones that limit them. */
const tagsOf = (db: Db, { account_id, tags }: Viewer) => {
  const all = db.selectFrom('tag').where('tag.account_id', '=', account_id)
  return tags.length === 0 ? all : all.where('tag.id', 'in', tags)
}

/** All tags by name, with how many assets have each. */
export const listTags = (db: Db, viewer: Viewer): Promise<Tag[]> =>
  countedTags(db, viewer)
    .orderBy((eb) => eb.fn('lower', ['tag.name']))
    .execute()

export async function getTag(db: Db, viewer: Viewer, id: string): Promise<Tag> {
  const tag = await countedTags(db, viewer).where('tag.id', '=', id).executeTakeFirst()
  if (!tag) throw new Problem(notFound)
  return tag
}

const countedTags = (db: Db, viewer: Viewer) =>
  tagsOf(db, viewer)
    .select(['tag.id', 'tag.name', 'tag.asset_count'])
    .select((eb) => eb.ref('tag.color').$castTo<z.output<typeof TagColor>>().as('color'))

/** The tags meant by ids or names, each once. A limited member knows only theirs. */
export async function getTagsByWord(db: Db, viewer: Viewer, words: readonly string[]): Promise<NamedTag[]> {
  if (words.length === 0) return []
  const rows = await sql<{ word: string; tag_id: string | null; tag_name: string }>`
    select word, tag.id as tag_id, tag.name as tag_name
    from unnest(${words}::text[]) with ordinality as given (word, position)
    left join lateral (${tagsOf(db, viewer)
      .select(['tag.id', 'tag.name'])
      .where(sql<boolean>`(tag.id = word or lower(tag.name) = lower(trim(word)))`)
      .orderBy(sql`tag.id = word`, 'desc')
      .limit(1)}) tag on true order by position`.execute(db)
  const missing = rows.rows.find((row) => row.tag_id === null)
  if (missing) throw new Problem(tagUnknown, `There is no tag "${missing.word}"`, { fields: { tags: `There is no tag "${missing.word}"` } })
  return [...new Map(rows.rows.map(({ tag_id, tag_name }) => [tag_id, { tag_id: tag_id!, tag_name }])).values()]
}

/** The ids of the tags meant by ids or names; what there is no tag for is left out. */
export async function findTagIds(db: Db, viewer: Viewer, words: readonly string[]): Promise<string[]> {
  const rows = await tagsOf(db, viewer)
    .select('tag.id')
    .where(
      sql<boolean>`(tag.id = any(${words}::text[]) or lower(tag.name) = any(array(select lower(trim(w)) from unnest(${words}::text[]) w)))`
    )
    .execute()
  return rows.map((row) => row.id)
}

/** The tags of an asset that the viewer knows of. */
export const tagsOfAsset = (tx: Tx, viewer: Viewer, asset_id: string): Promise<NamedTag[]> =>
  tagsOf(tx, viewer)
    .innerJoin('asset_tag as on_asset', (join) =>
      join.onRef('on_asset.account_id', '=', 'tag.account_id').onRef('on_asset.tag_id', '=', 'tag.id')
    )
    .select(['tag.id as tag_id', 'tag.name as tag_name'])
    .where('on_asset.asset_id', '=', asset_id)
    .execute()
