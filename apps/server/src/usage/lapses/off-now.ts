import { sql, type RawBuilder } from 'kysely'
import { lateHours } from '@masthead/contract/usage/usage'
import type { Actor, Db } from '../../kernel/app.ts'
import { simSeen, type Viewer } from '../usage-source.ts'

export type OffState = 'silent' | 'refused' | 'blocked'
type Now = Pick<Actor, 'account_id' | 'tags' | 'at'>

const hourMs = 3_600_000
/** Judged so long ago, what is silent now is not known. */
const judgedLately = 3 * hourMs
const weekMs = 168 * hourMs
const weeks = 4

/** Up to which hour the SIMs of an account are judged; null while that is not known, or was too long ago to say anything of now. */
export async function findJudged(db: Db, { account_id, at }: Now): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`${judgedUntil({ account_id, at })}`.execute(db)
  return rows[0]?.until ?? null
}

/** The same within a statement. */
export const judgedUntil = ({ account_id, at }: Pick<Now, 'account_id' | 'at'>) =>
  sql`select j.until from account_judged j where j.account_id = ${account_id} and j.until > ${new Date(at.getTime() - judgedLately)}`

/**
 * Rows (sim_id, state, since) of SIMs that should work and are not as usual now: under a block; refused in this hour or the one before, without usage
 * or an admission since; silent in the last hour that was judged, of those of a feed in the last that it came to, without usage since, or of that hour that
 * came late. `judged`: as `findJudged` says.
 */
export function offNow(viewer: Now, judged: Date | RawBuilder<unknown>): RawBuilder<unknown> {
  const { account_id, at } = viewer
  const from = new Date(Math.floor(at.getTime() / hourMs - 1) * hourMs)
  const used = (since: RawBuilder<unknown>) => sql`(exists (select from usage_open_hour o where o.account_id = ${account_id}
      and o.sim_id = e.sim_id and o.hour >= ${since} and o.bytes_up::numeric + o.bytes_down > 0)
    or exists (select from usage_hour o where o.account_id = ${account_id} and o.sim_id = e.sim_id and o.hour >= ${since} and o.bytes_up::numeric + o.bytes_down > 0))`
  const judgedAt = judged instanceof Date ? judged : sql`(${judged})`
  return sql`select distinct on (n.sim_id) n.sim_id, n.state,
      least(n.since, (select l.start from sim_lapse l where l.account_id = ${account_id} and l.sim_id = n.sim_id and l.state = n.state
        and l.until = ${judgedAt})) as since
    from (
      select b.id as sim_id, 'blocked' as state, 1 as rank, (select min((each->>'since')::timestamptz) from jsonb_array_elements(b.blocks) each) as since
      from sim b where b.account_id = ${account_id} and b.blocks <> '[]' and ${simSeen(viewer, sql`b.id`)}
      union all
      select e.sim_id, 'refused', 2, e.first_at
      from (select sim_id, min(first_at) as first_at, max(last_at) as last_at from connection_event
        where account_id = ${account_id} and hour >= ${from} and kind in ('rejected', 'forbidden') and ${simSeen(viewer, sql`sim_id`)} group by 1) e
      where not ${used(sql`date_trunc('hour', e.last_at, 'UTC')`)} and not exists (select from connection_event a
        where a.account_id = ${account_id} and a.sim_id = e.sim_id and a.hour >= ${from} and a.kind = 'accepted' and a.last_at > e.last_at)
      union all
      select e.sim_id, 'silent', 3, e.start from sim_lapse e
      where e.account_id = ${account_id} and e.until = ${judgedAt} and e.state = 'silent' and ${simSeen(viewer, sql`e.sim_id`)} and not ${used(sql`${judgedAt}::timestamptz - interval '1 hour'`)}
      union all
      select e.sim_id, 'silent', 3, e.start from sim_lapse e
        join sim_feed f on f.account_id = e.account_id and f.sim_id = e.sim_id and f.unjudged_from = e.until
      where e.account_id = ${account_id} and e.until < ${judgedAt} and e.until >= ${judgedAt}::timestamptz - make_interval(hours => ${lateHours + 1}::int)
        and e.state = 'silent' and ${simSeen(viewer, sql`e.sim_id`)} and not ${used(sql`e.until - interval '1 hour'`)}
    ) n join sim s on s.account_id = ${account_id} and s.id = n.sim_id and s.state = 'active' and (n.state = 'blocked' or s.blocks = '[]')
    order by n.sim_id, n.rank`
}

/** That a SIM `s` was never seen: what is usual of it is not known. */
export const neverSeen = (
  account_id: string
) => sql<boolean>`(not exists (select from sim_sent w where w.account_id = ${account_id} and w.sim_id = s.id)
  and not exists (select from sim_counter w where w.account_id = ${account_id} and w.sim_id = s.id))`

export type WorkHour = { hour: Date; should: number; works: number }

/** How many worked at this hour and weekday, and in the hours beside it, in each of the last four weeks, of those hours that were judged. A limited viewer's part of them. */
export async function countUsual(db: Db, viewer: Now, judged: Date): Promise<WorkHour[]> {
  const { account_id, tags, at } = viewer
  const now = Math.floor(at.getTime() / hourMs) * hourMs
  const hours = Array.from({ length: weeks * 3 }, (_, i) => new Date(now - (Math.floor(i / 3) + 1) * weekMs + ((i % 3) - 1) * hourMs))
  const kept = db
    .selectFrom('account_work_hour')
    .select(['hour', 'should', 'works'])
    .where('account_id', '=', account_id)
    .where('hour', 'in', hours)
    .where('hour', '<', judged)
  if (tags.length === 0) return kept.orderBy('hour').execute()
  const { rows } =
    await sql<WorkHour>`with seen as materialized (select s.id, coalesce(s.state_changed_at, s.activated_at, s.created_at) as since
      from sim s where s.account_id = ${account_id} and s.state = 'active' and ${simSeen(viewer as Viewer, sql`s.id`)} and not ${neverSeen(account_id)})
    select h.hour, count(*) as should, count(*) - count(l.sim_id) as works from (${kept}) h join seen on seen.since < h.hour + interval '1 hour'
      left join sim_lapse l on l.account_id = ${account_id} and l.sim_id = seen.id and l.start <= h.hour and l.until > h.hour
    group by 1 order by 1`.execute(db)
  return rows
}
