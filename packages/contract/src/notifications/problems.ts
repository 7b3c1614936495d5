import { problem } from '../kernel/problem.ts'
import { mostRules } from './rule.ts'

export const tooManyRules = problem({ code: 'too_many_rules', status: 409, title: `An account has at most ${mostRules} alert rules` })
export const ruleNeedsAllAssets = problem({
  code: 'rule_needs_all_assets',
  status: 403,
  title: 'Rules watch all assets of the account. Somebody who sees all of them can change rules',
})
export const ruleActsOnSims = problem({
  code: 'rule_acts_on_sims',
  status: 403,
  title: 'This rule changes SIMs, for which you need the permission to edit assets',
})
export const firingSettled = problem({ code: 'firing_settled', status: 409, title: 'There is nothing to call off or to take back' })
export const viewNotShared = problem({
  code: 'view_not_shared',
  status: 409,
  title: 'A rule watches a view that the team shares: share this one first',
})
