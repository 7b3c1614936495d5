import { sql } from 'kysely'
import { listAssets } from '@masthead/contract/assets/operations'
import { getCostSummary } from '@masthead/contract/billing/cost-operations'
import type { Currency } from '@masthead/contract/billing/money'
import { listDataPools } from '@masthead/contract/datapools/operations'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { PageQuery } from '@masthead/contract/kernel/page'
import { tellsCosts, type Rule, type RuleMetric } from '@masthead/contract/notifications/rule'
import type { RuleAction } from '@masthead/contract/notifications/rule-action'
import type { Firing, FiringState } from '@masthead/contract/notifications/rule-firing'
import { actorMay, type Actor, type Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { visibleTo, type Viewer } from '../../assets/index.ts'
import { isSilenced } from './firing-rows.ts'

const month = 30 * 86_400_000

/** Of a firing `f`: its asset is one that they see. What is about no asset, and assets that are gone, are for whoever sees all. */
const seenBy = (viewer: Viewer) =>
  viewer.tags.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from asset where asset.id = f.asset_id and ${visibleTo(viewer)})`

/** All rules of an account by name (there are some dozens), or one. */
export async function listRules(db: Db, viewer: Viewer, id: string | null = null): Promise<Rule[]> {
  const { account_id, at } = viewer
  const rows = await db
    .selectFrom('alert_rule as r')
    .leftJoin('network_group as g', (join) => join.onRef('g.account_id', '=', 'r.account_id').onRef('g.id', '=', 'r.network_group_id'))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('alert_rule_firing as f')
          .select(({ fn }) => [
            sql<number>`count(*) filter (where not f.further)::int`.as('firings'),
            fn.max('f.at').as('last_fired_at'),
            sql<number>`count(*) filter (where f.act_at is not null and f.outcome is null)::int`.as('waiting'),
          ])
          .whereRef('f.account_id', '=', 'r.account_id')
          .whereRef('f.rule_id', '=', 'r.id')
          .where('f.at', '>', new Date(at.getTime() - month))
          .where(seenBy(viewer))
          .as('fired'),
      (join) => join.onTrue()
    )
    .leftJoin('asset_view as v', (join) => join.onRef('v.account_id', '=', 'r.account_id').onRef('v.id', '=', 'r.view_id'))
    .leftJoin('billing_account as b', 'b.account_id', 'r.account_id')
    .selectAll('r')
    .select(['v.name as view_name', 'g.name as group_name', 'b.currency', 'fired.firings', 'fired.last_fired_at', 'fired.waiting'])
    .select(
      sql<number>`(select count(distinct f.sim_id)::int from alert_rule_firing f where f.account_id = r.account_id and f.rule_id = r.id and f.undo_at is not null
        and ${seenBy(viewer)})`.as('due_back')
    )
    .where('r.account_id', '=', account_id)
    .where('r.deleted_at', 'is', null)
    .$if(id !== null, (query) => query.where('r.id', '=', id!))
    .orderBy(sql`lower(r.name)`)
    .orderBy('r.id')
    .execute()
  return rows.map(
    ({ account_id: _account, person_id: _person, key_id: _key, deleted_at: _deleted, network_group_id, group_name, ...row }): Rule => {
      const { enabled_at, ...shown } = row
      return {
        ...shown,
        network_group: network_group_id === null ? null : { id: network_group_id, name: group_name ?? 'A group that is gone' },
        enabled: enabled_at !== null,
        silenced_until: isSilenced(row, at) ? row.silenced_until!.toISOString() : null,
        created_at: row.created_at.toISOString(),
        looked_at: row.looked_at?.toISOString() ?? null,
        last_fired_at: (row.last_fired_at as Date | null)?.toISOString() ?? null,
      }
    }
  )
}

/** In which an account is charged; null: it is not. */
export async function currencyOf(db: Db, { account_id }: Viewer): Promise<Currency | null> {
  const charged = await db.selectFrom('billing_account').select('currency').where('account_id', '=', account_id).executeTakeFirst()
  return charged?.currency ?? null
}

export async function getRule(db: Db, viewer: Viewer, id: string): Promise<Rule> {
  const [rule] = await listRules(db, viewer, id)
  if (!rule) throw new Problem(notFound)
  return rule
}

/** The words of why an action left a SIM as it was, or was not taken back. */
const leftWords: Record<string, string> = {
  already: 'The SIM was so already',
  lower_limit: 'The SIM has a lower limit',
  held: 'Another rule has taken the SIM over',
  no_sim: 'The asset has no SIM',
  gone: 'The asset is gone',
  terminated: 'The SIM is terminated',
  inventory: 'The SIM is in inventory',
  wrong_state: 'The state of the SIM does not allow it',
  beyond: 'More SIMs than the rule may change in a day',
  waits: 'What the rule does to it is to come already',
  group_gone: 'The network group is gone',
  no_limit: 'The rule names no limit any more',
  switched_off: 'The rule was switched off before',
  swapped: 'The asset has another SIM by now',
  late: 'Its data came too late for an action',
  failed: 'It failed each time it was tried, for an hour',
  closed: 'The account was closed or suspended',
  silenced: 'The rule was silenced',
  not_allowed: 'Whoever set up the rule may no longer change SIMs',
  changed_since: 'Somebody has changed the SIM since',
  not_undoable: 'The SIM cannot become what it was before',
}

export const whyLeft = (undo_left: string) => leftWords[undo_left] ?? leftWords.not_undoable!

type Row = Pick<Firing, 'id' | 'asset_id' | 'asset_name' | 'pool_id' | 'pool_name' | 'day' | 'value' | 'action'> & {
  at: Date
  act_at: Date | null
  outcome: string | null
  undone_at: Date | null
  undone_by: string | null
  undo_at: Date | null
  undo_left: string | null
}

/** `acts`: what fires is followed by an action. */
function stateOf({ act_at, outcome, undone_at }: Row): FiringState {
  if (outcome === 'called_off') return 'called_off'
  if (undone_at) return 'undone'
  if (outcome === 'changed' || outcome === 'blocked') return 'done'
  if (outcome === 'silenced') return 'silenced'
  if (outcome !== null) return 'left'
  return act_at ? 'waiting' : 'told'
}

/** Whoever may not see assets, or data pools, sees that it fired, and not for which. */
function asFiring(actor: Actor, metric: RuleMetric, row: Row): Firing {
  const sees = actorMay(actor, listAssets.access)
  const seesPools = actorMay(actor, listDataPools.access)
  const { id, day, value, at, action, act_at, undo_at } = row
  return {
    id,
    asset_id: sees ? row.asset_id : null,
    asset_name: sees ? row.asset_name : null,
    pool_id: seesPools ? row.pool_id : null,
    pool_name: seesPools ? row.pool_name : null,
    day,
    value: tellsCosts(metric) && !actorMay(actor, getCostSummary.access) ? null : Number(value),
    at: at.toISOString(),
    action,
    state: stateOf(row),
    act_at: act_at?.toISOString() ?? null,
    undo_at: undo_at?.toISOString() ?? null,
    words: wordsOf(row),
  }
}

function wordsOf({ outcome, undone_at, undone_by, undo_left }: Row): string | null {
  if (undone_by) return `By ${undone_by}`
  if (undone_at) return 'By the rule, as its time was over'
  if (undo_left) return `Not taken back. ${whyLeft(undo_left)}`
  return leftWords[outcome ?? ''] ?? null
}

const firingsOf = (db: Db, viewer: Viewer, rule_id: string) =>
  db
    .selectFrom('alert_rule_firing as f')
    .where('f.account_id', '=', viewer.account_id)
    .where('f.rule_id', '=', rule_id)
    .where(seenBy(viewer))

const columns = [
  sql<string>`f.id`.as('id'),
  sql<string | null>`f.asset_id`.as('asset_id'),
  sql<string | null>`(select a.name from asset a where a.account_id = f.account_id and a.id = f.asset_id)`.as('asset_name'),
  sql<string | null>`f.pool_id`.as('pool_id'),
  sql<string | null>`(select p.name from data_pool p where p.account_id = f.account_id and p.id = f.pool_id)`.as('pool_name'),
  sql<string>`f.day::text`.as('day'),
  sql<number>`f.value::float8`.as('value'),
  sql<Date>`f.at`.as('at'),
  sql<RuleAction | null>`f.action`.as('action'),
  sql<Date | null>`f.act_at`.as('act_at'),
  sql<string | null>`f.outcome`.as('outcome'),
  sql<Date | null>`f.undone_at`.as('undone_at'),
  sql<string | null>`f.undone_by`.as('undone_by'),
  sql<Date | null>`f.undo_at`.as('undo_at'),
  sql<string | null>`f.undo_left`.as('undo_left'),
]

export async function listFirings(db: Db, actor: Actor, rule_id: string, query: PageQuery) {
  const { metric } = await getRule(db, actor, rule_id)
  return pageByKey(db, query, {
    name: 'firings',
    all: firingsOf(db, actor, rule_id),
    keys: [{ of: sql.ref('f.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.select(columns),
    items: (rows: Row[]) => rows.map((row) => asFiring(actor, metric, row)),
  })
}

export async function getFiring(db: Db, actor: Actor, rule_id: string, id: string): Promise<Firing> {
  const row = await firingsOf(db, actor, rule_id).where('f.id', '=', id).select(columns).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  const { metric } = await getRule(db, actor, rule_id)
  return asFiring(actor, metric, row)
}
