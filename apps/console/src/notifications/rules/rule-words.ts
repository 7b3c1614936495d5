import { ruleActions, ruleMetrics, ruleValue, type Rule } from '@masthead/contract/notifications/rule'
import { countryName } from '../../ui/country-name.ts'

/** "2.00 GB or more", "3 times or more". */
const atLeast = ({ metric, threshold }: Pick<Rule, 'metric' | 'threshold'>) => {
  const value = ruleValue(metric, threshold)
  return value === 'once' ? 'at least once' : `${value} or more`
}

/** When it fires, in words. */
export function whenWords(rule: Pick<Rule, 'metric' | 'threshold' | 'countries' | 'scope' | 'view_name'>): string {
  if (rule.metric === 'view_count') return `There are ${atLeast(rule)} in the view “${rule.view_name}”`
  const where = rule.countries.length > 0 ? ` (${rule.countries.map(countryName).join(', ')})` : ''
  const of =
    ruleMetrics[rule.metric].who === 'account' ? '' : rule.scope === '' ? ', of all assets' : `, of assets that match “${rule.scope}”`
  return `${ruleMetrics[rule.metric].label}${where}: ${atLeast(rule)}${of}`
}

/** Of whom it does not fire again soon. */
export const sameWords = { sim: ' for the same SIM', device: ' for the same device', account: '' } as const

const delayWords = (minutes: number) => {
  if (minutes === 0) return 'at once'
  if (minutes % 60 !== 0) return `after ${minutes} minutes`
  return minutes === 60 ? 'after an hour' : `after ${minutes / 60} hours`
}

/** What it does then, in words. */
export function thenWords({ action, network_group, after_minutes }: Pick<Rule, 'action' | 'network_group' | 'after_minutes'>): string {
  if (action === 'tell') return ruleActions.tell
  const does =
    action === 'deactivate_sim' ? ruleActions.deactivate_sim : `Notify, and move the SIM to ${network_group?.name ?? 'a network group'}`
  return `${does} ${delayWords(after_minutes)}`
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
