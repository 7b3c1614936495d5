import type { Selectable } from 'kysely'
import { listAssets } from '@masthead/contract/assets/operations'
import type { Permission } from '@masthead/contract/kernel/permission'
import { formatDay } from '@masthead/contract/kernel/time'
import { ruleMetrics, ruleValue, shownBy, tellsCosts, tellsPools, thresholdWords } from '@masthead/contract/notifications/rule'
import { actionsOf } from '@masthead/contract/notifications/rule-action'
import type { Db } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Cause } from '../raise-alert.ts'
import { isOfDevices } from './device-measures.ts'
import type { Reached } from './measure.ts'

/** Of one rule at once: a few alerts of an asset each; more are one. */
const mostAlerts = 5

type Rule = Selectable<Database['alert_rule']>
/** What fired. `act_at`: when its action is due; without one, `outcome` says why there is none. */
type Fired = Reached & { act_at: Date | null; outcome: string | null }

const acts = {
  deactivate_sim: { one: 'Its SIM is deactivated', many: 'Their SIMs are deactivated' },
  activate_sim: { one: 'Its SIM is activated', many: 'Their SIMs are activated' },
  standby_sim: { one: 'Its SIM is put on standby', many: 'Their SIMs are put on standby' },
  block_sim: { one: 'Its SIM is blocked', many: 'Their SIMs are blocked' },
  unblock_sim: { one: 'The block of alert rules is taken off its SIM', many: 'The block of alert rules is taken off their SIMs' },
  imei_lock: { one: 'Its SIM is locked to its device', many: 'Their SIMs are locked to their devices' },
  set_limit: { one: 'Its SIM is given a data limit', many: 'Their SIMs are given a data limit' },
  set_network_group: { one: 'Its SIM is moved to another network group', many: 'Their SIMs are moved to another network group' },
}

/** "Its SIM is blocked, and its SIM is given a data limit". */
function actsOf(rule: Rule, number: 'one' | 'many'): string {
  const [first = '', ...more] = actionsOf(rule).map((action) => acts[action as keyof typeof acts][number])
  return [first, ...more.map((words) => `and ${words.charAt(0).toLowerCase()}${words.slice(1)}`)].join(', ')
}

export const failingCause = 'rule_fails:'

/** A rule that is on and does not do what it should. */
export const failingAlert = ({ id, name }: Rule, failed_words: string): Cause => ({
  cause: `${failingCause}${id}`,
  severity: 'warn',
  source: 'policy',
  title: `The rule ${name} does not work as it should`,
  words: `${failed_words}.`,
  lasting: true,
  permission: listAssets.access,
  link: `/notifications?tab=rules&rule=${id}`,
})

/** Whether the rule of a cause is still on and fails. */
export async function isFailing(db: Db, account_id: string, cause: string): Promise<boolean> {
  const failing = await db
    .selectFrom('alert_rule')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', cause.slice(failingCause.length))
    .where('enabled_at', 'is not', null)
    .where('failed_words', 'is not', null)
    .executeTakeFirst()
  return failing !== undefined
}

/** Who is notified. The words of a rule of costs name none. */
export const alertAccess = ({ metric }: Rule): Permission => (tellsCosts(metric) ? null : shownBy(metric)?.access) ?? listAssets.access

/** The alerts about what a rule fired for. */
export function alertsOf(rule: Rule, fired: readonly Fired[]) {
  const { id, name, metric, view_id } = rule
  if (metric === 'view_count') {
    // How many they are is another number for whoever sees some assets alone, and may be none.
    const words = 'Assets are in the view that it watches. Open the view to see those that are in it now.'
    return [{ cause: `rule:${id}:`, title: `The rule ${name} fired`, words, link: `/assets?view=${view_id}` }]
  }
  const plural = tellsPools(metric) ? 'data pools' : isOfDevices(metric) ? 'devices' : 'SIMs'
  if (fired.length > mostAlerts) {
    // Without a number: whoever sees some assets alone reads it as well.
    return [
      {
        cause: `rule:${id}:*`,
        title: `The rule ${name} fired for several ${plural}`,
        words: `${ruleMetrics[metric].label}.${commonDoing(rule, fired)} Which ${plural} they are stands in the history of the rule.`,
      },
    ]
  }
  return fired.map((one) => {
    const { asset_id, asset_name, sim_id, pool_id, pool_name, day, value } = one
    const of = asset_name ?? (pool_name && `the data pool ${pool_name}`)
    return {
      cause: `rule:${id}:${sim_id ?? asset_id ?? pool_id ?? ''}`,
      ...(pool_id !== null && { link: `/datapools?pool=${pool_id}` }),
      ...(metric === 'prices_change' && { link: '/billing/pricing' }),
      ...(isOfDevices(metric) && { link: `/assets/${asset_id}/${metric === 'container_crash' ? 'application' : 'device'}` }),
      title: of === null ? `The rule ${name} fired` : `The rule ${name} fired for ${of}`,
      words: `${ruleMetrics[metric].label}: ${saidOf(rule, value)} on ${formatDay(day)} (UTC).${doing(rule, one)}`,
      asset_id,
    }
  })
}

/** Whoever reads it may see no costs, or some assets alone: what several did together is another number for them, so that it says what the rule says. */
function saidOf({ metric, threshold }: Rule, value: number): string {
  if (tellsCosts(metric)) return 'as much as the rule says, or more,'
  if (metric === 'prices_change') return ruleValue(metric, value)
  return ruleMetrics[metric].who === 'account' ? `${thresholdWords({ metric, threshold: Number(threshold) })},` : ruleValue(metric, value)
}

/** `act_at`: of what came late the day or month after has begun, and its time is none of these beginnings. */
function when({ starts, after_minutes }: Rule, act_at: Date): string {
  const waits = starts !== 'now' && (act_at.getTime() - after_minutes * 60_000) % 86_400_000 === 0
  if (waits) return `${after_minutes === 0 ? 'as' : `${after_minutes} minutes after`} the next ${starts} begins (UTC)`
  return after_minutes === 0 ? atOnce : `in ${after_minutes} minutes`
}
const atOnce = 'at once'
const unless = (times: readonly string[], called: string) =>
  times.every((time) => time === atOnce) ? '' : `, unless somebody calls ${called} off`

function doing(rule: Rule, { act_at, outcome }: Fired): string {
  if (rule.action === 'tell') return ''
  if (!act_at) return ` Its SIM stays as it is, because ${whyLeft[outcome as keyof typeof whyLeft]}.`
  const time = when(rule, act_at)
  return ` ${actsOf(rule, 'one')} ${time}${unless([time], 'it')}.`
}

/** Of what fires without an action that follows. */
const whyLeft = {
  late: 'the data came too late for an action',
  not_allowed: 'whoever set up the rule may no longer change SIMs',
  beyond: 'the rule may change no more SIMs in a day',
  waits: 'what the rule does to it is to come already',
}

function commonDoing(rule: Rule, fired: readonly Fired[]): string {
  if (rule.action === 'tell') return ''
  const acting = fired.flatMap(({ act_at }) => act_at ?? [])
  if (acting.length === 0) return ' Their SIMs stay as they are for now.'
  // Of what came late at once, and of the others later.
  const times = [...new Set(acting.map((act_at) => when(rule, act_at)))]
  const others = acting.length === fired.length ? '' : ', but not those of all: some stay as they are'
  return ` ${actsOf(rule, 'many')} ${times.join(' or ')}${unless(times, 'that')}${others}.`
}
