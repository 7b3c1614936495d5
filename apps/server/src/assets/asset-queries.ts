import { sql } from 'kysely'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { assetHasNoSim, assetNotFound } from '@masthead/contract/assets/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Db, Tx } from '../kernel/app.ts'
import { visibleTo, type Viewer } from './viewer.ts'

/** The asset meant by an id, a serial number (in any case), or the id or ICCID (with or without check digit) of its SIM, if the viewer may see it. */
export async function getAssetId(db: Db, viewer: Viewer, key: string): Promise<string> {
  const { account_id } = viewer
  const iccid = parseIccid(key)
  const row = await db
    .selectFrom('asset')
    .select('asset.id')
    .where(visibleTo(viewer))
    .where(
      sql<boolean>`asset.id = any(array(
        select ${key}::text
        union all select id from asset where account_id = ${account_id} and lower(serial) = lower(${key})
        union all select asset_id from sim where account_id = ${account_id} and id = ${key}
        union all select asset_id from sim where account_id = ${account_id} and iccid = any(${iccid ? iccidForms(iccid) : []}::text[])))`
    )
    .limit(1)
    .executeTakeFirst()
  if (!row) throw new Problem(assetNotFound)
  return row.id
}

/** The same of many, in the order of the keys; null where the viewer sees none. */
export async function findAssetIds(db: Db, viewer: Viewer, keys: readonly string[]): Promise<{ key: string; id: string | null }[]> {
  const { account_id } = viewer
  const given = keys.map((key, place) => {
    const iccid = parseIccid(key)
    return { place, key, iccids: iccid ? iccidForms(iccid) : [] }
  })
  const { rows } = await sql<{ key: string; id: string | null }>`select given.key, found.id
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (place int, key text, iccids text[])
    left join lateral (select asset.id from asset where ${visibleTo(viewer)} and asset.id = any(array(
      select given.key
      union all select id from asset where account_id = ${account_id} and lower(serial) = lower(given.key)
      union all select asset_id from sim where account_id = ${account_id} and id = given.key
      union all select asset_id from sim where account_id = ${account_id} and iccid = any(given.iccids))) limit 1) found on true
    order by given.place`.execute(db)
  return rows
}

/** The name of an asset, which nobody else changes until the transaction ends. */
export async function getAssetForUpdate(tx: Tx, { account_id }: Viewer, id: string) {
  const row = await tx
    .selectFrom('asset')
    .select(['id as asset_id', 'name as asset_name'])
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/**
 * Locks all SIMs of assets, also those that others came in the place of, and answers with their ids; sessions may begin meanwhile. Who locked these in two lots,
 * or an asset before its SIMs, which the meter does not, would wait for another in a ring.
 */
export async function lockSimsOf(tx: Tx, { account_id }: Pick<Viewer, 'account_id'>, asset_ids: readonly string[]): Promise<string[]> {
  const own = sql`account_id = ${account_id} and asset_id = any(${asset_ids}::text[])`
  const { rows } = await sql<{ id: string }>`select id from sim where ${own} order by id for no key update`.execute(tx)
  const ids = rows.map(({ id }) => id)
  // While this waited for a lock, another SIM may have come in the place of one.
  const { rows: come } = await sql`select from sim where ${own} and id <> all(${ids}::text[])`.execute(tx)
  return come.length > 0 ? lockSimsOf(tx, { account_id }, asset_ids) : ids
}

/**
 * The SIM in use of an asset, locked; sessions may begin meanwhile. The SIM and never the asset first, as the meter does: the asset's row follows by trigger.
 * Throws not_found, asset_has_no_sim.
 */
export async function getSimForUpdate(tx: Tx, viewer: Viewer, asset_id: string): Promise<LockedSim> {
  const row = await lockSim(tx, viewer, asset_id)
  // While this waited for its lock, another may have come in its place, or the asset may have left the account with it.
  const asset = await tx
    .selectFrom('asset')
    .select('sim_id')
    .where('account_id', '=', viewer.account_id)
    .where('id', '=', asset_id)
    .executeTakeFirst()
  if (!asset) throw new Problem(assetNotFound)
  if (!row) throw new Problem(assetHasNoSim)
  return asset.sim_id === row.sim_id ? row : getSimForUpdate(tx, viewer, asset_id)
}

const lockSim = (tx: Tx, { account_id }: Viewer, asset_id: string) =>
  tx
    .selectFrom('asset')
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'asset.account_id').onRef('sim.id', '=', 'asset.sim_id'))
    .select(['asset.id as asset_id', 'asset.name as asset_name', 'sim.id as sim_id', 'sim.iccid'])
    .select(['sim.state', 'sim.activated_at', 'sim.blocks'])
    .select(sql<string>`coalesce(sim.group_id, 'default')`.as('group_id'))
    .where('asset.account_id', '=', account_id)
    .where('asset.id', '=', asset_id)
    .forNoKeyUpdate('sim')
    .executeTakeFirst()
export type LockedSim = NonNullable<Awaited<ReturnType<typeof lockSim>>>
