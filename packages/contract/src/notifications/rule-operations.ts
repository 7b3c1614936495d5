import * as z from 'zod/mini'
import { Currency } from '../billing/money.ts'
import { AskedTime } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound } from '../kernel/problem.ts'
import { groupUnknown } from '../network-groups/problems.ts'
import { firingSettled, ruleActsOnSims, ruleNeedsAllAssets, tooManyRules, viewNotShared } from './problems.ts'
import { mostRules, Rule, RuleChange, RuleFields } from './rule.ts'
import { Firing, RuleTrial } from './rule-firing.ts'

/** By name. A member limited by tags counts the firings of their assets alone. `currency`: in which the account is charged; null: it is not. */
export const listRules = operation({
  name: 'notifications.listRules',
  method: 'GET',
  path: '/notifications/rules',
  summary: `List alert rules (at most ${mostRules})`,
  access: 'notifications.view',
  /** `sees_all`: whoever sees some of the assets alone leaves it to others to change rules. */
  reply: z.object({ items: z.array(Rule), currency: z.nullable(Currency), sees_all: z.boolean() }),
})

export const getRule = operation({
  name: 'notifications.getRule',
  method: 'GET',
  path: '/notifications/rules/{rule_id}',
  summary: 'One alert rule',
  access: 'notifications.view',
  reply: Rule,
  problems: [notFound],
})

const writes = [ruleNeedsAllAssets, ruleActsOnSims, groupUnknown, viewNotShared] as const

/** It is switched off until it is enabled, so that it can be tried before. Needs the permission to see assets, too. */
export const createRule = operation({
  name: 'notifications.createRule',
  method: 'POST',
  path: '/notifications/rules',
  summary: 'Create an alert rule, switched off',
  access: 'notifications.edit',
  body: RuleFields,
  reply: Rule,
  problems: [...writes, tooManyRules],
})

/** Where it measures or does another thing than before, actions that are to come are called off. Needs the permission to see assets, too. */
export const updateRule = operation({
  name: 'notifications.updateRule',
  method: 'PUT',
  path: '/notifications/rules/{rule_id}',
  summary: 'Change an alert rule',
  access: 'notifications.edit',
  body: RuleChange,
  reply: Rule,
  problems: [notFound, ...writes],
})

/** It looks at the day that runs, and at those that follow. */
export const enableRule = operation({
  name: 'notifications.enableRule',
  method: 'POST',
  path: '/notifications/rules/{rule_id}/enable',
  summary: 'Switch an alert rule on',
  access: 'notifications.edit',
  reply: Rule,
  problems: [notFound, ruleNeedsAllAssets, ruleActsOnSims],
})

/** Actions that are to come are called off. */
export const disableRule = operation({
  name: 'notifications.disableRule',
  method: 'POST',
  path: '/notifications/rules/{rule_id}/disable',
  summary: 'Switch an alert rule off',
  access: 'notifications.edit',
  reply: Rule,
  problems: [notFound, ruleNeedsAllAssets],
})

/** Until that time it notifies nobody and changes no SIM, and actions that fall due are not done; what it fires for stands in its history. What it did for a while is taken back all the same. Null: it is silenced no longer. */
export const silenceRule = operation({
  name: 'notifications.silenceRule',
  method: 'POST',
  path: '/notifications/rules/{rule_id}/silence',
  summary: 'Silence an alert rule until a time, or end that',
  access: 'notifications.edit',
  body: z.object({ until: z.nullable(AskedTime) }),
  reply: Rule,
  problems: [notFound, ruleNeedsAllAssets],
})

export const deleteRule = operation({
  name: 'notifications.deleteRule',
  method: 'DELETE',
  path: '/notifications/rules/{rule_id}',
  summary: 'Delete an alert rule and its history',
  access: 'notifications.edit',
  problems: [notFound, ruleNeedsAllAssets],
})

/** Changes nothing. Needs the permission to see assets, too. Assets and their tags are taken as they are now. */
export const previewRule = operation({
  name: 'notifications.previewRule',
  method: 'POST',
  path: '/notifications/rules/preview',
  summary: 'What an alert rule would have done in the last 30 days',
  access: 'notifications.edit',
  body: RuleFields,
  reply: RuleTrial,
  problems: [ruleNeedsAllAssets, viewNotShared],
})

/** Newest first; kept for 90 days. A member limited by tags sees those of their assets; whoever may not see assets does not get which they are. */
export const listFirings = operation({
  name: 'notifications.listFirings',
  method: 'GET',
  path: '/notifications/rules/{rule_id}/firings',
  summary: 'When an alert rule fired, and what it did',
  access: 'notifications.view',
  query: PageQuery,
  reply: page(Firing),
  problems: [notFound],
})

/** An action to come is called off. One that was done is taken back by whoever may edit assets, unless somebody has changed the SIM since. */
export const undoFiring = operation({
  name: 'notifications.undoFiring',
  method: 'POST',
  path: '/notifications/rules/{rule_id}/firings/{firing_id}/undo',
  summary: 'Call off what a rule is about to do to a SIM, or take it back',
  access: 'notifications.edit',
  reply: Firing,
  problems: [notFound, ruleNeedsAllAssets, ruleActsOnSims, firingSettled],
})
