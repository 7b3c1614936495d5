import { sql } from 'kysely'
import { tagUnknown } from '@masthead/contract/assets/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Tag, TagColor } from '@masthead/contract/tags/tag'
import type * as z from 'zod/mini'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { mostCountedAnew, shareCount } from '../kernel/share-count.ts'

type Viewer = Pick<Actor, 'account_id' | 'tags'>
/** A tag as events tell of it. */
export type NamedTag = { tag_id: string; tag_name: string }

/** The tags a viewer may know of: all of the account, or the ones that limit them. */
const tagsOf = (db: Db, { account_id, tags }: Viewer) => {
  const all = db.selectFrom('tag').where('tag.account_id', '=', account_id)
  return tags.length === 0 ? all : all.where('tag.id', 'in', tags)
}

/** All tags by name, with how many assets have each. Of a large account the counts are shared for a while. */
export async function listTags(db: Db, viewer: Viewer): Promise<Tag[]> {
  const tags = await namedTags(db, viewer).execute()
  const { account_id } = viewer
  const isShared = viewer.tags.length === 0 && (await isLarge(db, account_id))
  return withCounts(
    tags,
    await (isShared ? shareCount(`tags ${account_id}`, () => countTagged(db, account_id)) : countTagged(db, account_id, tags))
  )
}

export async function getTag(db: Db, viewer: Viewer, id: string): Promise<Tag> {
  const tags = await namedTags(db, viewer).where('tag.id', '=', id).execute()
  const [tag] = withCounts(tags, await countTagged(db, viewer.account_id, tags))
  if (!tag) throw new Problem(notFound)
  return tag
}

const namedTags = (db: Db, viewer: Viewer) =>
  tagsOf(db, viewer)
    .select(['tag.id', 'tag.name'])
    .select((eb) => eb.ref('tag.color').$castTo<z.output<typeof TagColor>>().as('color'))
    .orderBy((eb) => eb.fn('lower', ['tag.name']))

/** How many assets have each tag that any has. */
async function countTagged(db: Db, account_id: string, among?: readonly { id: string }[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('asset_tag')
    .select((eb) => ['tag_id', eb.fn.countAll<number>().as('count')])
    .where('account_id', '=', account_id)
    .$if(among !== undefined, (some) => some.where(sql<boolean>`tag_id = any(${among!.map(({ id }) => id)}::text[])`))
    .groupBy('tag_id')
    .execute()
  return new Map(rows.map(({ tag_id, count }) => [tag_id, count]))
}

const withCounts = (tags: readonly Omit<Tag, 'asset_count'>[], counts: ReadonlyMap<string, number>): Tag[] =>
  tags.map((tag) => ({ ...tag, asset_count: counts.get(tag.id) ?? 0 }))

const isLarge = async (db: Db, account_id: string): Promise<boolean> => {
  const { rows } = await sql<{ count: number }>`select coalesce(sum(count), 0)::bigint as count from asset_count
    where account_id = ${account_id}`.execute(db)
  return rows[0]!.count > mostCountedAnew
}

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
