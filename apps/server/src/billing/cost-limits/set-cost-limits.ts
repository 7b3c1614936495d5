import { costLimitsChanged } from '@masthead/contract/billing/cost-limits/events'
import type { setCostLimits as setOp } from '@masthead/contract/billing/cost-limits/operations'
import { formatMoney, micros } from '@masthead/contract/billing/money'
import type { BalanceRules } from '@masthead/contract/billing/refill/refill'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { forbidden, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { lockRule, rulesOf } from '../refill/index.ts'

/** Says what data may cost. Access-Requests are answered by it at once; blocks and open sessions follow by a job. Throws billing_off, forbidden. */
export async function setCostLimits(tx: Tx, actor: Actor, wanted: Parsed<typeof setOp>['body']): Promise<BalanceRules> {
  const { account_id, at, tags } = actor
  // They concern SIMs that a limited member does not see.
  if (tags.length > 0) throw new Problem(forbidden, 'Your access is limited to some tags, so you cannot change cost limits')
  const { rule, currency } = await lockRule(tx, actor)
  const { most_price_micros, price_action, sim_day_micros } = wanted
  const isSamePrice = most_price_micros === rule.most_price_micros
  if (isSamePrice && price_action === rule.price_action && sim_day_micros === rule.sim_day_micros) return rulesOf(tx, actor)
  await tx
    .updateTable('balance_rule')
    .set({ ...wanted, ...(!isSamePrice && { price_since: at }) })
    .where('account_id', '=', account_id)
    .execute()
  const words = (amount: number | null) => (amount === null ? null : formatMoney(micros(amount), currency))
  const rules = await rulesOf(tx, actor)
  const detail = { price: words(most_price_micros), price_action, sim_day: words(sim_day_micros), megabyte: rules.megabyte }
  await record(tx, actor, costLimitsChanged, detail)
  await addJob(tx, 'billing.follow_cost_limits', { account_id })
  // A session that a meter began meanwhile, by what it knew before, is checked after.
  await addJob(tx, 'billing.follow_cost_limits', { account_id }, { runAt: new Date(at.getTime() + onItsWay) })
  return rules
}

const onItsWay = 3000 // ms
