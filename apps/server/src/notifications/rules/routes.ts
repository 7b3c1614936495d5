import * as ops from '@masthead/contract/notifications/rule-operations'
import { read, write, type Route } from '../../kernel/http/routes.ts'
import { createRule, deleteRule, disableRule, enableRule, silenceRule, updateRule } from './change-rules.ts'
import { currencyOf, getRule, listFirings, listRules } from './rule-queries.ts'
import { previewRule } from './preview-rule.ts'
import { undoFiring } from './take-back.ts'

export const ruleRoutes: Route[] = [
  read(ops.listRules, async ({ db, actor }) => ({
    items: await listRules(db, actor),
    currency: await currencyOf(db, actor),
    sees_all: actor.tags.length === 0,
  })),
  read(ops.getRule, ({ db, actor, params }) => getRule(db, actor, params.rule_id)),
  write(ops.createRule, ({ db, actor, body }) => createRule(db, actor, body)),
  write(ops.updateRule, ({ db, actor, params, body }) => updateRule(db, actor, params.rule_id, body)),
  write(ops.enableRule, ({ db, actor, params }) => enableRule(db, actor, params.rule_id)),
  write(ops.disableRule, ({ db, actor, params }) => disableRule(db, actor, params.rule_id)),
  write(ops.silenceRule, ({ db, actor, params, body }) => silenceRule(db, actor, params.rule_id, body)),
  write(ops.deleteRule, ({ db, actor, params }) => deleteRule(db, actor, params.rule_id)),
  write(ops.previewRule, ({ db, actor, body }) => previewRule(db, actor, body)),
  read(ops.listFirings, ({ db, actor, params, query }) => listFirings(db, actor, params.rule_id, query)),
  write(ops.undoFiring, ({ db, actor, params }) => undoFiring(db, actor, params.rule_id, params.firing_id)),
]
