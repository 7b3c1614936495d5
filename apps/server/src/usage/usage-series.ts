import { sql } from 'kysely'
import type { UsageGrouping, UsageInterval, UsagePoint } from '@masthead/contract/usage/usage'
import type { Db } from '../kernel/app.ts'
import { totalBytes } from './total-bytes.ts'
import { groupKey, isOfSims } from './usage-groups.ts'
import type { Period } from './usage-period.ts'
import { accountRows, usageRows, type Viewer } from './usage-source.ts'

/** Groups that get a series of their own; the others are the rest. */
export const mostSeries = 7
// No key of ours has it: keys are ids, numbers and names of technologies.
const restKey = '*'

/** Bytes of each of `points` for the groups with these keys, and for all others together. */
export async function listSeries(
  db: Db,
  viewer: Viewer,
  period: Period,
  interval: UsageInterval,
  grouping: UsageGrouping,
  points: readonly UsagePoint[],
  keys: readonly string[]
): Promise<{ of: (key: string) => number[]; rest: number[] }> {
  const { key, join } = groupKey(grouping, viewer)
  const bySim = grouping === 'sim'
  const only = bySim ? sql<boolean>`sim_id = any(${[...keys]}::text[])` : undefined
  const source = isOfSims(grouping) ? usageRows(viewer, period, { by: interval, only }) : accountRows(viewer, period, interval)
  const { rows } = await sql<{ at: Date; key: string; bytes: number }>`
    select date_trunc(${interval}, u.at, 'UTC') as at, case when ${key} = any(${[...keys]}::text[]) then ${key} else ${restKey} end as key,
      sum(${totalBytes('u')}) as bytes
    from (${source}) u ${join} group by 1, 2`.execute(db)
  const found = new Map(rows.map((row) => [`${row.at.toISOString()} ${row.key}`, row.bytes]))
  const of = (each: string) => points.map(({ at }) => found.get(`${at} ${each}`) ?? 0)
  // Only the largest SIMs were read: the rest is what is left of the total.
  const rest = bySim
    ? points.map(({ at, bytes_up, bytes_down }) =>
        keys.reduce((left, each) => left - (found.get(`${at} ${each}`) ?? 0), bytes_up + bytes_down)
      )
    : of(restKey)
  return { of, rest: rest.map((bytes) => Math.max(0, bytes)) }
}
