import { listAssets } from '@masthead/contract/assets/operations'
import { setSimLimit } from '@masthead/contract/assets/sim-operations'
import { forbidden, invalidRequest, notFound, Problem } from '@masthead/contract/kernel/problem'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { ruleCreated, ruleDeleted, ruleDisabled, ruleEnabled, ruleSilenced, ruleUpdated } from '@masthead/contract/notifications/events'
import { ruleActsOnSims, ruleNeedsAllAssets, tooManyRules, viewNotShared } from '@masthead/contract/notifications/problems'
import { mostRules, shownBy, type Rule, type RuleChange, type RuleFields, type RuleMetric } from '@masthead/contract/notifications/rule'
import { actionsOf, type RuleAction } from '@masthead/contract/notifications/rule-action'
import { actorMay, type Actor, type Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { getGroupByWord } from '../../network-groups/index.ts'
import { forgetDeleted, isSilenced, type RuleRow } from './firing-rows.ts'
import { makerOf } from './rule-maker.ts'
import { getRule } from './rule-queries.ts'

const ruleId = idKind('rul')

/** A rule watches what its maker sees; whoever sees some assets alone leaves rules to others. */
export function needAllAssets({ tags }: Pick<Actor, 'tags'>): void {
  if (tags.length > 0) throw new Problem(ruleNeedsAllAssets)
}

/** What a rule finds is about assets and what they do. */
export function needSeesAssets(actor: Actor): void {
  if (!actorMay(actor, listAssets.access))
    throw new Problem(forbidden, 'A rule is about assets, which you do not have the permission to see')
}

/** What a rule finds of costs, data pools or prices one could look at oneself. */
export function needSeesShown(actor: Actor, metric: RuleMetric): void {
  const shown = shownBy(metric)
  if (shown && !actorMay(actor, shown.access))
    throw new Problem(forbidden, `This rule is about ${shown.what}, which you do not have the permission to see`)
}

/** What a rule does to SIMs one could do oneself. */
export function needActs(actor: Actor, action: RuleAction): void {
  if (action !== 'tell' && !actorMay(actor, setSimLimit.access)) throw new Problem(ruleActsOnSims)
}

/** Created switched off: to be tried first. Throws rule_needs_all_assets, rule_acts_on_sims, network_group_unknown, too_many_rules. */
export async function createRule(tx: Tx, actor: Actor, fields: RuleFields): Promise<Rule> {
  const { account_id, at, email } = actor
  // One after the other, so that two at once do not both find room. Before the view is locked, as whoever changes a view does.
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const row = await rowOf(tx, actor, fields)
  const { count } = await tx
    .selectFrom('alert_rule')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= mostRules) throw new Problem(tooManyRules)
  const id = newId(ruleId, at.getTime())
  await tx
    .insertInto('alert_rule')
    .values({ account_id, id, ...row, enabled_at: null, created_at: at, created_by: email })
    .execute()
  await record(tx, actor, ruleCreated, { rule_id: id, rule_name: fields.name })
  return getRule(tx, actor, id)
}

/** Of a rule what decides for which SIMs it fires, and what is done to them when. */
const deciding = [
  ...(['metric', 'threshold', 'countries', 'scope', 'view_id'] as const),
  ...(['action', 'more_actions', 'network_group_id', 'limit_bytes', 'limit_period', 'lasts', 'starts', 'after_minutes'] as const),
]

/** What fires from now on does as it says now. Where that is another thing than before, what is about to be done to SIMs is called off. */
export async function updateRule(tx: Tx, actor: Actor, id: string, { starts, more_actions, ...fields }: RuleChange): Promise<Rule> {
  const said = await rowOf(tx, actor, { ...fields, starts: starts ?? 'now', more_actions: more_actions ?? [] })
  const before = await lockRule(tx, actor, id)
  // A program of before there were later beginnings, or several actions, does not end them.
  const row = {
    ...said,
    ...(starts === undefined && said.action !== 'tell' && { starts: before.starts }),
    ...(more_actions === undefined && said.action === before.action && said.metric === before.metric && moreOf(said, before)),
  }
  const isAnother = deciding.some((field) => String(before[field]) !== String(row[field]))
  // What it says now it says from now on: days before are not checked by it.
  const enabled_at = before.enabled_at && isAnother ? actor.at : before.enabled_at
  await tx
    .updateTable('alert_rule')
    .set({ ...row, enabled_at })
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .execute()
  if (isAnother) await callOffWaiting(tx, actor, id)
  if (before.name !== fields.name) await addJob(tx, 'notifications.restate_rule', { account_id: actor.account_id, rule_id: id })
  await record(tx, actor, ruleUpdated, { rule_id: id, rule_name: fields.name })
  return getRule(tx, actor, id)
}

/** What a rule did besides its action, with what it needs for that. */
const moreOf = (said: Parts, { more_actions, network_group_id, limit_bytes, limit_period }: Parts): Parts => ({
  more_actions,
  network_group_id: said.network_group_id ?? (more_actions.includes('set_network_group') ? network_group_id : null),
  ...(more_actions.includes('set_limit')
    ? { limit_bytes, limit_period }
    : { limit_bytes: said.limit_bytes, limit_period: said.limit_period }),
})
type Parts = Pick<RuleRow, 'more_actions' | 'network_group_id' | 'limit_bytes' | 'limit_period'>

export async function enableRule(tx: Tx, actor: Actor, id: string): Promise<Rule> {
  needAllAssets(actor)
  const { action, metric, name, enabled_at } = await lockRule(tx, actor, id)
  needSeesShown(actor, metric)
  needActs(actor, action)
  if (enabled_at === null) {
    const { account_id, at } = actor
    await tx
      .updateTable('alert_rule')
      .set({ enabled_at: at, failed_words: null, ...makerOf(actor) })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute()
    await record(tx, actor, ruleEnabled, { rule_id: id, rule_name: name })
  }
  return getRule(tx, actor, id)
}

export async function disableRule(tx: Tx, actor: Actor, id: string): Promise<Rule> {
  needAllAssets(actor)
  const { name, enabled_at } = await lockRule(tx, actor, id)
  if (enabled_at !== null) {
    await tx.updateTable('alert_rule').set({ enabled_at: null }).where('account_id', '=', actor.account_id).where('id', '=', id).execute()
    await callOffWaiting(tx, actor, id)
    await record(tx, actor, ruleDisabled, { rule_id: id, rule_name: name })
  }
  return getRule(tx, actor, id)
}

/** `until`: null ends it. */
export async function silenceRule(tx: Tx, actor: Actor, id: string, { until }: { until: string | null }): Promise<Rule> {
  needAllAssets(actor)
  const { account_id, at } = actor
  const rule = await lockRule(tx, actor, id)
  const silenced_until = until === null ? null : new Date(until)
  if (silenced_until && silenced_until <= at) throw new Problem(invalidRequest, isOver, { fields: { until: isOver } })
  const before = isSilenced(rule, at) ? rule.silenced_until : null
  if (before?.getTime() !== silenced_until?.getTime()) {
    await tx.updateTable('alert_rule').set({ silenced_until }).where('account_id', '=', account_id).where('id', '=', id).execute()
    await record(tx, actor, ruleSilenced, { rule_id: id, rule_name: rule.name, until })
  }
  return getRule(tx, actor, id)
}
const isOver = 'Choose a time that is still to come'

/** Nobody sees it from now on, and it fires no more. What it did to SIMs for a while is taken back all the same, so its row goes once that is done. */
export async function deleteRule(tx: Tx, actor: Actor, id: string): Promise<void> {
  needAllAssets(actor)
  const { name } = await lockRule(tx, actor, id)
  await callOffWaiting(tx, actor, id)
  await tx
    .updateTable('alert_rule')
    .set({ deleted_at: actor.at, enabled_at: null, view_id: null })
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .execute()
  await forgetDeleted(tx, actor.account_id)
  await record(tx, actor, ruleDeleted, { rule_id: id, rule_name: name })
}

async function rowOf(tx: Tx, actor: Actor, { network_group, limit_bytes, lasts, starts, ...fields }: RuleFields) {
  needAllAssets(actor)
  needSeesAssets(actor)
  needSeesShown(actor, fields.metric)
  needActs(actor, fields.action)
  await needSharedView(tx, actor, fields)
  const actions = actionsOf(fields)
  const group = actions.includes('set_network_group') ? await getGroupByWord(tx, actor, network_group!, 'network_group') : null
  return {
    ...fields,
    network_group_id: group?.id ?? null,
    limit_bytes: actions.includes('set_limit') ? limit_bytes : null,
    lasts: fields.action === 'tell' ? 'for_good' : lasts,
    starts: fields.action === 'tell' ? 'now' : starts,
    ...makerOf(actor),
  } as const
}

export async function lockRule(tx: Tx, { account_id }: Pick<Actor, 'account_id'>, id: string) {
  const rule = await tx
    .selectFrom('alert_rule')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!rule) throw new Problem(notFound)
  return rule
}

const callOffWaiting = (tx: Tx, { account_id, at, email }: Actor, rule_id: string) =>
  tx
    .updateTable('alert_rule_firing')
    .set({ outcome: 'called_off', undone_at: at, undone_by: email })
    .where('account_id', '=', account_id)
    .where('rule_id', '=', rule_id)
    .where('act_at', 'is not', null)
    .where('outcome', 'is', null)
    .execute()

/** What the whole team is notified of, the whole team can look at: the view stays as it is until this is committed. */
export async function needSharedView(
  tx: Tx,
  { account_id }: Pick<Actor, 'account_id'>,
  { view_id }: Pick<RuleFields, 'view_id'>
): Promise<void> {
  if (view_id === null) return
  const view = await tx
    .selectFrom('asset_view')
    .select('shared')
    .where('account_id', '=', account_id)
    .where('id', '=', view_id)
    .forShare()
    .executeTakeFirst()
  if (!view?.shared) throw new Problem(viewNotShared)
}
