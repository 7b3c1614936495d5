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
  // One SIM after the other: the planner may take the sessions of the whole account in the period for fewer than those of a thousand SIMs, and a file would read
  // them anew for each thousand.
  const { rows } = await sql<{
    sim_id: string
    sessions: number
  }>`select k.sim_id, c.sessions from unnest(${[...sim_ids]}::text[]) as k(sim_id)
      cross join lateral (select count(*) as sessions from data_session s
        where s.account_id = ${account_id} and s.sim_id = k.sim_id and s.started_at >= ${start} and s.started_at < ${end} and ${isBegun}) c
    where c.sessions > 0`.execute(db)
  return new Map(rows.map(({ sim_id, sessions }) => [sim_id, sessions]))
}
