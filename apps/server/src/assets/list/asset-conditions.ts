import { sql, type Expression, type SqlBool } from 'kysely'
import type { AssetFilter } from '@masthead/contract/assets/asset-filter'
import { silentAfterSeconds } from '@masthead/contract/assets/sim'
import { alertShare } from '@masthead/contract/usage/bytes'
import type * as z from 'zod/mini'
import { judgedUntil, limitNow, offNow } from '../../usage/index.ts'
import { anyOf, type Viewer } from '../viewer.ts'
import { failedUpdates } from './failed-updates.ts'

export type Condition = Expression<SqlBool>

/** A column has one of some values: a single one as such, since an index keeps its rows in order. */
export const isOneOf = (column: Expression<unknown>, values: readonly string[]): Condition =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = ${anyOf(values)}`

/** The state of its SIM; the status is the same, but where a block stands. */
export const hasState = (states: readonly string[]): Condition =>
  sql`(asset.sim_status = any(${states}::text[]) or asset.sim_status = 'blocked' and exists (
      select from sim where sim.account_id = asset.account_id and sim.id = asset.sim_id and sim.state = any(${states}::text[])))`

/** The ids of groups that are meant by id or name. */
export const groupsMeant = (
  account_id: string,
  words: readonly string[]
) => sql`array(select g.id from network_group g where g.account_id = ${account_id}
  and (g.id = any(${words}::text[]) or lower(g.name) = any(array(select lower(trim(word)) from unnest(${words}::text[]) word))))`

/** By id or name. The groups are found once; a SIM of the default group has none. */
export const isInGroups = (account_id: string, groups: readonly string[]): Condition =>
  sql`exists (select from sim where sim.account_id = asset.account_id and sim.id = asset.sim_id
      and coalesce(sim.group_id, 'default') = any(${groupsMeant(account_id, groups)}))`

const hasOpenSession = (condition: Condition): Condition =>
  // The offset has each asset checked by itself: a wrong guess would read every session there is.
  sql`exists (select from sim join data_session s on s.account_id = sim.account_id and s.sim_id = sim.id
    where sim.account_id = asset.account_id and sim.asset_id = asset.id and ${isOpen} and ${condition} offset 0)`

export const isOpen = sql`s.ended_at is null and not s.superseded`
export const isUncut = sql<SqlBool>`s.disconnect->>'answer' in ('nak', 'timeout')`

export const isReporting = ({ at }: Viewer): Condition =>
  sql`s.heard_at >= ${at}::timestamptz - coalesce(3 * s.interim_seconds, ${silentAfterSeconds(null)}) * interval '1 second'`

export const isOnline = (viewer: Viewer): Condition => hasOpenSession(isReporting(viewer))

/** Of the limit `l` and the counter `c` of a SIM. */
export const nearLimit = ({ at }: Viewer): Condition => {
  const { allows, used } = limitNow(at)
  return sql`${used} >= ${alertShare}::float8 * ${allows} and ${used} < ${allows}`
}

/** The assets that a counter of the overview counts. */
export function needsAttention(viewer: Viewer, attention: NonNullable<z.output<typeof AssetFilter>['attention']>): Condition {
  if (attention === 'silent') return hasOpenSession(sql`not ${isReporting(viewer)}`)
  if (attention === 'uncut') return hasOpenSession(isUncut)
  if (attention === 'quiet' || attention === 'refused') return sql`asset.sim_id = any(array(${offSims(viewer, attention)}))`
  if (attention === 'update') return sql`asset.id = any(array(${failedUpdates(viewer.account_id)}))`
  return sql`exists (select from sim join sim_limit l on l.account_id = sim.account_id and l.sim_id = sim.id
      join sim_counter c on c.account_id = sim.account_id and c.sim_id = sim.id
    where sim.account_id = asset.account_id and sim.asset_id = asset.id and ${nearLimit(viewer)} offset 0)`
}

/** SIMs that are not as usual now, as the overview counts them. */
export const offSims = (
  viewer: Viewer,
  attention: 'quiet' | 'refused'
) => sql`select n.sim_id from (${offNow(viewer, judgedUntil(viewer))}) n
  where n.state = ${attention === 'quiet' ? 'silent' : attention}`
