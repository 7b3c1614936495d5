import { sql } from 'kysely'
import type { AssetType } from '@masthead/contract/assets/asset'
import { silentAfterSeconds, type SimStatus } from '@masthead/contract/assets/sim'
import { alertShare } from '@masthead/contract/usage/bytes'
import { failedUpdates, visibleTo } from '../assets/index.ts'
import type { Actor, Db } from '../kernel/app.ts'
import { limitNow, simSeen, type Viewer } from '../usage/index.ts'

export type AssetCount = { type: AssetType; sim_status: SimStatus | ''; count: number }

/** How many assets of each type and SIM status: kept counts, or counted for a viewer limited by tags. */
export async function countAssets(db: Db, { account_id, tags }: Viewer): Promise<AssetCount[]> {
  if (tags.length === 0) {
    const kept = await db.selectFrom('asset_count').select(['type', 'sim_status', 'count']).where('account_id', '=', account_id).execute()
    return kept.filter(({ count }) => count > 0)
  }
  const { rows } = await sql<AssetCount>`
    select type, coalesce(sim_status, '') as sim_status, count(*) as count from asset a
    where account_id = ${account_id} and exists (select from asset_tag t
      where t.account_id = a.account_id and t.asset_id = a.id and t.tag_id = any(${[...tags]}::text[]))
    group by 1, 2`.execute(db)
  return rows
}

const silentAt = (at: Date) =>
  sql<boolean>`heard_at < ${at}::timestamptz - coalesce(3 * interim_seconds, ${silentAfterSeconds(null)}) * interval '1 second'`

/** Assets with a session that was seen lately, assets whose SIM in use was ever seen, and assets with an open session that went silent or that we could not cut. */
export async function countPresence(db: Db, actor: Actor) {
  const { account_id, at } = actor
  const { rows } = await sql<{ online: number; seen: number; silent_sessions: number; failed_disconnects: number }>`
    with open as (
      select bool_or(not ${silentAt(at)}) as online, bool_or(${silentAt(at)}) as silent, bool_or(disconnect->>'answer' in ('nak', 'timeout')) as uncut
      from data_session where account_id = ${account_id} and ended_at is null and not superseded and ${simSeen(actor, sql`sim_id`)} group by asset_id)
    select count(*) filter (where online) as online, count(*) filter (where silent) as silent_sessions, count(*) filter (where uncut) as failed_disconnects,
      (select count(*) from asset a join sim_counter c on c.account_id = ${account_id} and c.sim_id = a.sim_id
        where a.account_id = ${account_id} and ${simSeen(actor, sql`a.sim_id`)}) as seen
    from open`.execute(db)
  return rows[0]!
}

/** Assets whose last update failed. */
export async function countFailedUpdates(db: Db, actor: Actor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${failedUpdates(actor.account_id)}) failed join asset on asset.id = failed.id where ${visibleTo(actor)}`.execute(
    db
  )
  return rows[0]!.count
}

/** Assets near a SIM's limit; whether a SIM was ever active, and any byte ever counted. */
export async function countSims(db: Db, actor: Actor) {
  const { account_id, at } = actor
  const { allows, used } = limitNow(at)
  const { rows } = await sql<{ near_limit: number; activated: boolean; first_data: boolean }>`
    select
      (select count(distinct s.asset_id) from (select l.sim_id from sim_limit l join sim_counter c on c.account_id = ${account_id} and c.sim_id = l.sim_id
          where l.account_id = ${account_id} and ${used} >= ${alertShare}::float8 * ${allows} and ${used} < ${allows} and ${simSeen(actor, sql`l.sim_id`)}) near
        join sim s on s.account_id = ${account_id} and s.id = near.sim_id) as near_limit,
      exists (select from sim where account_id = ${account_id} and (activated_at is not null or state = 'active')) as activated,
      exists (select from sim_counter where account_id = ${account_id} and (lifetime_up > 0 or lifetime_down > 0)) as first_data`.execute(
    db
  )
  return rows[0]!
}
