import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { formatExact } from '../kernel/time.ts'
import { AlertSource, Severity } from './alert.ts'
import { RuleAction } from './rule-action.ts'

/** The permission that the alert asks of its readers (`owner`: it is the owner's alone; empty: none). Without it, in events from before, they are the owner's. */
const needs = z.optional(z.string())

/** Recorded where somebody wants to be notified by webhook: those that listen for it are. */
export const alertRaised = event({
  name: 'notifications.alert_raised',
  refreshes: ['notifications'],
  detail: z.object({
    alert_id: z.string(),
    severity: Severity,
    source: AlertSource,
    title: z.string(),
    words: z.string(),
    count: z.int(),
    asset_id: z.nullable(z.string()),
    needs,
  }),
  sentence: 'Alert: {title}',
})
export const alertsAcknowledged = event({
  name: 'notifications.alerts_acknowledged',
  refreshes: ['notifications'],
  /** Of a single alert with the asset it is about: who may not see that one does not read of it. Of several no title, as they may be of many. */
  detail: z.object({
    count: z.int(),
    alert_ids: z.array(z.string()),
    title: z.string(),
    asset_id: z.optional(z.nullable(z.string())),
    needs,
  }),
  sentence: ({ count }) => (count === 1 ? 'Acknowledged the alert {title}' : 'Acknowledged {count} alerts'),
})
export const preferenceChanged = event({
  name: 'notifications.preference_changed',
  refreshes: ['notifications'],
  detail: z.object({ before: z.record(z.string(), z.unknown()), after: z.record(z.string(), z.unknown()) }),
  sentence: 'Changed how they are notified',
})

const rule = z.object({ rule_id: z.string(), rule_name: z.string() })
const ruleEvent = (action: string, sentence: string) =>
  event({ name: `notifications.${action}`, refreshes: ['notifications'], detail: rule, sentence })
export const ruleCreated = ruleEvent('rule_created', 'Created the alert rule {rule_name}')
export const ruleUpdated = ruleEvent('rule_updated', 'Changed the alert rule {rule_name}')
export const ruleEnabled = ruleEvent('rule_enabled', 'Switched on the alert rule {rule_name}')
export const ruleDisabled = ruleEvent('rule_disabled', 'Switched off the alert rule {rule_name}')
export const ruleDeleted = ruleEvent('rule_deleted', 'Deleted the alert rule {rule_name}')
/** `until`: null ends it. */
export const ruleSilenced = event({
  name: 'notifications.rule_silenced',
  refreshes: ['notifications'],
  detail: z.extend(rule, { until: z.nullable(z.string()) }),
  sentence: ({ until }) =>
    until ? `Silenced the alert rule {rule_name} until ${formatExact(until, 0)}` : 'Ended the silence of the alert rule {rule_name}',
})

const didWords: Record<RuleAction, string> = {
  tell: 'fired for {asset_name}',
  deactivate_sim: 'deactivated the SIM of {asset_name}',
  activate_sim: 'activated the SIM of {asset_name}',
  standby_sim: 'put the SIM of {asset_name} on standby',
  block_sim: 'blocked the SIM of {asset_name}',
  unblock_sim: 'took the block of alert rules off the SIM of {asset_name}',
  imei_lock: 'locked the SIM of {asset_name} to its device',
  set_limit: 'gave the SIM of {asset_name} a data limit',
  set_network_group: 'moved {asset_name} to another network group',
}
const ruleOnAsset = z.extend(rule, { asset_id: z.string(), asset_name: z.string() })
/** Beside the event of the SIM itself: why it was done. */
export const ruleActed = event({
  name: 'notifications.rule_acted',
  refreshes: ['notifications'],
  detail: z.extend(ruleOnAsset, { action: RuleAction, value: z.string() }),
  sentence: ({ action }) => `The alert rule {rule_name} ${didWords[action]}: {value}`,
})
export const firingCalledOff = event({
  name: 'notifications.firing_called_off',
  refreshes: ['notifications'],
  detail: ruleOnAsset,
  sentence: 'Called off what the alert rule {rule_name} was about to do to {asset_name}',
})
export const firingTakenBack = event({
  name: 'notifications.firing_taken_back',
  refreshes: ['notifications'],
  detail: ruleOnAsset,
  sentence: 'Took back what the alert rule {rule_name} did to {asset_name}',
})
/** Its time is over, and yet it stays. */
export const firingStays = event({
  name: 'notifications.firing_stays',
  refreshes: ['notifications'],
  detail: z.extend(ruleOnAsset, { why: z.string() }),
  sentence: 'What the alert rule {rule_name} did to {asset_name} was not taken back: {why}',
})
