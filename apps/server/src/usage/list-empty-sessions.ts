import { sql } from 'kysely'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { listEmptySessions as promise } from '@masthead/contract/usage/network-operations'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { isBegun } from './count-sessions.ts'
import { shareMoment } from './large-account.ts'
import { usagePeriod, type Period } from './usage-period.ts'
import { simSeen } from './usage-source.ts'

const mostShown = 20
type Row = {
  all_sessions: number
  all_empty: number
  sims: number
  asset_id: string | null
  name: string
  iccid: string
  sessions: number
  empty: number
  last_at: Date | null
}

/** How many sessions began in a period, and which SIMs have the most that ended without a byte: they connect in vain, or are kept connected for nothing. */
export async function listEmptySessions(db: ReadDb, actor: Actor, query: Parsed<typeof promise>['query']): Promise<Reply<typeof promise>> {
  const period = usagePeriod(query, query.interval, actor.at)
  return shareMoment(db, actor, ['empty sessions', period], (tx) => readEmptySessions(tx, actor, period))
}

async function readEmptySessions(db: Db, actor: Actor, { start, end }: Period): Promise<Reply<typeof promise>> {
  const { account_id } = actor
  const { rows } = await sql<Row>`with counted as materialized (
      select s.sim_id, count(*) as sessions, count(*) filter (where s.ended_at is not null and s.bytes_up + s.bytes_down = 0) as empty,
        max(s.started_at) filter (where s.ended_at is not null and s.bytes_up + s.bytes_down = 0) as last_at
      from data_session s where s.account_id = ${account_id} and s.started_at >= ${start} and s.started_at < ${end} and ${isBegun}
        and ${simSeen(actor, sql`s.sim_id`)}
      group by 1),
    most as (select * from counted where empty > 0 order by empty desc, sim_id limit ${mostShown})
    select t.*, a.id as asset_id, a.name, o.iccid, m.sessions, m.empty, m.last_at
    from (select coalesce(sum(sessions), 0)::bigint as all_sessions, coalesce(sum(empty), 0)::bigint as all_empty, count(*) filter (where empty > 0) as sims
      from counted) t
      left join (most m join sim o on o.account_id = ${account_id} and o.id = m.sim_id
        join asset a on a.account_id = ${account_id} and a.id = o.asset_id) on true
    order by m.empty desc, lower(a.name), o.id`.execute(db)
  const { all_sessions, all_empty, sims } = rows[0]!
  const items = rows.flatMap(({ asset_id, name, iccid, sessions, empty, last_at }) =>
    asset_id === null ? [] : [{ asset_id, name, iccid, sessions, empty_sessions: empty, last_at: last_at?.toISOString() ?? null }]
  )
  return { sessions: all_sessions, empty_sessions: all_empty, sims, items }
}
