import { sql } from 'kysely'
import type { UsageInterval, UsagePoint } from '@masthead/contract/usage/usage'
import type { Db } from '../kernel/app.ts'
import { totalBytes } from './total-bytes.ts'
import { intervalsOf, type Period } from './usage-period.ts'
import { accountRows, simSeen, usageRows, type Viewer } from './usage-source.ts'

type Sums = { bytes_up: number; bytes_down: number }

/** Bytes of a period. */
export async function sumUsage(db: Db, viewer: Viewer, period: Period): Promise<Sums> {
  const { rows } = await sql<Sums>`select coalesce(sum(bytes_up), 0) as bytes_up, coalesce(sum(bytes_down), 0) as bytes_down
    from (${accountRows(viewer, period, null)}) u`.execute(db)
  return rows[0]!
}

/** Bytes of each interval that has begun by `now`, zeros included. */
export async function listUsagePoints(db: Db, viewer: Viewer, period: Period, interval: UsageInterval, now: Date): Promise<UsagePoint[]> {
  const { rows } = await sql<Sums & { at: Date }>`
    select date_trunc(${interval}, at, 'UTC') as at, sum(bytes_up) as bytes_up, sum(bytes_down) as bytes_down
    from (${accountRows(viewer, period, interval)}) u group by 1`.execute(db)
  const found = new Map(rows.map((row) => [row.at.getTime(), row]))
  return intervalsOf(period, interval, now).map((at) => {
    const { bytes_up = 0, bytes_down = 0 } = found.get(at.getTime()) ?? {}
    return { at: at.toISOString(), bytes_up, bytes_down }
  })
}

/** Up to when reported usage is in the roll-ups; null before the first one. */
export async function findCompleteUntil(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('rollup_progress')
    .select('complete_until as at')
    .where('name', '=', 'usage')
    // Still at the beginning of time until the first roll-up has caught up.
    .where('complete_until', '>', new Date(0))
    .executeTakeFirst()
  return row?.at.toISOString() ?? null
}

/** Rows of `sim` meant to be active by the end of a period, without a byte in it: what follows `from`. */
export const silentSims = (viewer: Viewer, period: Period) => sql`sim
    where account_id = ${viewer.account_id} and state = 'active' and coalesce(activated_at, created_at) < ${period.end}
      and ${simSeen(viewer, sql`id`)}
      and not exists (select from (${usageRows(viewer, period)}) u where u.sim_id = sim.id and ${totalBytes('u')} > 0)`

/** How many these are. */
export async function countSilentSims(db: Db, viewer: Viewer, period: Period): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${silentSims(viewer, period)}`.execute(db)
  return rows[0]!.count
}
