import type { AssetType } from '@masthead/contract/assets/asset'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { simStatuses, type SimStatus } from '@masthead/contract/assets/sim'
import type { Reply } from '@masthead/contract/kernel/operation'
import { latestActivityCount, type getOverview as promise } from '@masthead/contract/overview/operations'
import { latestActivities } from '../activities/index.ts'
import { listLargest } from '../assets/index.ts'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { countOpenAlerts } from '../notifications/index.ts'
import {
  describeSims,
  findCompleteUntil,
  isNowFor,
  listUsagePoints,
  olderThanNow,
  previousOf,
  rankGroups,
  seesLarge,
  sumUsage,
  type Period,
} from '../usage/index.ts'
import { countAssets, countFailedUpdates, countPresence, countSims, type AssetCount } from './overview-queries.ts'
import { periodOf, type AskedRange } from './overview-range.ts'

const mostConsumers = 5
/** The five are looked for among so many that had most a minute ago. */
const mostTried = 200

type Presence = Awaited<ReturnType<typeof readPresence>>
type Consumers = Awaited<ReturnType<typeof readConsumers>>

/**
 * The account at a glance, of one moment: its figures agree with each other. Of a large account presence and what needs attention, for which each session and counter
 * is read, may be up to 5 s older than the rest. The largest consumers of another period than this month may be older: each SIM's usage is added up for them.
 */
export async function getOverview(db: ReadDb, actor: Actor, asked: AskedRange): Promise<Reply<typeof promise>> {
  const isLarge = await seesLarge(db, actor)
  const shared = <Part>(question: readonly unknown[], read: (tx: Db) => Promise<Part>, longest?: number) =>
    isLarge ? db.sharedSnapshot(actor.account_id, question, read, longest) : undefined
  const sharedPresence = await shared(['presence'], (tx) => readPresence(tx, actor), isNowFor)
  const { interval: _, ...period } = periodOf(asked, actor.at)
  const largest = asked.range === 'month' ? await shared(['largest'], (tx) => listLargest(tx, actor, mostTried)) : undefined
  const sharedConsumers = largest ? undefined : await shared(['top consumers', period], (tx) => readConsumers(tx, actor, period))
  return db.snapshot(async (tx) => {
    const presence = sharedPresence ?? (await readPresence(tx, actor))
    const consumers = sharedConsumers ?? (await readConsumers(tx, actor, period, largest))
    return {
      ...(await readOverview(tx, actor, presence)),
      ...(await readUsage(tx, actor, asked, consumers)),
      as_of: olderThanNow(consumers.read_at, actor.at),
    }
  })
}

const readPresence = async (db: Db, actor: Actor) => ({
  ...(await countPresence(db, actor)),
  ...(await countSims(db, actor)),
  failed_updates: await countFailedUpdates(db, actor),
})

async function readOverview(db: Db, actor: Actor, presence: Presence) {
  const counts = await countAssets(db, actor)
  const total = sum(counts)
  const { online, seen, silent_sessions, failed_disconnects, failed_updates, near_limit, activated, first_data } = presence
  const by_sim_status = (Object.keys(simStatuses) as SimStatus[])
    .map((status) => ({ status, count: sum(counts.filter((each) => each.sim_status === status)) }))
    .filter(({ count }) => count > 0)
  return {
    assets: {
      total,
      by_type: (Object.keys(assetTypes) as AssetType[])
        .map((type) => ({ type, count: sum(counts.filter((each) => each.type === type)) }))
        .filter(({ count }) => count > 0),
      by_sim_status,
      online,
      offline: Math.max(0, seen - online),
      never_seen: Math.max(0, total - Math.max(seen, online)),
    },
    attention: {
      blocked: by_sim_status.find(({ status }) => status === 'blocked')?.count ?? 0,
      silent_sessions,
      near_limit,
      failed_disconnects,
      failed_updates,
      open_alerts: await countOpenAlerts(db, actor),
    },
    latest_activity: await latestActivities(db, actor, latestActivityCount),
    // A member who sees part of the account is not the one who sets it up.
    onboarding: actor.tags.length > 0 || (total > 0 && activated && first_data) ? null : { registered: total > 0, activated, first_data },
  }
}

/** `among`: the SIMs that may be among them. */
async function readConsumers(db: Db, actor: Actor, period: Period, among?: readonly string[]) {
  const { groups } = await rankGroups(db, actor, period, 'sim', { limit: mostConsumers, offset: 0, among })
  return { consumers: await describeSims(db, actor, groups), read_at: actor.at }
}

/** Of an account the sums of its hours are kept, so that usage is as it is now however many SIMs there are. */
async function readUsage(db: Db, actor: Actor, asked: AskedRange, { consumers }: Consumers) {
  const { interval, ...period } = periodOf(asked, actor.at)
  const previous = previousOf(period, actor.at)
  const sums = await sumUsage(db, actor, period)
  const before = await sumUsage(db, actor, previous)
  const total = sums.bytes_up + sums.bytes_down
  return {
    usage: {
      start: period.start.toISOString(),
      end: period.end.toISOString(),
      interval,
      ...sums,
      previous_bytes: before.bytes_up + before.bytes_down,
      points: await listUsagePoints(db, actor, period, interval, actor.at),
      // The whole of it, so that a chart can show what is still to come.
      previous_points: await listUsagePoints(db, actor, previousOf(period, period.end), interval, actor.at),
      complete_until: await findCompleteUntil(db),
    },
    top_consumers: consumers.map((sim) => ({ ...sim, share: total > 0 ? sim.bytes / total : 0 })),
  }
}

const sum = (counts: readonly AssetCount[]) => counts.reduce((total, { count }) => total + count, 0)
