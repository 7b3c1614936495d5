import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { getTotalUsage as promise, getUsageSums as sumsPromise, UsageGroup } from '@masthead/contract/usage/operations'
import type { UsageInterval } from '@masthead/contract/usage/usage'
import * as z from 'zod/mini'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { cutPage } from '../kernel/http/page-by-key.ts'
import { cappedTotal, decodeCursor, offsetOf, TextPlace } from '../kernel/http/paging.ts'
import { countSessions } from './count-sessions.ts'
import { findBilledBytes } from './find-billed.ts'
import { findLateBytes, listLateDays } from './late-usage.ts'
import { olderThanNow, shareMoment } from './large-account.ts'
import { describeGroups, needSeesGroups, rankGroups, type RankedGroup } from './usage-groups.ts'
import { labelGroups, type GroupLabel } from './usage-labels.ts'
import { previousOf, usagePeriod, wholeMonths, type Period } from './usage-period.ts'
import { countSilentSims, findCompleteUntil, sumPoints, sumUsage } from './usage-queries.ts'
import { listSeries, mostSeries } from './usage-series.ts'

type Sums = Reply<typeof sumsPromise>
type Query = Parsed<typeof promise>['query']

/** How it is grouped, then bytes and key of the last group given: beside groups of another kind they would be no place. */
const placeIn = (group_by: Query['group_by']) => z.tuple([z.literal(group_by), z.string().check(z.regex(/^\d{1,40}$/)), TextPlace])

/** Everything the total usage screen shows. */
export async function getTotalUsage(db: ReadDb, actor: Actor, query: Query): Promise<Reply<typeof promise>> {
  needSeesGroups(actor, query.group_by)
  const period = usagePeriod(query, query.interval, actor.at)
  const { read_at, ...usage } = await shareMoment(db, actor, ['total usage', { ...query, ...period }], async (tx) => ({
    ...(await readTotalUsage(tx, actor, query, period)),
    read_at: actor.at,
  }))
  return { ...usage, as_of: olderThanNow(read_at, actor.at) }
}

async function readTotalUsage(db: Db, actor: Actor, query: Query, period: Period): Promise<Omit<Reply<typeof promise>, 'as_of'>> {
  const { interval, group_by, search, page_size } = query
  const sums = await readSums(db, actor, period, interval)
  const total = sums.bytes_up + sums.bytes_down

  const place = decodeCursor(query.after, () => placeIn(group_by))
  const after: [string, string] | undefined = place && [place[1], place[2]]
  const offset = offsetOf(query)
  const found = await rankGroups(db, actor, period, group_by, { limit: page_size + 1, offset, after, search })
  const { shown, next } = cutPage(found.groups, query, ({ exactly, key }) => [group_by, exactly, key])
  const isTop = !search && !after && offset === 0 && page_size >= mostSeries
  const top = isTop ? found : await rankGroups(db, actor, period, group_by, { limit: mostSeries, offset: 0 })
  const topKeys = top.groups.slice(0, mostSeries).map(({ key }) => key)
  const series = await listSeries(db, actor, period, interval, group_by, sums.points, topKeys)

  const keys = shown.map(({ key }) => key)
  // Of a month that is over, the limit as it was raised then, and not as it is raised now.
  const limited_at = new Date(Math.min(actor.at.getTime(), period.end.getTime() - 1))
  const label = await labelGroups(db, { ...actor, at: limited_at }, group_by, [...keys, ...topKeys])
  const more = await describeGroups(db, actor, period, group_by, keys)
  const late = group_by === 'sim' ? await findLateBytes(db, actor, period, keys) : null
  const sessions = group_by === 'sim' ? await countSessions(db, actor, period, keys) : null
  const billed = group_by === 'sim' ? await findBilledBytes(db, actor, period, keys) : null
  const asGroup = (group: RankedGroup): UsageGroup => ({
    ...namesOf(label(group.key)),
    bytes_up: group.bytes_up,
    bytes_down: group.bytes_down,
    bytes: group.bytes,
    share: total > 0 ? group.bytes / total : 0,
    sims: more.get(group.key)?.sims ?? 0,
    countries: more.get(group.key)?.countries ?? [],
    late_bytes: late?.get(group.key) ?? 0,
    sessions: sessions && (sessions.get(group.key) ?? 0),
    billed_bytes: billed && (billed.get(group.key) ?? 0),
    limit_share: wholeMonths(period) === 1 ? limitShare(label(group.key), group.bytes) : null,
  })
  return {
    ...sums,
    series: [
      ...topKeys.map((key) => ({ key: label(key).key, label: label(key).label, rest: false, bytes: series.of(key) })),
      ...(top.total > mostSeries ? [{ key: null, label: 'All others', rest: true, bytes: series.rest }] : []),
    ],
    items: shown.map(asGroup),
    ...cappedTotal(found.total),
    next,
    silent_sims: await countSilentSims(db, actor, period, actor.at),
  }
}

/** What an account used over time. Read for each who asks: of a large account it waits for none of the questions that read it through. */
export async function getUsageSums(db: ReadDb, actor: Actor, query: Parsed<typeof sumsPromise>['query']): Promise<Sums> {
  const period = usagePeriod(query, query.interval, actor.at)
  return db.snapshot((tx) => readSums(tx, actor, period, query.interval))
}

async function readSums(db: Db, actor: Actor, period: Period, interval: UsageInterval): Promise<Sums> {
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

const namesOf = ({ key, label, iccid }: GroupLabel) => ({ key, label, iccid })
const limitShare = ({ limit_bytes }: GroupLabel, bytes: number) => (limit_bytes ? bytes / limit_bytes : null)
