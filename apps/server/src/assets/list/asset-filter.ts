import { sql, type Expression, type RawBuilder } from 'kysely'
import type { AssetFilter } from '@masthead/contract/assets/asset-filter'
import { defaultGroup } from '@masthead/contract/network-groups/network-group'
import type * as z from 'zod/mini'
import type { Db } from '../../kernel/app.ts'
import { findTagIds } from '../../tags/index.ts'
import {
  type Condition,
  groupsMeant,
  hasState,
  isReporting,
  isInGroups,
  isOneOf,
  isOnline,
  isOpen,
  isUncut,
  nearLimit,
  needsAttention,
  offSims,
} from './asset-conditions.ts'
import { inCopy, liveIn, meets, readQuery } from './asset-query.ts'
import { matchesText } from './asset-search.ts'
import { failedUpdates } from './failed-updates.ts'
import { hasTag, visibleTo, type Viewer } from '../viewer.ts'

export type Filter = z.output<typeof AssetFilter>
/** What was asked for, `tag` by ids alone. */
export type KnownFilter = Filter & { tagsKnown: true }

/** Finds the tags that are meant by id or name. Asked beforehand, so that the planner knows how many assets have them. */
export async function knowTags(db: Db, viewer: Viewer, filter: Filter): Promise<KnownFilter> {
  return { ...filter, ...besideLine(filter), tag: filter.tag && (await findTagIds(db, viewer, filter.tag)), tagsKnown: true }
}

/** What the line asks of the connection and of what needs attention, as the filters beside it ask the same: these are found from open sessions and limits. */
function besideLine({ q, online, attention }: Filter): Pick<Filter, 'q' | 'online' | 'attention'> {
  const asked = q ? liveIn(q) : null
  if (asked?.field === 'connection' && !online) return { q: asked.rest, online: asked.value === 'online' ? 'true' : 'false', attention }
  if (asked?.field === 'attention' && !attention) return { q: asked.rest, online, attention: asked.value as Filter['attention'] }
  return { q, online, attention }
}

type Plan<Value> = {
  condition: (viewer: Viewer, value: Value) => Condition
  /** The kept counts that know how many match: of an account by type and status, or of a tag. */
  countedBy?: 'account' | 'tag'
}

/** How each filter is found and counted. One that is forgotten here does not compile. */
const plans: { [Name in keyof Filter]-?: Plan<NonNullable<Filter[Name]>> } = {
  type: { condition: (_, types) => isOneOf(sql`asset.type`, types), countedBy: 'account' },
  sim_status: { condition: (_, statuses) => isOneOf(sql`asset.sim_status`, statuses), countedBy: 'account' },
  state: { condition: (_, states) => hasState(states) },
  network_group: { condition: ({ account_id }, groups) => isInGroups(account_id, groups) },
  tag: { condition: (_, tags) => hasTag(tags), countedBy: 'tag' },
  online: { condition: (viewer, online) => (online === 'true' ? isOnline(viewer) : sql`not ${isOnline(viewer)}`) },
  attention: { condition: (viewer, attention) => needsAttention(viewer, attention) },
  search: { condition: (viewer, search) => matchesText(viewer, search.trim()) },
  q: { condition: (viewer, text) => meets(viewer, readQuery(text)) },
}

type Given = { [Name in keyof Filter]-?: { plan: Plan<NonNullable<Filter[Name]>>; value: NonNullable<Filter[Name]> } }[keyof Filter]

/** The filters that were given. A search for nothing is none. */
function givenOf(filter: Filter): Given[] {
  const names = Object.keys(plans) as (keyof Filter)[]
  return names.flatMap((name) => {
    const value = filter[name]
    const isGiven = typeof value === 'string' ? value.trim() !== '' : value !== undefined
    return isGiven ? [{ plan: plans[name], value } as Given] : []
  })
}

/** The conditions over `asset`: what a viewer sees and matches. */
export function matching(viewer: Viewer, filter: KnownFilter): Condition {
  const conditions = givenOf(filter).map(({ plan, value }) => plan.condition(viewer, value as never))
  return sql`${sql.join([visibleTo(viewer), ...conditions], sql` and `)}`
}

/**
 * Which kept counts know how many match: those of the account, that of the one tag that is asked for, or none of them. Whoever is limited to
 * tags sees a part of what they count.
 */
export function countedBy(viewer: Viewer, filter: KnownFilter): 'account' | 'tag' | null {
  if (viewer.tags.length > 0) return null
  const given = givenOf(filter).map(({ plan }) => plan.countedBy ?? null)
  if (given.every((by) => by === 'account')) return 'account'
  return given.length === 1 && filter.tag?.length === 1 ? given[0]! : null
}

/** Assets found from another table, as often as they have SIMs: rows with an `id`. `rest`: what they must match besides. */
export type Found = { ids: RawBuilder<{ id: string }>; rest: KnownFilter }

/** What no index of assets knows, found from the open sessions or the limits of an account. Null where assets are the shorter way. */
export function foundElsewhere(viewer: Viewer, filter: KnownFilter): Found | null {
  const { account_id } = viewer
  const { online, attention, network_group, search, q, tag } = filter
  if (viewer.tags.length > 0 || search || q || tag) return null
  // The default group is most of an account, and is found sooner by going through its assets.
  if (network_group && !network_group.some((word) => word.trim().toLowerCase() === defaultGroup)) {
    const ids = sql<{
      id: string
    }>`select sim.asset_id as id from sim join asset own on own.account_id = sim.account_id and own.id = sim.asset_id
      where sim.account_id = ${account_id} and sim.group_id = any(${groupsMeant(account_id, network_group)}) and own.sim_id = sim.id`
    return { ids, rest: { ...filter, network_group: undefined } }
  }
  // One of a SIM, in the order of the index of open sessions: what is cut short need not be read whole.
  const sessions = (condition: Condition) => sql<{ id: string }>`select distinct on (s.sim_id) s.asset_id as id from data_session s
    where s.account_id = ${account_id} and ${isOpen} and ${condition} order by s.sim_id`
  if (attention) {
    const rest = { ...filter, attention: undefined }
    if (attention === 'silent') return { ids: sessions(sql`not ${isReporting(viewer)}`), rest }
    if (attention === 'uncut') return { ids: sessions(isUncut), rest }
    if (attention === 'update') return { ids: failedUpdates(account_id), rest }
    if (attention === 'quiet' || attention === 'refused') {
      const ids = sql<{ id: string }>`select s.asset_id as id from (${offSims(viewer, attention)}) n
        join sim s on s.account_id = ${account_id} and s.id = n.sim_id`
      return { ids, rest }
    }
    const ids = sql<{
      id: string
    }>`select sim.asset_id as id from sim_limit l join sim on sim.account_id = l.account_id and sim.id = l.sim_id
        join sim_counter c on c.account_id = sim.account_id and c.sim_id = sim.id
      where l.account_id = ${account_id} and ${nearLimit(viewer)}`
    return { ids, rest }
  }
  return online === 'true' ? { ids: sessions(isReporting(viewer)), rest: { ...filter, online: undefined } } : null
}

/** What is asked as a condition over the copy `c` of what moves, where nothing else is asked. */
export function foundInCopy(viewer: Viewer, filter: KnownFilter): Condition | null {
  const isAll = viewer.tags.length === 0 && givenOf({ ...filter, q: undefined }).length === 0
  return viewer.copied_at && filter.q && isAll ? inCopy(viewer, readQuery(filter.q)) : null
}

/** Of the assets found those that match, one probe of an index for each, and nothing but their ids where nothing else is asked. */
export function amongFound(viewer: Viewer, { ids, rest }: Found): RawBuilder<unknown> {
  // An asset is not taken away while it has an open session; a SIM's limit goes with it.
  if (givenOf(rest).length === 0 && viewer.tags.length === 0) return sql`(${ids})`
  return sql`(select given.id from (${ids}) given cross join lateral (
    select from asset where asset.id = given.id and ${matching(viewer, rest)} offset 0) asset)`
}

/** The key of an order for each asset of a table of ids. */
export const withKey = ({ account_id }: Viewer, ids: RawBuilder<unknown>, key: Expression<unknown>): RawBuilder<unknown> =>
  sql`(select asset.* from ${ids} given cross join lateral (
    select asset.id, ${key} as key from asset where asset.account_id = ${account_id} and asset.id = given.id offset 0) asset)`
