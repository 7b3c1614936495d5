import { sql } from 'kysely'
import { tagAssigned, tagUnassigned } from '@masthead/contract/tags/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { recordMany } from '../kernel/record.ts'
import type { NamedTag } from './tag-queries.ts'

type NamedAsset = { asset_id: string; asset_name: string }
type Pair = { asset_id: string; tag_id: string }

/** Gives these tags to many assets. Returns the ids of those that had not all of them; a tag that has gone meanwhile is simply not given. */
export async function tagAssets(tx: Tx, actor: Actor, assets: readonly NamedAsset[], tags: readonly NamedTag[]): Promise<Set<string>> {
  const { account_id } = actor
  // In the order of the key, so that two that give the same tags wait for each other and never in a ring.
  const { rows } = await sql<Pair>`with given as materialized (
      select id from tag where account_id = ${account_id} and id = any(${idsOf(tags)}::text[]) order by id for key share)
    insert into asset_tag (account_id, asset_id, tag_id)
    select ${account_id}, asset_id, given.id from unnest(${assets.map((asset) => asset.asset_id)}::text[]) as meant (asset_id), given
    order by asset_id, given.id on conflict do nothing returning asset_id, tag_id`.execute(tx)
  return recordTags(tx, actor, tagAssigned, { assets, tags, pairs: rows })
}

/** Takes these tags off many assets. Returns the ids of those that had any of them. */
export async function untagAssets(tx: Tx, actor: Actor, assets: readonly NamedAsset[], tags: readonly NamedTag[]): Promise<Set<string>> {
  const { account_id } = actor
  const meant = sql`account_id = ${account_id} and asset_id = any(${assets.map((asset) => asset.asset_id)}::text[])
    and tag_id = any(${idsOf(tags)}::text[])`
  await sql`select from asset_tag where ${meant} order by asset_id, tag_id for update`.execute(tx)
  const { rows } = await sql<Pair>`delete from asset_tag where ${meant} returning asset_id, tag_id`.execute(tx)
  return recordTags(tx, actor, tagUnassigned, { assets, tags, pairs: rows })
}

const idsOf = (tags: readonly NamedTag[]) => tags.map((tag) => tag.tag_id)

type Changed = { assets: readonly NamedAsset[]; tags: readonly NamedTag[]; pairs: readonly Pair[] }

async function recordTags(tx: Tx, actor: Actor, kind: typeof tagAssigned, { assets, tags, pairs }: Changed) {
  const names = new Map(assets.map((asset) => [asset.asset_id, asset.asset_name]))
  const tagNames = new Map(tags.map((tag) => [tag.tag_id, tag.tag_name]))
  await recordMany(
    tx,
    actor,
    kind,
    pairs.map(({ asset_id, tag_id }) => ({ asset_id, asset_name: names.get(asset_id)!, tag_id, tag_name: tagNames.get(tag_id)! }))
  )
  return new Set(pairs.map((pair) => pair.asset_id))
}
