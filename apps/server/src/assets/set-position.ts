import { sql } from 'kysely'
import { assetPlaced, assetPlaceForgotten } from '@masthead/contract/assets/events'
import { mostPlaces, placeDays, type Position } from '@masthead/contract/assets/place-operations'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import { record } from '../kernel/record.ts'

/** Keeps where an asset, whose row is locked, stands from now on; null: that is not known any more. */
export async function setPosition(
  tx: Tx,
  actor: Actor,
  asset: { asset_id: string; asset_name: string },
  position: Position | null
): Promise<void> {
  const { account_id, at, email } = actor
  const { asset_id } = asset
  const own = sql`account_id = ${account_id} and asset_id = ${asset_id}`
  const { rows } = await sql<Position>`select latitude, longitude from asset_place where ${own} and until is null`.execute(tx)
  const before = rows[0] ?? null
  if (before?.latitude === position?.latitude && before?.longitude === position?.longitude) return
  await sql`delete from asset_place where ${own}
    and since <= (select since from asset_place where ${own} order by since desc offset ${mostPlaces - 1} limit 1)`.execute(tx)
  // What is said at the same moment, or was said by a clock that is ahead, is replaced.
  await sql`delete from asset_place where ${own} and since >= ${at}`.execute(tx)
  await sql`update asset_place set until = ${at} where ${own} and until is null`.execute(tx)
  if (position) {
    await tx
      .insertInto('asset_place')
      .values({ account_id, asset_id, since: at, ...position, set_by: email })
      .execute()
    await record(tx, actor, assetPlaced, { ...asset, position: `${position.latitude}, ${position.longitude}` })
  } else await record(tx, actor, assetPlaceForgotten, asset)
}

/** Deletes where assets stood before what is kept of it. */
export const forgetPlaces = (app: App) =>
  forgetRows(app, 'asset_place', sql`until < ${new Date(app.clock.now().getTime() - placeDays * 86_400_000)}`)
