import { sql, type Selectable } from 'kysely'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { ruleMetrics, type RuleMetric } from '@masthead/contract/notifications/rule'
import { alertsChanged } from '@masthead/contract/signals'
import type { App, Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { publish } from '../../kernel/live/publish.ts'
import { beginOfNext, isOpen, isSilenced } from './firing-rows.ts'
import { raiseAlert } from '../raise-alert.ts'
import { boundTime, failureWords, keepCool, listReached, type Reached } from './measure.ts'
import { saidAlready } from './measures.ts'
import { alertAccess, alertsOf, failingAlert } from './rule-alerts.ts'
import { whyMayNot } from './rule-maker.ts'
import { unknownName } from './unknown-name.ts'

const firingId = idKind('fir')
/** New firings of one rule in one run; the rest is found in the next. */
const mostAtOnce = 1000
/** In one minute; what is left comes first in the next. */
const mostTime = 40_000
/** Usage of the last minutes of a day is rolled up after its end. */
const lateBy = 30 * 60_000
/** Another worker may have checked it a little later than this one began. */
const ahead = 5 * 60_000
const dayMs = 86_400_000
/** Records of usage come so much later at most; the first run of an hour reads back so far. */
const latest = 2 * dayMs

type Rule = Selectable<Database['alert_rule']>

/** Checks each rule that is on, the one that was checked longest ago first, once. */
export async function followRules(app: App): Promise<void> {
  const [begun, at] = [performance.now(), app.clock.now()]
  while (performance.now() - begun < mostTime) {
    const next = await app.db
      .selectFrom('alert_rule')
      .select(['account_id', 'id'])
      .where('enabled_at', 'is not', null)
      // While releases change, there may be rules that a worker of the newer one alone knows how to measure.
      .where('metric', 'in', Object.keys(ruleMetrics) as RuleMetric[])
      .where(isOpen('alert_rule.account_id'))
      // One that a clock that was ahead checked is not left until that time has come.
      .where(({ or, eb }) =>
        or([eb('looked_at', 'is', null), eb('looked_at', '<', at), eb('looked_at', '>', new Date(at.getTime() + ahead))])
      )
      .orderBy('looked_at', (order) => order.asc().nullsFirst())
      .limit(1)
      .executeTakeFirst()
    if (!next) return
    try {
      await app.db.transaction().execute((tx) => checkRule(tx, next, at))
    } catch (error) {
      // One that fails keeps none of the others waiting, which may be of other customers.
      app.log.warn({ err: error, rule_id: next.id }, 'an alert rule could not be checked')
      await app.db.transaction().execute(async (tx) => {
        const rule = await lockOn(tx, next)
        if (rule) await noteLook(tx, rule, at, failureWords(error) ?? ownErrorOf(rule))
      })
    }
  }
}

const ownError = 'Masthead met an error while it measured. It tries again each minute'
const ownErrorAgain =
  'Masthead meets an error each time it measures, so that the rule finds nothing. Ask support staff: the log has the cause'

/** One that comes and goes is nothing for whoever has the rule; one that stays is, though they cannot mend it: they count on the rule. */
const ownErrorOf = ({ failed_words }: Rule) => (failed_words === ownError || failed_words === ownErrorAgain ? ownErrorAgain : ownError)

/** Keeps when a rule was checked, and why it does not work as it should: said as it begins, because nobody opens a rule that says nothing. */
async function noteLook(tx: Tx, rule: Rule, at: Date, failed_words: string | null): Promise<void> {
  const { account_id, id } = rule
  const looked = { looked_at: at, failed_words }
  await tx.updateTable('alert_rule').set(looked).where('account_id', '=', account_id).where('id', '=', id).execute()
  if (failed_words === null || failed_words === ownError || failed_words === rule.failed_words) return
  await raiseAlert(tx, { account_id, raised_by: `${id} ${at.toISOString()}`, at }, failingAlert(rule, failed_words))
}

/** The rule, locked, where it is on. */
async function lockOn(tx: Tx, { account_id, id }: Pick<Rule, 'account_id' | 'id'>): Promise<Rule | undefined> {
  const rules = tx.selectFrom('alert_rule').selectAll().where('account_id', '=', account_id).where('id', '=', id)
  return rules.where('enabled_at', 'is not', null).forUpdate().executeTakeFirst()
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

const hourMs = 3_600_000
/** What came late, or while nothing ran, is found once an hour, so that a run each minute reads little more than a day. */
const lookBack = ({ looked_at }: Rule, at: Date) =>
  looked_at && Math.floor(looked_at.getTime() / hourMs) === Math.floor(at.getTime() / hourMs) ? lateBy : latest

/** Of a row `m` that is reached. */
const whoFires = { sim: sql`m.sim_id`, device: sql`m.asset_id`, pool: sql`m.pool_id`, account: sql`''` }

async function checkRule(tx: Tx, of: Pick<Rule, 'account_id' | 'id'>, at: Date): Promise<void> {
  await boundTime.execute(tx)
  const rule = await lockOn(tx, of)
  if (!rule?.enabled_at) return
  const { account_id, id } = rule
  const days = { from: dayOf(new Date(Math.max(at.getTime() - lookBack(rule, at), rule.enabled_at.getTime()))), to: dayOf(at) }
  const measured = { ...rule, threshold: Number(rule.threshold) }
  const who = whoFires[ruleMetrics[rule.metric].who]
  const again = saidAlready[rule.metric]?.(measured.threshold) ?? sql`false`
  const cooldown = sql`${rule.cooldown_days}::int`
  const unless = sql`exists (select from alert_rule_firing f where f.account_id = ${account_id} and f.rule_id = ${id}
    and coalesce(f.sim_id, f.asset_id, f.pool_id, '') = ${who} and (f.day > m.day - ${cooldown} and f.day < m.day + ${cooldown}
      or f.at >= ${rule.enabled_at} and ${again}))`
  const reached = keepCool(await listReached(tx, account_id, measured, { days, at, most: mostAtOnce, unless }), rule.cooldown_days)
  const mayNot = await whyMayNot(tx, rule, at)
  const failed_words =
    (await unknownName(tx, account_id, rule)) ??
    (mayNot === null ? null : `${mayNot}, so that it only notifies. Somebody who may change SIMs can save it again`)
  await noteLook(tx, rule, at, failed_words)
  if (reached.length === 0) return
  await fire(tx, rule, reached, { at, mayAct: mayNot === null })
}

/**
 * Keeps what fired and notifies, unless the rule is silenced; actions follow when they are due, for so many SIMs a day as the rule says. What is of a day before yesterday
 * says little of a SIM as it is by now: of that it only notifies.
 */
async function fire(tx: Tx, rule: Rule, reached: readonly Reached[], { at, mayAct }: { at: Date; mayAct: boolean }): Promise<void> {
  const { account_id, id: rule_id, most_sims, starts, action, more_actions } = rule
  const yesterday = dayOf(new Date(at.getTime() - dayMs))
  const { sims, waiting } = await listActing(tx, rule, at)
  const silenced = isSilenced(rule, at)
  const actionOf = ({ day, sim_id }: Reached) => {
    if (silenced) return { act_at: null, outcome: 'silenced' }
    if (action === 'tell') return { act_at: null, outcome: null }
    if (!mayAct) return { act_at: null, outcome: 'not_allowed' }
    if (day < yesterday) return { act_at: null, outcome: 'late' }
    const sim = sim_id ?? ''
    // One action is to come for a SIM, however often the rule fires until then: whoever calls it off has called off all.
    if (starts !== 'now' && waiting.has(sim)) return { act_at: null, outcome: 'waits' }
    const act_at = dueOf(rule, day, at)
    const taken = sims(act_at)
    if (!taken.has(sim) && taken.size >= most_sims) return { act_at: null, outcome: 'beyond' }
    taken.add(sim)
    waiting.add(sim)
    return { act_at, outcome: null }
  }
  const fired = reached.map((one) => ({ ...one, ...actionOf(one) }))
  const firings = fired.map(({ asset_name: _, pool_name: _name, ...one }) => ({
    ...one,
    account_id,
    rule_id,
    id: newId(firingId, at.getTime()),
    at,
    action: one.act_at && action,
  }))
  await tx.insertInto('alert_rule_firing').values(firings).execute()
  const further = firings
    .filter(({ act_at }) => act_at !== null)
    .flatMap((one) => more_actions.map((more) => ({ ...one, id: newId(firingId, at.getTime()), action: more, further: true })))
  if (further.length > 0) await tx.insertInto('alert_rule_firing').values(further).execute()
  for (const [n, cause] of silenced ? [] : alertsOf(rule, fired).entries())
    await raiseAlert(
      tx,
      { account_id, raised_by: `${firings[0]!.id} ${n}`, at },
      {
        link: `/notifications?tab=rules&rule=${rule_id}`,
        ...cause,
        severity: rule.severity,
        source: 'policy',
        lasting: false,
        permission: alertAccess(rule),
      }
    )
  await publish(tx, account_id, alertsChanged)
}

/** When the action of what fires for a day is done. The day or month after may have begun by now, as usage comes late: then it is due. */
function dueOf({ starts, after_minutes }: Rule, day: string, at: Date): Date {
  const start = starts === 'now' ? at : beginOfNext(starts, new Date(`${day}T00:00:00Z`))
  return new Date(Math.max(start.getTime(), at.getTime()) + after_minutes * 60_000)
}

/**
 * The SIMs that the rule changes on the day on which its action is due at a time, and those for which one is to come. What waits for the same month is done on one
 * day. What is overdue, as nothing ran or it failed, is done today. What was called off takes no place.
 */
async function listActing(tx: Tx, { account_id, id, after_minutes }: Rule, at: Date) {
  const delay = after_minutes * 60_000
  const dueOn = (act_at: Date) => dayOf(new Date(act_at.getTime() - delay))
  const from = new Date(Date.parse(`${dayOf(at)}T00:00:00Z`) + delay)
  const rows = await tx
    .selectFrom('alert_rule_firing')
    .select([sql<string>`coalesce(sim_id, '')`.as('sim'), 'act_at', 'acted_at', sql<boolean>`outcome is null`.as('waits')])
    .where('account_id', '=', account_id)
    .where('rule_id', '=', id)
    .where('act_at', 'is not', null)
    .where(({ or, eb }) => or([eb('act_at', '>=', from), eb('acted_at', '>=', from), eb('outcome', 'is', null)]))
    .where(sql<boolean>`outcome is distinct from 'called_off'`)
    .execute()
  const byDay = new Map<string, Set<string>>()
  const sims = (act_at: Date) => {
    const day = dueOn(act_at)
    const taken = byDay.get(day) ?? new Set<string>()
    byDay.set(day, taken)
    return taken
  }
  for (const { sim, act_at, acted_at } of rows)
    sims(new Date(Math.max(from.getTime(), act_at!.getTime(), acted_at?.getTime() ?? 0))).add(sim)
  return { sims, waiting: new Set(rows.flatMap(({ sim, waits }) => (waits ? [sim] : []))) }
}
