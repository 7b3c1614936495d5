import { sql, type RawBuilder } from 'kysely'
import type { Micros } from '@masthead/contract/billing/money'
import { poolAssetsAdded, poolAssetsRemoved, poolTagsSet } from '@masthead/contract/datapools/events'
import type { DataPool } from '@masthead/contract/datapools/pool'
import { mostPoolsOfSim, poolFull, poolPaidBySim, simInManyPools } from '@masthead/contract/datapools/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { poolSimsFollowed } from '@masthead/contract/signals'
import { findAssetIds } from '../assets/index.ts'
import { getTagsByWord } from '../tags/index.ts'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { publish } from '../kernel/live/publish.ts'
import { record } from '../kernel/record.ts'
import { payerOf, payShares } from './buying/pay-term.ts'
import { getPoolForUpdate, needAllAssets } from './change-pool.ts'
import { getPool, seesPrices } from './pool-queries.ts'

/** Which of these assets the actor means and sees. Throws not_found where one is unknown: nothing is `done` then. */
async function getAssets(tx: Tx, actor: Actor, keys: readonly string[], done: 'added' | 'taken out'): Promise<string[]> {
  const found = await findAssetIds(tx, actor, keys)
  const missing = found.find(({ id }) => id === null)
  if (missing) throw new Problem(notFound, `No asset has the serial number, ICCID or id "${missing.key}". Nothing was ${done}`)
  return [...new Set(found.map(({ id }) => id!))].sort()
}

const follow = (tx: Tx, actor: Actor, ids: readonly string[]) =>
  sql`select follow_pools(${actor.account_id}, ${ids}::text[], ${actor.at})`.execute(tx)

/** A pool whose SIMs change. All that follows locks comes with its lock, or two who change two pools wait for each other. */
async function getLockedPool(tx: Tx, actor: Actor, pool_id: string) {
  await sql`select lock_pools(${actor.account_id}, ${pool_id})`.execute(tx)
  return getPoolForUpdate(tx, actor, pool_id)
}

/**
 * Lets the SIMs of assets draw from a pool, and pays what they bring to one that was bought. Throws not_found, pool_ended, pool_full, sim_in_many_pools,
 * balance_too_low.
 */
export async function addPoolAssets(
  tx: Tx,
  actor: Actor,
  pool_id: string,
  keys: readonly string[]
): Promise<{ added: number; already: number; paid_micros: Micros | null }> {
  const { name: pool_name, max_sims } = await getLockedPool(tx, actor, pool_id)
  const ids = await getAssets(tx, actor, keys, 'added')
  const { rows } = await sql<{ asset_id: string }>`insert into data_pool_asset (account_id, pool_id, asset_id, added_at)
    select ${actor.account_id}, ${pool_id}, id, ${actor.at} from unnest(${ids}::text[]) as k(id) order by id on conflict do nothing returning asset_id`.execute(
    tx
  )
  await follow(tx, actor, ids)
  if (max_sims !== null) await refuseBeyond(tx, actor.account_id, pool_id, max_sims)
  await refuseInMany(tx, actor.account_id, sql`select unnest(${ids}::text[])`)
  const paid_micros = await payShares(tx, { account_id: actor.account_id, pool_id }, payerOf(actor))
  if (rows.length > 0) await record(tx, actor, poolAssetsAdded, { pool_id, pool_name, count: rows.length })
  return { added: rows.length, already: ids.length - rows.length, paid_micros: seesPrices(actor) ? paid_micros : null }
}

/** Throws sim_in_many_pools where one of some assets would draw from more pools than may be, by itself or by its tags: then nothing of it is done. */
async function refuseInMany(tx: Tx, account_id: string, assets: RawBuilder<unknown>) {
  const { rows } = await sql`select from (
      select asset_id, pool_id from data_pool_asset where account_id = ${account_id} and asset_id in (${assets})
      union select t.asset_id, g.pool_id from asset_tag t join data_pool_tag g on g.account_id = t.account_id and g.tag_id = t.tag_id
        where t.account_id = ${account_id} and t.asset_id in (${assets})) of_asset
    join data_pool p on p.account_id = ${account_id} and p.id = of_asset.pool_id and p.ended_at is null
    group by asset_id having count(*) > ${mostPoolsOfSim} limit 1`.execute(tx)
  if (rows.length > 0) throw new Problem(simInManyPools)
}

/** Takes assets out of a pool; those that a tag of the pool brings stay in it. Throws not_found. */
export async function removePoolAssets(tx: Tx, actor: Actor, pool_id: string, keys: readonly string[]): Promise<{ removed: number }> {
  const { name: pool_name } = await getLockedPool(tx, actor, pool_id)
  const ids = await getAssets(tx, actor, keys, 'taken out')
  const { rows } = await sql`delete from data_pool_asset where account_id = ${actor.account_id} and pool_id = ${pool_id}
    and asset_id = any(${ids}::text[]) returning asset_id`.execute(tx)
  await follow(tx, actor, ids)
  if (rows.length > 0) await record(tx, actor, poolAssetsRemoved, { pool_id, pool_name, count: rows.length })
  return { removed: rows.length }
}

/**
 * Sets the tags whose assets draw from a pool. Their SIMs follow by a job, as they may be many. Throws not_found, forbidden, tag_unknown, pool_ended,
 * pool_full, pool_paid_by_sim, sim_in_many_pools.
 */
export async function setPoolTags(tx: Tx, actor: Actor, pool_id: string, words: readonly string[]): Promise<DataPool> {
  needAllAssets(actor)
  const { account_id } = actor
  const { name: pool_name, max_sims, bought, kind } = await getLockedPool(tx, actor, pool_id)
  if (bought && kind === 'dynamic' && words.length > 0) throw new Problem(poolPaidBySim)
  const tags = await getTagsByWord(tx, actor, words)
  const wanted = tags.map(({ tag_id }) => tag_id)
  const { rows: gone } = await sql<{ tag_id: string }>`delete from data_pool_tag where account_id = ${account_id} and pool_id = ${pool_id}
    and tag_id <> all(${wanted}::text[]) returning tag_id`.execute(tx)
  const { rows: come } = await sql<{ tag_id: string }>`insert into data_pool_tag (account_id, tag_id, pool_id)
    select ${account_id}, id, ${pool_id} from unnest(${wanted}::text[]) as k(id) order by id on conflict do nothing returning tag_id`.execute(
    tx
  )
  if (max_sims !== null) await refuseBeyond(tx, account_id, pool_id, max_sims)
  const [left, added] = [gone.map(({ tag_id }) => tag_id), come.map(({ tag_id }) => tag_id)]
  if (added.length > 0)
    await refuseInMany(
      tx,
      account_id,
      sql`select asset_id from asset_tag where account_id = ${account_id} and tag_id = any(${added}::text[])`
    )
  const tag_ids = [...left, ...added]
  if (tag_ids.length > 0) {
    await sql`select graphile_worker.add_job('follow_tags', ${JSON.stringify({ account_id, tag_ids })}::json)`.execute(tx)
    await record(tx, actor, poolTagsSet, { pool_id, pool_name, tags: tags.map(({ tag_name }) => tag_name).join(', ') })
  }
  return getPool(tx, actor, pool_id)
}

/** Those that tags bring are counted before they come. Throws pool_full. */
async function refuseBeyond(tx: Tx, account_id: string, pool_id: string, max_sims: number) {
  const { rows } = await sql<{
    sims: number
  }>`select count(*)::int as sims from asset a where a.account_id = ${account_id} and a.sim_id is not null and (
      exists (select from data_pool_asset m where m.account_id = a.account_id and m.asset_id = a.id and m.pool_id = ${pool_id})
      or exists (select from asset_tag t join data_pool_tag m on m.account_id = t.account_id and m.tag_id = t.tag_id
        where t.account_id = a.account_id and t.asset_id = a.id and m.pool_id = ${pool_id}))`.execute(tx)
  const { sims } = rows[0]!
  if (sims > max_sims) throw new Problem(poolFull, `This data pool takes at most ${max_sims} SIMs; with these there would be ${sims}`)
}

const assetsAtOnce = 500

/** The SIMs of assets with these tags move into the pools of the tags, and out of those that the tags no longer bring them to. May be repeated. */
export async function followTags({ db, clock }: App, { account_id, tag_ids }: { account_id: string; tag_ids: string[] }): Promise<void> {
  for (let after = ''; ;) {
    const { rows } = await sql<{ asset_id: string }>`select distinct asset_id from asset_tag
      where account_id = ${account_id} and tag_id = any(${tag_ids}::text[]) and asset_id > ${after} order by 1 limit ${assetsAtOnce}`.execute(
      db
    )
    if (rows.length === 0) return
    const ids = rows.map(({ asset_id }) => asset_id)
    await db.transaction().execute(async (tx) => {
      await sql`select follow_pools(${account_id}, ${ids}::text[], ${clock.now()})`.execute(tx)
      await publish(tx, account_id, poolSimsFollowed)
    })
    after = ids.at(-1)!
  }
}
