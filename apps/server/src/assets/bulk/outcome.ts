import { sql, type RawBuilder } from 'kysely'
import { mostTagsOfAsset, type BulkPreview, type LeftReason } from '@masthead/contract/assets/bulk'
import type { BulkAction } from '@masthead/contract/assets/bulk-action'
import { simActions, type SimAction, type SimState } from '@masthead/contract/assets/sim'
import type { Db } from '../../kernel/app.ts'
import { visibleTo, type Viewer } from '../index.ts'
import type { NamedTag } from '../../tags/index.ts'

/** What becomes of an asset: `blocked` is changed too, but a block keeps its SIM off the network. */
export type Outcome = 'changed' | 'blocked' | LeftReason
export type Outcomes = Partial<Record<Outcome, number>>

/** What is to be done, `tags` for the actions on tags. */
export type Work = { action: BulkAction; tags: readonly NamedTag[]; network_group: { id: string; name: string } | null }

/** The action on a SIM that each stands for, and the state it leads to. */
export const simWork: Partial<Record<BulkAction, { action: SimAction; state: SimState }>> = {
  activate_sim: { action: 'activate', state: 'active' },
  deactivate_sim: { action: 'deactivate', state: 'inactive' },
}

type Ids = RawBuilder<{ id: string }>
export type Judged = {
  asset_id: string
  asset_name: string | null
  sim_id: string | null
  iccid: string | null
  outcome: Outcome
}

/** Says of each asset what the work would do to it now. */
export async function judge(db: Db, viewer: Viewer, work: Work, ids: Ids): Promise<Judged[]> {
  const { rows } = await sql<Judged>`select wanted.id as asset_id, asset.name as asset_name, sim.id as sim_id, sim.iccid,
    ${outcomeOf(viewer, work)} as outcome from ${judgedAssets(viewer, ids)}`.execute(db)
  return rows
}

/** How many assets the work would bring to what. */
export async function countOutcomes(db: Db, viewer: Viewer, work: Work, ids: Ids): Promise<Outcomes> {
  const { rows } = await sql<{ outcome: Outcome; count: number }>`with chosen as materialized (${ids})
    select ${outcomeOf(viewer, work)} as outcome, count(*) as count from ${judgedAssets(viewer, sql`select id from chosen`)} group by 1`.execute(
    db
  )
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
}

const judgedAssets = (viewer: Viewer, ids: Ids) => sql`(${ids}) wanted
  left join asset on asset.id = wanted.id and ${visibleTo(viewer)}
  left join sim on sim.account_id = asset.account_id and sim.id = asset.sim_id`

function outcomeOf(viewer: Viewer, work: Work): RawBuilder<Outcome> {
  const own = simWork[work.action]
  return sql`case when asset.id is null then 'gone' ${own ? ofSim(own) : work.network_group ? ofGroup(work.network_group.id) : ofTags(viewer, work)} end`
}

const ofSim = ({ action, state }: { action: SimAction; state: SimState }) => sql`
  when sim.id is null then 'no_sim'
  when sim.state = any(${simActions[action]}::text[]) then case when ${state} = 'active' and sim.blocks <> '[]' then 'blocked' else 'changed' end
  when sim.state = ${state} then 'already'
  else sim.state`

const ofGroup = (group_id: string) => sql`
  when sim.id is null then 'no_sim' when coalesce(sim.group_id, 'default') = ${group_id} then 'already' else 'changed'`

function ofTags({ tags: limits }: Viewer, { action, tags }: Work) {
  const ids = tags.map((tag) => tag.tag_id)
  const countOf = (condition = sql``) =>
    sql`(select count(*) from asset_tag t where t.account_id = asset.account_id and t.asset_id = asset.id ${condition})`
  const present = countOf(sql`and t.tag_id = any(${ids}::text[])`)
  if (action === 'add_tags') {
    return sql`when ${present} = ${ids.length} then 'already'
      when ${countOf()} + ${ids.length} - ${present} > ${mostTagsOfAsset} then 'too_many_tags' else 'changed'`
  }
  // Whoever is limited to tags keeps one of them on the asset, or it would be out of their sight.
  const stays = countOf(sql`and t.tag_id = any(${limits}::text[]) and t.tag_id <> all(${ids}::text[])`)
  return sql`when ${present} = 0 then 'already' ${limits.length > 0 ? sql`when ${stays} = 0 then 'last_tag'` : sql``} else 'changed'`
}

/** Outcomes as the wire has them. */
export function told({ changed = 0, blocked = 0, ...left }: Outcomes): BulkPreview {
  const reasons = Object.entries(left) as [LeftReason, number][]
  return {
    total: reasons.reduce((sum, [, count]) => sum + count, changed + blocked),
    changed: changed + blocked,
    still_blocked: blocked,
    left: reasons.map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count),
  }
}
