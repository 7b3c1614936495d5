import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import type { Period } from './usage-period.ts'
import type { Viewer } from './usage-source.ts'

/** Over sessions `s`: a device began it. A record of a feed is a session as well, of one report: it says nothing of how often a device connected. */
export const isBegun = sql`s.nas <> s.gateway_id`

/** How many sessions these SIMs began in a period, by their ids; those that began none are left out. */
export async function countSessions(
  db: Db,
  { account_id }: Viewer,
  { start, end }: Period,
  sim_ids: readonly string[]
): Promise<Map<string, number>> {
  const { rows } = await sql<{ sim_id: string; sessions: number }>`select s.sim_id, count(*) as sessions from data_session s
    where s.account_id = ${account_id} and s.sim_id = any(${[...sim_ids]}::text[]) and s.started_at >= ${start} and s.started_at < ${end}
      and ${isBegun} group by 1`.execute(db)
  return new Map(rows.map(({ sim_id, sessions }) => [sim_id, sessions]))
}
