import { sql, type Expression, type SqlBool } from 'kysely'
import type { AssetFilter } from '@masthead/contract/assets/operations'
import { silentAfterSeconds } from '@masthead/contract/assets/sim'
import { alertShare } from '@masthead/contract/usage/bytes'
import type * as z from 'zod/mini'
import type { Db } from '../kernel/app.ts'
import { findTagIds } from '../tags/index.ts'
import { matchesText } from './asset-search.ts'
import { anyOf, hasTag, visibleTo, type Viewer } from './viewer.ts'

export type Filter = z.output<typeof AssetFilter>
/** What was asked for, `tag` by ids alone. */
export type KnownFilter = Filter & { tagsKnown: true }
type Condition = Expression<SqlBool>

/** Finds the tags that are meant by id or name. Asked beforehand, so that the planner knows how many assets have them. */
export async function knowTags(db: Db, viewer: Viewer, filter: Filter): Promise<KnownFilter> {
  return { ...filter, tag: filter.tag && (await findTagIds(db, viewer, filter.tag)), tagsKnown: true }
}

/** The conditions over `asset`: what a viewer sees and matches. */
export const matching = (viewer: Viewer, filter: KnownFilter): Condition =>
  sql`${sql.join([visibleTo(viewer), ...conditionsOf(viewer, filter)], sql` and `)}`

/** A column has one of some values: a single one as such, since an index keeps its rows in order. */
export const isOneOf = (column: Expression<unknown>, values: readonly string[]): Condition =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = ${anyOf(values)}`

/** Whether the kept counts of assets know how many match. */
export const isCounted = (viewer: Viewer, { search, tag, state, online, attention }: Filter): boolean =>
  viewer.tags.length === 0 && !search && !tag && !state && !online && !attention

function* conditionsOf(viewer: Viewer, { search, tag, type, sim_status, state, online, attention }: Filter): Generator<Condition> {
  if (type) yield isOneOf(sql`asset.type`, type)
  if (sim_status) yield isOneOf(sql`asset.sim_status`, sim_status)
  // The status is the state, but where a block stands.
  if (state) {
    yield sql`(asset.sim_status = any(${state}::text[]) or asset.sim_status = 'blocked' and exists (
      select from sim where sim.account_id = asset.account_id and sim.id = asset.sim_id and sim.state = any(${state}::text[])))`
  }
  if (tag) yield hasTag(tag)
  if (online) yield online === 'true' ? isOnline(viewer) : sql`not ${isOnline(viewer)}`
  if (attention) yield needsAttention(viewer, attention)
  const text = search?.replaceAll('\0', '').trim()
  if (text) yield matchesText(viewer, text)
}

const hasOpenSession = (condition: Condition): Condition =>
  sql`exists (select from sim join data_session s on s.account_id = sim.account_id and s.sim_id = sim.id
    where sim.account_id = asset.account_id and sim.asset_id = asset.id and s.ended_at is null and not s.superseded and ${condition})`

const heard = ({ at }: Viewer): Condition =>
  sql`s.heard_at >= ${at}::timestamptz - coalesce(3 * s.interim_seconds, ${silentAfterSeconds(null)}) * interval '1 second'`

const isOnline = (viewer: Viewer): Condition => hasOpenSession(heard(viewer))

/** The assets that a counter of the overview counts. */
function needsAttention(viewer: Viewer, attention: NonNullable<Filter['attention']>): Condition {
  if (attention === 'silent') return hasOpenSession(sql`not ${heard(viewer)}`)
  if (attention === 'uncut') return hasOpenSession(sql`s.disconnect->>'answer' in ('nak', 'timeout')`)
  const month = `${viewer.at.toISOString().slice(0, 7)}-01`
  return sql`exists (select from sim join sim_counter c on c.account_id = sim.account_id and c.sim_id = sim.id
    where sim.account_id = asset.account_id and sim.asset_id = asset.id and c.period_start = ${month}::date
    and c.bytes_up + c.bytes_down >= ${alertShare}::float8 * sim.limit_bytes and c.bytes_up + c.bytes_down < sim.limit_bytes)`
}
