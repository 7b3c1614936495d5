import { dayOf } from '@masthead/contract/kernel/time'
import type { LateDay } from '@masthead/contract/usage/operations'
import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import type { Period } from './usage-period.ts'
import { simSeen, type Viewer } from './usage-source.ts'

const mostDays = 31

/** Of a period of whole days, or the days that it touches. */
const lateOf = (viewer: Viewer, { start, end }: Period) => sql`usage_late l where l.account_id = ${viewer.account_id}
  and l.day >= ${dayOf(start)}::date and l.day <= ${dayOf(end.getTime() - 1)}::date and ${simSeen(viewer, sql`l.sim_id`)}`

/** The latest days for which usage was reported after they were over. */
export async function listLateDays(db: Db, viewer: Viewer, period: Period): Promise<LateDay[]> {
  const { rows } = await sql<Omit<LateDay, 'last_at'> & { last_at: Date }>`select l.day::text as day, sum(l.bytes) as bytes,
      count(*)::int as sims, max(l.last_at) as last_at
    from ${lateOf(viewer, period)} group by l.day order by l.day desc limit ${mostDays}`.execute(db)
  return rows.map(({ last_at, ...day }) => ({ ...day, last_at: last_at.toISOString() }))
}

/** Usage of these SIMs that was reported late, by their ids. */
export async function findLateBytes(db: Db, viewer: Viewer, period: Period, sim_ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ sim_id: string; bytes: number }>`select l.sim_id, sum(l.bytes) as bytes
    from ${lateOf(viewer, period)} and l.sim_id = any(${[...sim_ids]}::text[]) group by 1`.execute(db)
  return new Map(rows.map(({ sim_id, bytes }) => [sim_id, bytes]))
}
