import { sql, type RawBuilder } from 'kysely'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import type { Actor } from '../kernel/app.ts'
import { ceilTo, floorTo, type Period } from './usage-period.ts'

/** Whose usage, and of which assets: tag ids, none for all. */
export type Viewer = Pick<Actor, 'account_id' | 'tags'>

/** That the SIM whose id is `column` is on an asset the viewer may see. As an array it is found once, and always used to look SIMs up by index. */
export function simSeen({ account_id, tags }: Viewer, column: RawBuilder<unknown>): RawBuilder<boolean> {
  if (tags.length === 0) return sql`true`
  return sql`${column} = any(array(select s.id from sim s join asset_tag t on t.account_id = s.account_id and t.asset_id = s.asset_id
    where s.account_id = ${account_id} and t.tag_id = any(${[...tags]}::text[])))`
}

/** Rows (sim_id, at, mccmnc, rat, bytes_up, bytes_down) of the hours of a period. */
export const usageHours = (viewer: Viewer, { start, end }: Period, more: RawBuilder<boolean> = sql`true`) => sql`
  select sim_id, hour as at, mccmnc, rat, bytes_up, bytes_down from usage_hour
  where account_id = ${viewer.account_id} and hour >= ${start} and hour < ${end} and ${simSeen(viewer, sql`sim_id`)} and ${more}`

const usageDays = (viewer: Viewer, { start, end }: Period, more: RawBuilder<boolean>) => sql`
  select sim_id, day::timestamp at time zone 'UTC' as at, mccmnc, rat, bytes_up, bytes_down from usage_day
  where account_id = ${viewer.account_id} and day >= ${dayOf(start)}::date and day < ${dayOf(end)}::date
    and ${simSeen(viewer, sql`sim_id`)} and ${more}`

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** The same rows for a sum over a period: its whole days from the day roll-up, the hours before and after them from the other. */
export function usageRows(viewer: Viewer, period: Period, more: RawBuilder<boolean> = sql`true`): RawBuilder<unknown> {
  const first = ceilTo('day', period.start)
  const last = floorTo('day', period.end)
  if (first >= last) return usageHours(viewer, period, more)
  const parts = [usageDays(viewer, { start: first, end: last }, more)]
  if (period.start < first) parts.push(usageHours(viewer, { start: period.start, end: first }, more))
  if (last < period.end) parts.push(usageHours(viewer, { start: last, end: period.end }, more))
  return sql.join(parts, sql` union all `)
}

/** Rows (at, mccmnc, rat, bytes_up, bytes_down) without the SIM: from the account's own roll-up where the viewer sees all of it. */
export function accountRows(viewer: Viewer, period: Period, interval: UsageInterval | null): RawBuilder<unknown> {
  if (viewer.tags.length > 0) return interval === 'hour' ? usageHours(viewer, period) : usageRows(viewer, period)
  return sql`select hour as at, mccmnc, rat, bytes_up, bytes_down from account_usage_hour
    where account_id = ${viewer.account_id} and hour >= ${period.start} and hour < ${period.end}`
}
