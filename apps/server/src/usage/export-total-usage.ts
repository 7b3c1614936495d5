import { dayOf } from '@masthead/contract/kernel/time'
import { sql, type RawBuilder } from 'kysely'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { exportTotalUsage as promise } from '@masthead/contract/usage/operations'
import type { UsageGrouping } from '@masthead/contract/usage/usage'
import type { Actor, Db } from '../kernel/app.ts'
import { csvLine } from '../kernel/http/csv.ts'
import { countSessions } from './count-sessions.ts'
import { findBilledBytes } from './find-billed.ts'
import { totalBytes } from './total-bytes.ts'
import { describeGroups, groupKey, needSeesGroups, rankGroups, type RankedGroup } from './usage-groups.ts'
import { labelGroups } from './usage-labels.ts'
import { usagePeriod, type Period } from './usage-period.ts'
import { sumUsage } from './usage-queries.ts'
import { simSeen, usageRows } from './usage-source.ts'

const rowsAtOnce = 1000
const everyOther = 1_000_000

type Query = Parsed<typeof promise>['query']

/** `usage-by-sim-2026-11-01-to-2026-11-30.csv` */
export function exportFileName(actor: Actor, { group_by, interval, ...asked }: Query): string {
  const { start, end } = usagePeriod(asked, interval, actor.at)
  return `usage-by-${group_by}-${dayOf(start.getTime())}-to-${dayOf(end.getTime() - 1)}.csv`
}

/**
 * All groups of a period, one per line. SIMs come in the order of their ids, so that each part costs the same, removed ones last; others largest
 * first.
 */
export function exportTotalUsage(db: Db, actor: Actor, query: Query): AsyncIterable<string> {
  // Checked before the first byte is sent.
  needSeesGroups(actor, query.group_by)
  const period = usagePeriod(query, query.interval, actor.at)
  return linesOf(db, actor, period, query.group_by)
}

async function* linesOf(db: Db, actor: Actor, period: Period, group_by: UsageGrouping): AsyncIterable<string> {
  const sums = await sumUsage(db, actor, period)
  const total = sums.bytes_up + sums.bytes_down
  yield csvLine([
    'group',
    'label',
    'iccid',
    'bytes_up',
    'bytes_down',
    'bytes',
    'share',
    'sims',
    'countries',
    ...(group_by === 'sim' ? ['sessions', 'billed_bytes'] : []),
  ])
  const parts =
    group_by === 'sim'
      ? simParts(db, actor, period)
      : [(await rankGroups(db, actor, period, group_by, { limit: everyOther, offset: 0 })).groups]
  for await (const groups of parts) {
    const keys = groups.map(({ key }) => key)
    const label = await labelGroups(db, actor, group_by, keys)
    const more = await describeGroups(db, actor, period, group_by, keys)
    const sessions = group_by === 'sim' ? await countSessions(db, actor, period, keys) : null
    const billed = group_by === 'sim' ? await findBilledBytes(db, actor, period, keys) : null
    yield groups
      .map(({ key, bytes_up, bytes_down, bytes }) => {
        const { sims, countries = [] } = more.get(key) ?? {}
        const { label: words, iccid, key: name } = label(key)
        const ofSim = sessions ? [sessions.get(key) ?? 0, billed && (billed.get(key) ?? 0)] : []
        return csvLine([name, words, iccid, bytes_up, bytes_down, bytes, (bytes / total).toFixed(6), sims, countries.join(' '), ...ofSim])
      })
      .join('')
  }
}

/** The SIMs with usage a thousand at a time: those of the account, then, for who sees all of it, those that were removed from it. */
async function* simParts(db: Db, actor: Actor, period: Period): AsyncIterable<RankedGroup[]> {
  for (let after = ''; ;) {
    const { rows: ids } = await sql<{ id: string }>`select id from sim where account_id = ${actor.account_id} and id > ${after}
      and ${simSeen(actor, sql`id`)} order by id limit ${rowsAtOnce}`.execute(db)
    if (ids.length === 0) break
    const rows = await groupsOf(db, actor, period, sql`sim_id = any(${ids.map(({ id }) => id)}::text[])`)
    if (rows.length > 0) yield rows
    after = ids.at(-1)!.id
  }
  if (actor.tags.length > 0) return
  for (let after = ''; ;) {
    const removed = sql<boolean>`sim_id > ${after} and not exists (select from sim where sim.account_id = ${actor.account_id} and sim.id = sim_id)`
    const rows = await groupsOf(db, actor, period, removed)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return // each part reads all usage of the period
    after = rows.at(-1)!.key
  }
}

async function groupsOf(db: Db, actor: Actor, period: Period, only: RawBuilder<boolean>): Promise<RankedGroup[]> {
  const { key } = groupKey('sim', actor)
  const { rows } = await sql<RankedGroup>`
    select ${key} as key, sum(bytes_up) as bytes_up, sum(bytes_down) as bytes_down, sum(${totalBytes('u')}) as bytes
    from (${usageRows(actor, period, { only })}) u group by 1 having sum(${totalBytes('u')}) > 0 order by 1 limit ${rowsAtOnce}`.execute(db)
  return rows
}
