import { sql } from 'kysely'
import { lateHours } from '@masthead/contract/usage/usage'
import type { Actor, Db } from '../../kernel/app.ts'
import { simSeen } from '../usage-source.ts'
import { findJudged } from './off-now.ts'

/** Rows (feed_id, upto) of feeds that have not come to a time, as files of the night have not, and are not further behind than reports may be. */
export const feedsBehind = (account_id: string, time: Date) => sql`select feed_id, max(counted_to) as upto from sim_feed
  where account_id = ${account_id} group by 1
  having max(counted_to) < ${time} and max(counted_to) >= ${time}::timestamptz - make_interval(hours => ${lateHours}::int)`

/** Calls of a feed that are no further apart bring one delivery: more of it may come for so long after the last. */
export const callsFollowMinutes = 15
/** What goes on for longer is no delivery of the night, but a feed that reports all day. */
const longestHours = 3

/** More may come of what the feed `f` brings now: of its files, or by further calls. */
export const isComing = (
  at: Date
) => sql<boolean>`(exists (select from feed_file w where w.feed_id = f.feed_id and w.state in ('waiting', 'reading'))
  or exists (select from feed c where c.id = f.feed_id and c.called_at > ${at}::timestamptz - make_interval(mins => ${callsFollowMinutes}::int)
    and c.calls_since > ${at}::timestamptz - make_interval(hours => ${longestHours}::int)))`

/** A gateway reports of the SIM of a `f` since that feed did. */
export const gatewayReports = sql<boolean>`exists (select from data_session d where d.account_id = f.account_id and d.sim_id = f.sim_id
    and d.nas <> d.gateway_id and (d.ended_at is null or d.started_at >= f.counted_to))`

/**
 * A SIM `s` of which a feed reports that is `behind`: what it sent is not known, so it is not silent. Where a gateway reports since, that says what there is
 * to know.
 */
export const waitsForFeed = (account_id: string) => sql<boolean>`exists (select from sim_feed f join behind b on b.feed_id = f.feed_id
  where f.account_id = ${account_id} and f.sim_id = s.id and not ${gatewayReports})`

/** SIMs that should work of feeds that have not come to the end of the last judged hour, and up to when the latest of these has; null where there are none. */
export async function countAwaited(
  db: Db,
  viewer: Pick<Actor, 'account_id' | 'tags' | 'at'>
): Promise<{ sims: number; until: Date } | null> {
  const { account_id } = viewer
  const judged = await findJudged(db, viewer)
  if (!judged) return null
  const { rows } = await sql<{ sims: number; until: Date | null }>`with behind as materialized (${feedsBehind(account_id, judged)})
    select count(*) as sims, (select max(upto) from behind) as until from sim s
    where s.account_id = ${account_id} and s.state = 'active' and s.blocks = '[]' and exists (select from behind) and ${simSeen(viewer, sql`s.id`)}
      and ${waitsForFeed(account_id)}`.execute(db)
  const { sims, until } = rows[0]!
  return sims > 0 && until ? { sims, until } : null
}

/** Whether a feed ever counted for a SIM of the account: of others nothing need be asked. */
export async function isFed(db: Db, { account_id }: Pick<Actor, 'account_id'>): Promise<boolean> {
  const { rows } = await sql`select feed_id from sim_feed where account_id = ${account_id} limit 1`.execute(db)
  return rows.length > 0
}
