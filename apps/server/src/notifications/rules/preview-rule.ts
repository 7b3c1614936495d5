import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { RuleFields } from '@masthead/contract/notifications/rule'
import type { RuleTrial } from '@masthead/contract/notifications/rule-firing'
import type { Actor, Tx } from '../../kernel/app.ts'
import { boundTime, failureWords, keepCool, listReached } from './measure.ts'
import { needAllAssets, needSeesAssets, needSeesShown, needSharedView } from './change-rules.ts'

const dayMs = 86_400_000
const mostReached = 20_000
const mostShown = 50
const tried = 30 // days

/** What a rule would have done in the last 30 days, the one that runs included: the same measure and the same limits as when it is on. */
export async function previewRule(tx: Tx, actor: Actor, rule: RuleFields): Promise<RuleTrial> {
  needAllAssets(actor)
  needSeesAssets(actor)
  needSeesShown(actor, rule.metric)
  await needSharedView(tx, actor, rule)
  const dayBefore = (days: number) => new Date(actor.at.getTime() - days * dayMs).toISOString().slice(0, 10)
  const days = { from: dayBefore(tried - 1), to: dayBefore(0) }
  await boundTime.execute(tx)
  const reached = await listReached(tx, actor.account_id, rule, { days, at: actor.at, most: mostReached + 1 }).catch(refuseWide)
  const byDay = new Map(Array.from({ length: tried }, (_, i) => [dayBefore(tried - 1 - i), { fired: 0, acted: 0 }]))
  const fired = keepCool(reached.slice(0, mostReached), rule.cooldown_days)
  // Of a rule whose action waits for the next month, all of a month are done on one day, each SIM once.
  const doneAtOnce = new Map<string, Set<string>>()
  for (const { day, sim_id } of fired) {
    const counted = byDay.get(day)!
    counted.fired++
    const of = rule.starts === 'month' ? day.slice(0, 7) : day
    const before = doneAtOnce.get(of) ?? new Set<string>()
    if (rule.action === 'tell' || before.has(sim_id ?? '') || before.size >= rule.most_sims) continue
    counted.acted++
    doneAtOnce.set(of, before.add(sim_id ?? ''))
  }
  const counts = [...byDay].map(([day, counted]) => ({ day, ...counted }))
  return {
    ...days,
    fired: fired.length,
    sims: new Set(fired.flatMap(({ sim_id, asset_id, pool_id }) => sim_id ?? asset_id ?? pool_id ?? [])).size,
    acted: counts.reduce((sum, { acted }) => sum + acted, 0),
    capped: reached.length > mostReached,
    days: counts,
    latest: fired
      .slice(-mostShown)
      .toReversed()
      .map(({ sim_id: _, ...one }) => one),
  }
}

function refuseWide(error: unknown): never {
  const words = failureWords(error)
  if (words === null || error instanceof Problem) throw error
  throw new Problem(invalidRequest, words, { fields: { scope: words } })
}
