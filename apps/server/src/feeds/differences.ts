import { sql, type RawBuilder } from 'kysely'
import type { FeedDifference, listFeedDifferences as listOp } from '@masthead/contract/backoffice/feed-file-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import type { Db } from '../kernel/app.ts'
import { getFeed } from './feed-queries.ts'

const day = 86_400_000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const shown = 100

/**
 * What a feed reported of SIMs on the days on which it did not count for them, and what was counted for them meanwhile: of the days from its first to its last, so that
 * one that it leaves out is a difference. Days that are over: by then their hours are in the day's roll-up. Throws not_found.
 */
export async function listFeedDifferences(db: Db, at: Date, feed_id: string, days: number): Promise<Reply<typeof listOp>> {
  await getFeed(db, at, feed_id)
  const [from, to] = [dayOf(at.getTime() - days * day), dayOf(at.getTime() - day)]
  const isOwn = (day: RawBuilder<unknown>) => sql`exists (select from feed_day o where o.account_id = c.account_id and o.sim_id = c.sim_id
    and o.day = ${day} and o.feed_id = ${feed_id} and o.counted_bytes >= o.bytes)`
  const compared = sql`
    select c.*, ((select coalesce(sum(u.bytes_up::numeric + u.bytes_down), 0) from usage_day u where u.account_id = c.account_id and u.sim_id = c.sim_id
          and u.day between f.first and f.last and not ${isOwn(sql`u.day`)})
        + (select coalesce(sum(h.bytes_up::numeric + h.bytes_down), 0) from usage_open_hour h where h.account_id = c.account_id and h.sim_id = c.sim_id
          and h.hour >= f.first::timestamp at time zone 'UTC' and h.hour < (f.last + 1)::timestamp at time zone 'UTC'
          and not ${isOwn(sql`(h.hour at time zone 'UTC')::date`)}))::float8 as counted_bytes
    from (select account_id, sim_id, sum(records)::int as records, sum(bytes)::float8 as reported_bytes
        from feed_day where feed_id = ${feed_id} and day between ${from}::date and ${to}::date and counted_bytes < bytes group by 1, 2) c,
      (select min(day) as first, max(day) as last from feed_day where feed_id = ${feed_id} and day between ${from}::date and ${to}::date) f`
  type Row = FeedDifference & { sims: number; all_reported: number; all_counted: number }
  const { rows } = await sql<Row>`with compared as materialized (${compared})
    select p.email as account, s.asset_id, a.name as asset_name, coalesce(s.iccid, '') as iccid, c.records, c.reported_bytes, c.counted_bytes,
      t.sims, t.all_reported, t.all_counted
    from (select count(*)::int as sims, coalesce(sum(reported_bytes), 0) as all_reported, coalesce(sum(counted_bytes), 0) as all_counted from compared) t
    cross join lateral (select * from compared order by abs(reported_bytes - counted_bytes) desc, account_id, sim_id limit ${shown}) c
    join person p on p.account_id = c.account_id
    left join sim s on s.account_id = c.account_id and s.id = c.sim_id
    left join asset a on a.account_id = s.account_id and a.id = s.asset_id
    order by abs(c.reported_bytes - c.counted_bytes) desc, c.account_id, c.sim_id`.execute(db)
  const [first] = rows
  return {
    from,
    to,
    sims: first?.sims ?? 0,
    reported_bytes: first?.all_reported ?? 0,
    counted_bytes: first?.all_counted ?? 0,
    items: rows.map(({ sims: _s, all_reported: _r, all_counted: _c, ...row }) => row),
  }
}
