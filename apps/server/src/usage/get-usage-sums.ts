import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { getUsageSums as promise } from '@masthead/contract/usage/operations'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { listLateDays } from './late-usage.ts'
import { previousOf, usagePeriod, type Period } from './usage-period.ts'
import { findCompleteUntil, sumPoints, sumUsage } from './usage-queries.ts'
import type { UsageInterval } from '@masthead/contract/usage/usage'

type Sums = Reply<typeof promise>

/** What an account used over time. Read for each who asks: of a large account it waits for none of the questions that read it through. */
export async function getUsageSums(db: ReadDb, actor: Actor, query: Parsed<typeof promise>['query']): Promise<Sums> {
  const period = usagePeriod(query, query.interval, actor.at)
  return db.snapshot((tx) => readSums(tx, actor, period, query.interval))
}

export async function readSums(db: Db, actor: Actor, period: Period, interval: UsageInterval): Promise<Sums> {
  const { points, ...sums } = await sumPoints(db, actor, period, interval, actor.at)
  // The whole of it, so that a chart can show what is still to come.
  const whole = previousOf(period, period.end)
  const before = await sumPoints(db, actor, whole, interval, period.end)
  const previous = previousOf(period, actor.at)
  const soFar = previous.end < whole.end ? await sumUsage(db, actor, previous) : before
  return {
    start: period.start.toISOString(),
    end: period.end.toISOString(),
    ...sums,
    previous_start: previous.start.toISOString(),
    previous_end: previous.end.toISOString(),
    previous_bytes: soFar.bytes_up + soFar.bytes_down,
    points,
    previous_points: before.points,
    complete_until: await findCompleteUntil(db),
    late_days: await listLateDays(db, actor, period),
  }
}
