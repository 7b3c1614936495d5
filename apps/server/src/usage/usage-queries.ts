import { sql, type RawBuilder } from 'kysely'
import type { UsageInterval, UsagePoint } from '@masthead/contract/usage/usage'
import type { Db } from '../kernel/app.ts'
import { totalBytes } from './total-bytes.ts'
import { intervalsOf, type Period } from './usage-period.ts'
import { accountRows, openHours, simSeen, usageRows, type Viewer } from './usage-source.ts'

type Sums = { bytes_up: number; bytes_down: number }

/** Bytes of a period. */
export async function sumUsage(db: Db, viewer: Viewer, period: Period): Promise<Sums> {
  const { rows } = await sql<Sums>`select coalesce(sum(bytes_up), 0) as bytes_up, coalesce(sum(bytes_down), 0) as bytes_down
    from (${accountRows(viewer, period, null)}) u`.execute(db)
  return rows[0]!
}

/** Bytes of each interval that has begun by `now`, zeros included. */
export const listUsagePoints = async (db: Db, viewer: Viewer, period: Period, interval: UsageInterval, now: Date): Promise<UsagePoint[]> =>
  (await sumPoints(db, viewer, period, interval, now)).points

/** The same, with the sum of the period. */
export async function sumPoints(
  db: Db,
  viewer: Viewer,
  period: Period,
  interval: UsageInterval,
  now: Date
): Promise<Sums & { points: UsagePoint[] }> {
  const { rows } = await sql<Sums & { at: Date | null }>`
    select date_trunc(${interval}, at, 'UTC') as at, coalesce(sum(bytes_up), 0) as bytes_up, coalesce(sum(bytes_down), 0) as bytes_down
    from (${accountRows(viewer, period, interval)}) u group by grouping sets ((1), ())`.execute(db)
  const found = new Map(rows.map(({ at, ...sums }) => [at?.getTime() ?? null, sums]))
  const points = intervalsOf(period, interval, now).map((at) => ({
    at: at.toISOString(),
    ...(found.get(at.getTime()) ?? { bytes_up: 0, bytes_down: 0 }),
  }))
  return { ...found.get(null)!, points }
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

/**
 * Rows of `sim` meant to be active by the end of a period, without a byte in it: what follows `from`. Of a period that lasts, the last hour in which each SIM sent
 * says so, and its days need not be read.
 */
export function silentSims(viewer: Viewer, period: Period, now: Date) {
  const { account_id } = viewer
  const used = (rows: RawBuilder<unknown>) => sql`exists (select from (${rows}) u where u.sim_id = sim.id and ${totalBytes('u')} > 0)`
  const sent = sql`exists (select from sim_sent k where k.account_id = ${account_id} and k.sim_id = sim.id
    and k.until >= ${period.start} and get_bit(k.hours, 719) = 1)`
  return sql`sim where account_id = ${account_id} and state = 'active' and coalesce(activated_at, created_at) < ${period.end}
      and ${simSeen(viewer, sql`id`)}
      and ${period.end > now ? sql`not ${sent} and not ${used(openHours(viewer, period))}` : sql`not ${used(usageRows(viewer, period))}`}`
}

/** How many these are. */
export async function countSilentSims(db: Db, viewer: Viewer, period: Period, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${silentSims(viewer, period, now)}`.execute(db)
  return rows[0]!.count
}
