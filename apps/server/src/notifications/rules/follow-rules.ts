import { sql, type Selectable } from 'kysely'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { ruleMetrics, ruleValue } from '@masthead/contract/notifications/rule'
import { alertsChanged } from '@masthead/contract/signals'
import type { App, Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { publish } from '../../kernel/live/publish.ts'
import { isOfDevices } from './device-measures.ts'
import { raiseAlert } from '../raise-alert.ts'
import { boundTime, listReached, type Reached } from './measure.ts'

const firingId = idKind('fir')
/** Of one rule at once: a few alerts of an asset each; more are one. */
const mostAlerts = 5
/** New firings of one rule in one look; the rest is found in the next. */
const mostAtOnce = 1000
/** In one minute; what is left is looked at first in the next. */
const mostTime = 40_000
/** Usage of the last minutes of a day is rolled up after its end. */
const lateBy = 30 * 60_000

type Rule = Selectable<Database['alert_rule']>

/** Looks at each rule that is on, the one that was looked at longest ago first, once. */
export async function followRules(app: App): Promise<void> {
  const [begun, at] = [performance.now(), app.clock.now()]
  while (performance.now() - begun < mostTime) {
    const next = await app.db
      .selectFrom('alert_rule')
      .select(['account_id', 'id'])
      .where('enabled_at', 'is not', null)
      .where(({ or, eb }) => or([eb('looked_at', 'is', null), eb('looked_at', '<', at)]))
      .orderBy('looked_at', (order) => order.asc().nullsFirst())
      .limit(1)
      .executeTakeFirst()
    if (!next) return
    try {
      await app.db.transaction().execute((tx) => lookAt(tx, next, at))
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error
      app.log.warn({ rule_id: next.id }, 'an alert rule took too long to be looked at')
      const failed_words = 'It takes too long to be looked at. Name fewer assets'
      await app.db.transaction().execute((tx) => noteLook(tx, next, { looked_at: at, failed_words }))
    }
  }
}

const noteLook = (tx: Tx, { account_id, id }: Pick<Rule, 'account_id' | 'id'>, looked: { looked_at: Date; failed_words: string | null }) =>
  tx.updateTable('alert_rule').set(looked).where('account_id', '=', account_id).where('id', '=', id).execute()

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

async function lookAt(tx: Tx, { account_id, id }: Pick<Rule, 'account_id' | 'id'>, at: Date): Promise<void> {
  await boundTime.execute(tx)
  const rule = await tx
    .selectFrom('alert_rule')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!rule?.enabled_at) return
  const days = { from: dayOf(new Date(Math.max(at.getTime() - lateBy, rule.enabled_at.getTime()))), to: dayOf(at) }
  const who = isOfDevices(rule.metric) ? sql`f.asset_id = m.asset_id` : sql`coalesce(f.sim_id, '') = coalesce(m.sim_id, '')`
  const unless = sql`exists (select from alert_rule_firing f where f.account_id = ${account_id} and f.rule_id = ${id}
    and ${who} and f.day > m.day - ${rule.cooldown_days}::int and f.day <= m.day)`
  const reached = await listReached(tx, account_id, { ...rule, threshold: Number(rule.threshold) }, { days, at, most: mostAtOnce, unless })
  await noteLook(tx, rule, { looked_at: at, failed_words: null })
  if (reached.length === 0) return
  await fire(tx, rule, reached, at)
}

/** Keeps what fired and notifies; actions follow when they are due, for so many SIMs a day as the rule says. */
async function fire(tx: Tx, rule: Rule, reached: readonly Reached[], at: Date): Promise<void> {
  const { account_id, id: rule_id, most_sims, after_minutes, action } = rule
  const { rows } = await sql<{ day: string; count: number }>`select day::text as day, count(*) as count from alert_rule_firing
    where account_id = ${account_id} and rule_id = ${rule_id} and act_at is not null and day = any(${[...new Set(reached.map(({ day }) => day))]}::date[])
    group by 1`.execute(tx)
  const counts = new Map(rows.map(({ day, count }) => [day, Number(count)]))
  const due = new Date(at.getTime() + after_minutes * 60_000)
  const firings = reached.map(({ asset_name: _, ...one }) => {
    const acting = counts.get(one.day) ?? 0
    counts.set(one.day, acting + 1)
    const is = action === 'tell' ? {} : acting < most_sims ? { act_at: due } : { outcome: 'beyond' }
    return { act_at: null, ...one, ...is, account_id, rule_id, id: newId(firingId, at.getTime()), at }
  })
  await tx.insertInto('alert_rule_firing').values(firings).execute()
  for (const [n, cause] of alertsOf(rule, reached).entries())
    await raiseAlert(
      tx,
      { account_id, told_by: `${firings[0]!.id} ${n}`, at },
      {
        link: `/notifications?tab=rules&rule=${rule_id}`,
        ...cause,
        severity: rule.severity,
        source: 'policy',
        lasting: false,
        permission: 'assets.view',
      }
    )
  await publish(tx, account_id, alertsChanged)
}

const doing = { tell: '', deactivate_sim: 'Its SIM is deactivated', set_network_group: 'Its SIM is moved to another network group' }

function alertsOf({ id, name, metric, action, after_minutes, view_id }: Rule, reached: readonly Reached[]) {
  if (metric === 'view_count') {
    // How many they are is another number for whoever sees some assets alone, and may be none.
    const words = 'Assets are in the view that it watches. Open the view to see those that are in it now.'
    return [{ cause: `rule:${id}:`, title: `The rule ${name} fired`, words, link: `/assets?view=${view_id}` }]
  }
  const plural = isOfDevices(metric) ? 'devices' : 'SIMs'
  if (reached.length > mostAlerts) {
    // Without a number: whoever sees some assets alone reads it as well.
    return [
      {
        cause: `rule:${id}:*`,
        title: `The rule ${name} fired for several ${plural}`,
        words: `${ruleMetrics[metric].label}. Which ${plural} they are stands in the history of the rule.`,
      },
    ]
  }
  const when = after_minutes === 0 ? 'at once' : `in ${after_minutes} minutes, unless somebody calls it off`
  return reached.map(({ asset_id, asset_name, sim_id, day, value }) => ({
    cause: `rule:${id}:${sim_id ?? asset_id ?? ''}`,
    ...(isOfDevices(metric) && { link: `/assets/${asset_id}/${metric === 'container_crash' ? 'application' : 'device'}` }),
    title: asset_name === null ? `The rule ${name} fired` : `The rule ${name} fired for ${asset_name}`,
    words: `${ruleMetrics[metric].label}: ${ruleValue(metric, value)} on ${day} (UTC).${action === 'tell' ? '' : ` ${doing[action]} ${when}.`}`,
    asset_id,
  }))
}
