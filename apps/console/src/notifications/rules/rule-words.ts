import { asksForAssets, ruleMetrics, sumsAssets, thresholdWords, type Rule, type RuleMetric } from '@masthead/contract/notifications/rule'
import { actionsOf, ruleActions, type RuleAction } from '@masthead/contract/notifications/rule-action'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { countryName } from '../../ui/country-name.ts'

/** When it fires, in words. */
export function whenWords(rule: Pick<Rule, 'metric' | 'threshold' | 'countries' | 'scope' | 'view_name' | 'currency'>): string {
  const reached = thresholdWords(rule, rule.currency)
  if (rule.metric === 'view_count') return `There are ${reached} in the view “${rule.view_name}”`
  const where = rule.countries.length > 0 ? ` (${rule.countries.map(countryName).join(', ')})` : ''
  const of = !asksForAssets(rule.metric) ? '' : rule.scope === '' ? ', of all assets' : `, of assets that match “${rule.scope}”`
  return `${ruleMetrics[rule.metric].label}${where}: ${reached}${of}`
}

/** What it fires for that is no SIM, device or pool. */
export const wholeWords = (metric: RuleMetric): string => (sumsAssets(metric) ? 'Its assets together' : 'The whole account')

/** Of a metric that asks for countries. */
export const countriesLabels = { outside: 'Its countries', inside: 'Countries' } as const

/** Of whom it does not fire again soon. */
export const sameWords = { sim: ' for the same SIM', device: ' for the same device', pool: ' for the same data pool', account: '' } as const

/** "30 minutes", "an hour". */
export const timeWords = (minutes: number) =>
  minutes % 60 !== 0 ? `${minutes} minutes` : minutes === 60 ? 'an hour' : `${minutes / 60} hours`

function delayWords({ starts, after_minutes: minutes }: Pick<Rule, 'starts' | 'after_minutes'>): string {
  if (starts === 'now') return minutes === 0 ? 'at once' : `after ${timeWords(minutes)}`
  return `${minutes === 0 ? 'as' : `${timeWords(minutes)} after`} the next ${starts} begins (UTC)`
}

type Doing = Pick<Rule, 'action' | 'more_actions' | 'network_group' | 'limit_bytes' | 'limit_period' | 'lasts' | 'starts' | 'after_minutes'>

/** "Block the SIM", of one action beside others. */
export const actionWords = (action: RuleAction): string => `${bare(action).charAt(0).toUpperCase()}${bare(action).slice(1)}`
const bare = (action: RuleAction) => ruleActions[action].replace('Notify, and ', '')

function doesWords(action: RuleAction, { network_group, limit_bytes, limit_period }: Doing): string {
  if (action === 'set_network_group') return `move the SIM to ${network_group?.name ?? 'a network group'}`
  if (action === 'set_limit') return `give the SIM a limit of ${formatBytes(limit_bytes ?? 0)} a ${limit_period}`
  return bare(action)
}

/** What it does then, and until when, in words. */
export function thenWords(rule: Doing): string {
  if (rule.action === 'tell') return ruleActions.tell
  const until = rule.lasts === 'for_good' ? '' : `, until the next ${rule.lasts} begins (UTC)`
  const does = actionsOf(rule).map((action) => `, and ${doesWords(action, rule)}`)
  return `Notify${does.join('')} ${delayWords(rule)}${until}`
}

/** What holds it back, in words. */
export function butWords({
  action,
  cooldown_days,
  most_sims,
  metric,
}: Pick<Rule, 'action' | 'cooldown_days' | 'most_sims' | 'metric'>): string {
  const again = `Not again for ${cooldown_days === 1 ? 'a day' : `${cooldown_days} days`}`
  const same = sameWords[ruleMetrics[metric].who]
  return action === 'tell'
    ? `${again}${same}`
    : `${again}${same}, and for no more than ${most_sims === 1 ? '1 SIM' : `${most_sims} SIMs`} a day; for others it only notifies`
}
