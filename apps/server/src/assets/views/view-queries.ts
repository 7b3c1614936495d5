import { sql } from 'kysely'
import { AssetSort } from '@masthead/contract/assets/asset-filter'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { AssetView } from '@masthead/contract/assets/views/view-operations'
import { listRules } from '@masthead/contract/notifications/rule-operations'
import { actorMay, type Actor, type Db, type Tx } from '../../kernel/app.ts'

/** A view is theirs, or the team's. */
const viewsSeen = (db: Db, { account_id, person_id }: Actor) =>
  db
    .selectFrom('asset_view as v')
    .where('v.account_id', '=', account_id)
    .where(({ eb, or }) => or([eb('v.shared', '=', true), eb('v.person_id', '=', person_id)]))

/** The shared ones first, by name; there are some dozens. `id`: that one alone. */
export async function listViews(db: Db, actor: Actor, id: string | null = null): Promise<AssetView[]> {
  const rows = await viewsSeen(db, actor)
    .$if(id !== null, (query) => query.where('v.id', '=', id!))
    .leftJoin('alert_rule as r', (join) => join.onRef('r.account_id', '=', 'v.account_id').onRef('r.view_id', '=', 'v.id'))
    .selectAll('v')
    .select(({ selectFrom }) => [
      'r.id as rule_id',
      'r.enabled_at',
      selectFrom('alert_rule_firing as f')
        .select(({ fn }) => fn.max('f.at').as('at'))
        .whereRef('f.account_id', '=', 'r.account_id')
        .whereRef('f.rule_id', '=', 'r.id')
        .as('fired_at'),
    ])
    .distinctOn(['v.shared', sql`lower(v.name)`, 'v.id'])
    .orderBy('v.shared', 'desc')
    .orderBy(sql`lower(v.name)`)
    .orderBy('v.id')
    .orderBy(sql`r.enabled_at is null`)
    .orderBy('r.id')
    .execute()
  // Of a rule with all the assets of the account is notified who may read notifications and sees all.
  const seesWatch = actorMay(actor, listRules.access) && actor.tags.length === 0
  return rows.map(({ account_id: _, person_id, rule_id, enabled_at, fired_at, updated_at, ...row }) => ({
    ...row,
    // Saved by a release that ordered by more than this one does.
    sort: AssetSort.safeParse(row.sort).data ?? 'name',
    mine: person_id === actor.person_id,
    updated_at: updated_at.toISOString(),
    watch: seesWatch && rule_id ? { rule_id, enabled: enabled_at !== null, last_fired_at: fired_at?.toISOString() ?? null } : null,
  }))
}

export async function getView(db: Db, actor: Actor, id: string): Promise<AssetView> {
  const [view] = await listViews(db, actor, id)
  if (!view) throw new Problem(notFound)
  return view
}

export async function getViewForUpdate(tx: Tx, actor: Actor, id: string) {
  const row = await viewsSeen(tx, actor).selectAll('v').where('v.id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}
