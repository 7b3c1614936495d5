import type { Asset } from '@masthead/contract/assets/asset'
import type { TagColor } from '@masthead/contract/tags/tag'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type * as z from 'zod/mini'
import type { Db } from '../kernel/app.ts'
import { liveSessionsOf } from './session-queries.ts'
import { simRowsOf, toSim } from './sim-row.ts'
import { anyOf, type Viewer } from './viewer.ts'

/**
 * Assets in full, in the order of the ids: a handful of queries by id, however large the account.
 * Who may see them was decided when the ids were found.
 */
export async function assetsByIds(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Asset[]> {
  if (ids.length === 0) return []
  const assets = await db
    .selectFrom('asset')
    .select(['id', 'name', 'type', 'serial', 'created_at', 'sim_id'])
    .where('account_id', '=', viewer.account_id)
    .where('id', '=', anyOf(ids))
    .execute()
  const sims = await simRowsOf(db, viewer, ids)
  const sessions = await liveSessionsOf(db, viewer, sims)
  const tags = Map.groupBy(await tagsOf(db, viewer, ids), (tag) => tag.asset_id)
  const simsByAsset = Map.groupBy(sims, (sim) => sim.asset_id)
  const assetById = new Map(assets.map((asset) => [asset.id, asset]))
  return ids.flatMap((id) => {
    const row = assetById.get(id)
    if (!row) return []
    const own = simsByAsset.get(id) ?? []
    const shown = own.map((sim) => toSim(sim, sessions.get(sim.id) ?? null, viewer.at))
    const seen = Math.max(...own.map((sim) => sim.seen_at?.getTime() ?? -Infinity))
    return {
      id,
      name: row.name,
      type: row.type,
      serial: row.serial,
      tags: (tags.get(id) ?? []).map(({ asset_id: _, ...tag }) => tag),
      online: shown.some((sim) => sim.session !== null && !sim.session.silent),
      last_seen_at: Number.isFinite(seen) ? new Date(seen).toISOString() : null,
      created_at: row.created_at.toISOString(),
      sim: shown.find((sim) => sim.id === row.sim_id) ?? null,
      sims: shown,
    }
  })
}

/** One asset in full. */
export async function getAssetById(db: Db, viewer: Viewer, id: string): Promise<Asset> {
  const [asset] = await assetsByIds(db, viewer, [id])
  if (!asset) throw new Problem(notFound)
  return asset
}

/** Tags of assets by name; a limited member learns of no tag but theirs. */
function tagsOf(db: Db, { account_id, tags }: Viewer, asset_ids: readonly string[]) {
  const rows = db
    .selectFrom('asset_tag')
    .innerJoin('tag', (join) => join.onRef('tag.account_id', '=', 'asset_tag.account_id').onRef('tag.id', '=', 'asset_tag.tag_id'))
    .select(['asset_tag.asset_id', 'tag.id', 'tag.name'])
    .select((eb) => eb.ref('tag.color').$castTo<z.output<typeof TagColor>>().as('color'))
    .where('asset_tag.account_id', '=', account_id)
    .where('asset_tag.asset_id', '=', anyOf(asset_ids))
    .orderBy((eb) => eb.fn('lower', ['tag.name']))
  return (tags.length === 0 ? rows : rows.where('tag.id', '=', anyOf(tags))).execute()
}
