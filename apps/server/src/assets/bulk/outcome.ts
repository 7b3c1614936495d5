import { sql, type RawBuilder } from 'kysely'
import { mostTagsOfAsset, type BulkPreview, type LeftReason } from '@masthead/contract/assets/bulk/bulk'
import { simActionTo, simCan, SimState, type SimAction } from '@masthead/contract/assets/sim'
import type { Db } from '../../kernel/app.ts'
import { limitNow } from '../../usage/index.ts'
import { groupOf } from '../../network-groups/index.ts'
import { keptHere } from '../sim/release-asset.ts'
import { visibleTo, type Viewer } from '../index.ts'
import { outcomeOfConfig } from './core-config.ts'
import { wishOf, type Wish, type Work } from './wish.ts'

/** What becomes of an asset: `blocked` is changed too, but a block keeps its SIM off the network. */
export type Outcome = 'changed' | 'blocked' | LeftReason
export type Outcomes = Partial<Record<Outcome, number>>

type Ids = RawBuilder<{ id: string }>

/**
 * The assets that are meant as `asset`, each found by its own id; nulls for one that is gone or not seen. Behind `offset 0` what belongs to them is looked up by keys as well: of an account whose
 * stock came after its figures the planner believes that it is empty, and would read all of it for each asset and each table.
 */
export const chosen = (viewer: Viewer, ids: Ids) => sql`(select asset.* from (${ids}) chosen
  left join lateral (select * from asset where asset.id = chosen.id offset 0) asset on ${visibleTo(viewer)} offset 0) asset`

/**
 * How many assets the work would bring to what: the same as `judgeWish` says of each, in SQL, because a preview counts a hundred thousand
 * (bulk-actions.test.ts compares the two).
 */
export async function countOutcomes(db: Db, viewer: Viewer, work: Work, ids: Ids): Promise<Outcomes> {
  const { rows } = await sql<{ outcome: Outcome; count: number }>`
    select case when asset.id is null then 'gone' ${outcomeOf(viewer, wishOf(work))} end as outcome, count(*) as count
    from ${chosen(viewer, ids)}
      left join sim on sim.account_id = asset.account_id and sim.id = asset.sim_id
      left join sim_limit l on l.account_id = sim.account_id and l.sim_id = sim.id
    group by 1`.execute(db)
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

/** Whether an asset has the credentials of a CORE device. */
export const runsCore = sql`exists (select from device where device.account_id = asset.account_id and device.asset_id = asset.id and device.kind = 'core')`

/** Whether a SIM has an open session, which can be cut. */
export const isOpen = sql`exists (select from data_session d
  where d.account_id = sim.account_id and d.sim_id = sim.id and d.ended_at is null and not d.superseded)`

/** What the limit of the group allows that a SIM is to be in, of those whose limit is to be raised as well. */
export function allowedByGroup(at: Date, wished: readonly { asset_id: string; wish: Wish }[]) {
  const raised = wished.filter(({ wish }) => wish.raise !== undefined && !wish.twice)
  if (raised.length === 0) return sql`null::bigint`
  const groups = JSON.stringify(Object.fromEntries(raised.map(({ asset_id, wish }) => [asset_id, wish.network_group])))
  return sql`(select ${limitNow(at).allows} from usage_limit l
    where l.account_id = sim.account_id and l.group_id = coalesce(${groups}::jsonb ->> asset.id, ${groupOf('sim')}))`
}

/** The agent of an asset's device as JSON, with its version as far as it is one; null where it has none. */
export const agentOf = sql`(select json_build_object('version', substring(device.reported->'agent'->'versions'->>'agent'
  from '^[0-9]{1,5}\\.[0-9]{1,5}\\.[0-9]{1,5}$')) from device
  where device.account_id = asset.account_id and device.asset_id = asset.id and device.kind = 'agent')`

function outcomeOf(
  viewer: Viewer,
  {
    update_core,
    configure_core,
    update_agent,
    release,
    reset,
    on,
    state,
    limit,
    raise,
    imei_lock,
    network_group,
    add_tags,
    remove_tags,
  }: Wish
) {
  if (update_core) return sql`when ${runsCore} then 'changed' else 'no_core'`
  if (configure_core) return outcomeOfConfig(configure_core)
  if (release) return sql`else coalesce(${keptHere}, 'changed')`
  if (update_agent) {
    const numbers = sql`string_to_array(${agentOf}->>'version', '.')::int[]`
    return sql`when ${agentOf} is null then 'no_agent' when ${numbers} < ${update_agent.split('.').map(Number)}::int[] then 'changed' else 'already'`
  }
  if (add_tags || remove_tags) return ofTags(viewer, { add_tags, remove_tags })
  const noSim = sql`when sim.id is null then 'no_sim'`
  if (reset) return sql`${noSim} when ${isOpen} then 'changed' else 'no_session'`
  if (on !== undefined) return sql`${noSim} when (asset.switched_off_at is null) = ${on} then 'already' else 'changed'`
  if (state) return sql`${noSim} ${ofState(state)}`
  if (raise !== undefined) {
    return sql`${noSim} when l.limit_id is null then 'no_limit' when ${limitNow(viewer.at).allows} >= ${raise} then 'not_higher' else 'changed'`
  }
  if (limit !== undefined) {
    const isSo = limit
      ? sql`l.scope = 'sim' and l.bytes = ${limit.bytes} and l.period = ${limit.period}`
      : sql`l.scope is distinct from 'sim'`
    return sql`${noSim} when ${isSo} then 'already' else 'changed'`
  }
  if (network_group !== undefined) return sql`${noSim} when ${groupOf('sim')} = ${network_group} then 'already' else 'changed'`
  const devices = imei_lock === 'lock' ? sql`and sim.imeis = array_remove(array[sim.imei], null)` : sql``
  return sql`${noSim} when sim.imei_lock is not distinct from ${imei_lock ?? null} ${devices} then 'already' else 'changed'`
}

function ofState(state: SimState) {
  const isHeld = sql`exists (select from jsonb_array_elements(sim.blocks) as held (block) where block ->> 'code' <> 'rule')`
  return sql`
    when ${can(simActionTo(state)!)} then case when ${state} = 'active' and ${isHeld} then 'blocked' else 'changed' end
    when sim.state = ${state} then 'already'
    when sim.state in ('terminated', 'inventory') then sim.state
    else 'wrong_state'`
}

/** Whether an action can be done on `sim`: of each kind of SIM `simCan` says in which states it can. */
function can(action: SimAction) {
  const kinds = [true, false].flatMap((never) => [true, false].map((held) => ({ never, held })))
  const ofKind = kinds.map(({ never, held }) => {
    const of = { activated_at: never ? null : 'once', blocks: held ? [{ code: 'rule' }] : [] }
    const states = SimState.options.filter((state) => simCan(action, { state, ...of }))
    return sql`(sim.activated_at is null) = ${never} and (sim.blocks @> '[{"code": "rule"}]') = ${held} and sim.state = any(${states}::text[])`
  })
  return sql`(${sql.join(ofKind, sql` or `)})`
}

function ofTags({ tags: limits }: Viewer, { add_tags, remove_tags }: Pick<Wish, 'add_tags' | 'remove_tags'>) {
  const ids = add_tags ?? remove_tags ?? []
  const countOf = (condition = sql``) =>
    sql`(select count(*) from asset_tag t where t.account_id = asset.account_id and t.asset_id = asset.id ${condition})`
  const present = countOf(sql`and t.tag_id = any(${ids}::text[])`)
  if (add_tags) {
    return sql`when ${present} = ${ids.length} then 'already'
      when ${countOf()} + ${ids.length} - ${present} > ${mostTagsOfAsset} then 'too_many_tags' else 'changed'`
  }
  // Whoever is limited to tags keeps one of them on the asset, or they would not see it any more.
  const stays = countOf(sql`and t.tag_id = any(${limits}::text[]) and t.tag_id <> all(${ids}::text[])`)
  return sql`when ${present} = 0 then 'already' ${limits.length > 0 ? sql`when ${stays} = 0 then 'last_tag'` : sql``} else 'changed'`
}

/** Outcomes as the wire has them. */
export function previewOf({ changed = 0, blocked = 0, ...left }: Outcomes): BulkPreview {
  const reasons = Object.entries(left) as [LeftReason, number][]
  return {
    total: reasons.reduce((sum, [, count]) => sum + count, changed + blocked),
    changed: changed + blocked,
    still_blocked: blocked,
    left: reasons.map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count),
  }
}
