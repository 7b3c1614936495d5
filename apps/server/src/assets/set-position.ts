import { sql } from 'kysely'
import { assetPlaced, assetPlaceForgotten } from '@masthead/contract/assets/events'
import { mostPlaces, placeDays, type Position } from '@masthead/contract/assets/place-operations'
import { positionReported } from '@masthead/contract/signals'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import { publish } from '../kernel/live/publish.ts'
import { record } from '../kernel/record.ts'

/** So near, in metres, a position that a system reports is the one before: receivers say another one each time. */
const near = 30
const metresOfDegree = 111_320
/** On the way each so many ms are kept of what a system reports. */
const stepMs = 10 * 60_000
/** Of what is older than these days, the last position of each hour is kept. */
const stepDays = 2

const isNear = (a: Position, b: Position) =>
  Math.hypot(a.latitude - b.latitude, (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180)) * metresOfDegree < near

/**
 * Keeps where an asset, whose row is locked, stands from now on; null: that is not known any more. What a person sets is an activity. A system reports with an
 * API key, as often as the asset moves: that is kept as the way it went, and is no activity.
 */
export async function setPosition(
  tx: Tx,
  actor: Actor,
  asset: { asset_id: string; asset_name: string },
  position: Position | null
): Promise<void> {
  const { account_id, at, email } = actor
  const { asset_id } = asset
  const isReported = actor.kind === 'api_key'
  const own = sql`account_id = ${account_id} and asset_id = ${asset_id}`
  const { rows } = await sql<
    Position & { since: Date }
  >`select latitude, longitude, since from asset_place where ${own} and until is null`.execute(tx)
  const before = rows[0] ?? null
  if (before?.latitude === position?.latitude && before?.longitude === position?.longitude) return
  if (isReported && before && position && isNear(before, position)) return
  await sql`delete from asset_place where ${own}
    and since <= (select since from asset_place where ${own} order by since desc offset ${mostPlaces - 1} limit 1)`.execute(tx)
  // What is said at the same moment, or was said by a clock that is ahead, is replaced.
  await sql`delete from asset_place where ${own} and since >= ${at}`.execute(tx)
  const step = new Date(at.getTime() - stepMs)
  // Neither where it stood for a while nor a step of its way.
  if (isReported && before && before.since > step)
    await sql`delete from asset_place p where ${own} and p.until is null
      and exists (select from asset_place e where ${own} and e.since < p.since and e.since > p.since - ${stepMs}::int * interval '1 millisecond')`.execute(
      tx
    )
  await sql`update asset_place set until = ${at} where ${own} and until is null`.execute(tx)
  if (position) {
    await tx
      .insertInto('asset_place')
      .values({ account_id, asset_id, since: at, ...position, set_by: email })
      .execute()
  }
  if (isReported) await publish(tx, account_id, positionReported)
  else if (position) await record(tx, actor, assetPlaced, { ...asset, position: `${position.latitude}, ${position.longitude}` })
  else await record(tx, actor, assetPlaceForgotten, asset)
}

/** Deletes where assets stood before what is kept of it, and of days before the last ones all but one position an hour. */
export async function forgetPlaces(app: App): Promise<void> {
  const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)
  await forgetRows(
    app,
    'asset_place',
    sql`until < ${daysAgo(placeDays)} or until < ${daysAgo(stepDays)} and exists (select from asset_place later
      where later.account_id = asset_place.account_id and later.asset_id = asset_place.asset_id and later.since > asset_place.since
        and later.since < date_trunc('hour', asset_place.since, 'UTC') + interval '1 hour')`
  )
}
