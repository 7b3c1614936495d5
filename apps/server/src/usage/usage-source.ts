import { dayOf } from '@masthead/contract/kernel/time'
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

type Rows = (viewer: Viewer, period: Period, only: RawBuilder<boolean>) => RawBuilder<unknown>

const ofHours: Rows = (viewer, { start, end }, only) => sql`
  select sim_id, hour as at, mccmnc, rat, bytes_up, bytes_down from usage_hour
  where account_id = ${viewer.account_id} and hour >= ${start} and hour < ${end} and ${simSeen(viewer, sql`sim_id`)} and ${only}`

const ofDays: Rows = (viewer, { start, end }, only) => sql`
  select sim_id, day::timestamp at time zone 'UTC' as at, mccmnc, rat, bytes_up, bytes_down from usage_day
  where account_id = ${viewer.account_id} and day >= ${dayOf(start)}::date and day < ${dayOf(end)}::date
    and ${simSeen(viewer, sql`sim_id`)} and ${only}`

const ofMonths: Rows = (viewer, { start, end }, only) => sql`
  select sim_id, month::timestamp at time zone 'UTC' as at, mccmnc, rat, bytes_up, bytes_down from usage_month
  where account_id = ${viewer.account_id} and month >= ${dayOf(start)}::date and month < ${dayOf(end)}::date
    and ${simSeen(viewer, sql`sim_id`)} and ${only}`

/** What is not in any of those yet. */
const ofOpenHours: Rows = (viewer, { start, end }, only) => sql`
  select sim_id, hour as at, mccmnc, rat, bytes_up, bytes_down from usage_open_hour
  where account_id = ${viewer.account_id} and hour >= ${start} and hour < ${end} and ${simSeen(viewer, sql`sim_id`)} and ${only}`

/** The roll-ups, the coarsest first. */
const rollUps: readonly { interval: UsageInterval; rows: Rows }[] = [
  { interval: 'month', rows: ofMonths },
  { interval: 'day', rows: ofDays },
  { interval: 'hour', rows: ofHours },
]

type Which = {
  /** The length of the steps that `at` distinguishes; without it any roll-up will do, as for a sum. */
  by?: UsageInterval | null
  /** Of these rows alone. */
  only?: RawBuilder<boolean> | undefined
}

/**
 * Rows (sim_id, at, mccmnc, rat, bytes_up, bytes_down) of a period of whole hours: as much of it from the coarsest roll-up as whole
 * intervals of that fit in, what is left before and after from the next, and the hours that are open. An hour may have a row in both.
 */
export function usageRows(viewer: Viewer, period: Period, { by, only = sql`true` }: Which = {}): RawBuilder<unknown> {
  const from = Math.max(
    0,
    rollUps.findIndex(({ interval }) => interval === by)
  )
  const parts = (within: Period, [coarsest, ...finer]: typeof rollUps): RawBuilder<unknown>[] => {
    if (within.start >= within.end || !coarsest) return []
    const start = ceilTo(coarsest.interval, within.start)
    const end = floorTo(coarsest.interval, within.end)
    if (start >= end) return parts(within, finer)
    return [
      coarsest.rows(viewer, { start, end }, only),
      ...parts({ start: within.start, end: start }, finer),
      ...parts({ start: end, end: within.end }, finer),
    ]
  }
  return sql.join([...parts(period, rollUps.slice(from)), ofOpenHours(viewer, period, only)], sql` union all `)
}

/** Those of the hours alone that are open. */
export const openHours = (viewer: Viewer, period: Period): RawBuilder<unknown> => ofOpenHours(viewer, period, sql`true`)

/** Rows (at, mccmnc, rat, bytes_up, bytes_down) without the SIM: from the account's own roll-up where the viewer sees all of it. */
export function accountRows(viewer: Viewer, period: Period, interval: UsageInterval | null): RawBuilder<unknown> {
  if (viewer.tags.length > 0) return usageRows(viewer, period, { by: interval })
  return sql`select hour as at, mccmnc, rat, bytes_up, bytes_down from account_usage_hour
    where account_id = ${viewer.account_id} and hour >= ${period.start} and hour < ${period.end}`
}
