import * as z from 'zod/mini'
import { mostLimit } from '../assets/month-limit.ts'
import { AssetQueryText } from '../assets/query/query-text.ts'
import { LimitPeriod } from '../assets/sim.ts'
import { Currency, formatMoney, micros } from '../billing/money.ts'
import { Name, Time } from '../kernel/fields.ts'
import type { Permission } from '../kernel/permission.ts'
import { formatBytes } from '../usage/bytes.ts'
import { Severity } from './alert.ts'
import { actionsOf, goesWith, RuleAction, RuleLasts, RuleStarts } from './rule-action.ts'

/** An account has at most so many rules. */
export const mostRules = 50

/** What a rule measures of one day (UTC), in which unit; `who`: of each SIM, of each device, of each data pool, or of the account as a whole, or of some of its assets together. `where`: it asks for countries, and is of what happens in them or outside. */
export const ruleMetrics = {
  usage_hour: { label: 'Data of a SIM in one hour', unit: 'bytes', who: 'sim', where: false },
  usage_day: { label: 'Data of a SIM in one day', unit: 'bytes', who: 'sim', where: false },
  usage_average: { label: 'Data of a SIM a day, on average over seven days', unit: 'bytes', who: 'sim', where: false },
  low_day: { label: 'Little data of a SIM in one day', unit: 'bytes', who: 'sim', where: false },
  usage_month: { label: 'Data of a SIM in the month so far', unit: 'bytes', who: 'sim', where: false },
  usage_ever: { label: 'Data of a SIM since it is in the account', unit: 'bytes', who: 'sim', where: false },
  usual_times: { label: 'Data of a SIM in one day against its last four weeks', unit: 'fold', who: 'sim', where: false },
  limit_share: { label: 'Share of its data limit that a SIM used', unit: 'percent', who: 'sim', where: false },
  pool_share: { label: 'Share of a data pool that one SIM used', unit: 'percent', who: 'sim', where: false },
  pool_use: { label: 'Share of a data pool that is used', unit: 'percent', who: 'pool', where: false },
  pool_ends: { label: 'Days until a data pool ends that does not renew', unit: 'days', who: 'pool', where: false },
  abroad_day: { label: 'Data of a SIM outside of its countries in one day', unit: 'bytes', who: 'sim', where: 'outside' },
  within_day: { label: 'Data of a SIM in some countries in one day', unit: 'bytes', who: 'sim', where: 'inside' },
  first_day: { label: 'Data of a SIM on the first day on which it sends', unit: 'bytes', who: 'sim', where: false },
  silent_hours: { label: 'Hours a SIM is silent that usually sends', unit: 'hours', who: 'sim', where: false },
  refused_day: { label: 'Times a SIM is refused in one day', unit: 'times', who: 'sim', where: false },
  accepted_day: { label: 'Times a SIM connects in one day', unit: 'times', who: 'sim', where: false },
  abroad_connect: { label: 'Times a SIM connects outside of its countries in one day', unit: 'times', who: 'sim', where: 'outside' },
  within_connect: { label: 'Times a SIM connects in some countries in one day', unit: 'times', who: 'sim', where: 'inside' },
  sessions_hour: { label: 'Times a SIM begins a session in one hour', unit: 'times', who: 'sim', where: false },
  sessions_day: { label: 'Times a SIM begins a session in one day', unit: 'times', who: 'sim', where: false },
  sessions_month: { label: 'Times a SIM begins a session in the month so far', unit: 'times', who: 'sim', where: false },
  ended_day: { label: 'Times a session of a SIM ends in one day', unit: 'times', who: 'sim', where: false },
  empty_day: { label: 'Times a session of a SIM ends without data in one day', unit: 'times', who: 'sim', where: false },
  apn_sessions_day: { label: 'Times a SIM begins a session on one APN in one day', unit: 'times', who: 'sim', where: false },
  state_changed: { label: 'Times the state of a SIM changes in one day', unit: 'times', who: 'sim', where: false },
  group_changed: { label: 'Times a SIM moves to another network group in one day', unit: 'times', who: 'sim', where: false },
  device_changed: { label: 'Times a SIM moves to another device in one day', unit: 'times', who: 'sim', where: false },
  model_changed: { label: 'Times a SIM moves to a device of another model in one day', unit: 'times', who: 'sim', where: false },
  device_offline: { label: 'Minutes a device is offline', unit: 'minutes', who: 'device', where: false },
  container_crash: { label: 'Containers of a device that crash after each start', unit: 'containers', who: 'device', where: false },
  device_disk: { label: 'Share of its disk that a device uses', unit: 'percent', who: 'device', where: false },
  device_temperature: { label: 'Temperature of a device', unit: 'degrees', who: 'device', where: false },
  device_temperature_average: { label: 'Temperature of a device, on average over an hour', unit: 'degrees', who: 'device', where: false },
  device_cpu_average: {
    label: 'Share of its processor that a device uses, on average over an hour',
    unit: 'percent',
    who: 'device',
    where: false,
  },
  assets_usage_day: { label: 'Data of several assets together in one day', unit: 'bytes', who: 'account', where: false },
  assets_average_day: { label: 'Data of a SIM in one day, on average over several assets', unit: 'bytes', who: 'account', where: false },
  assets_low_day: { label: 'Little data of several assets together in one day', unit: 'bytes', who: 'account', where: false },
  assets_usage_month: { label: 'Data of several assets together in the month so far', unit: 'bytes', who: 'account', where: false },
  assets_usage_ever: {
    label: 'Data of several assets together since they are in the account',
    unit: 'bytes',
    who: 'account',
    where: false,
  },
  account_usage_day: { label: 'Data of the whole account in one day', unit: 'bytes', who: 'account', where: false },
  account_usage_month: { label: 'Data of the whole account in the month so far', unit: 'bytes', who: 'account', where: false },
  cost_day: { label: 'Cost of a SIM in one day', unit: 'money', who: 'sim', where: false },
  cost_month: { label: 'Cost of a SIM in the month so far', unit: 'money', who: 'sim', where: false },
  account_cost_month: {
    label: 'Cost of the account in the month so far, with its data pools',
    unit: 'money',
    who: 'account',
    where: false,
  },
  prices_change: { label: 'Days until the prices of the account change', unit: 'days', who: 'account', where: false },
  usage_behind: { label: 'Minutes by which data is counted late', unit: 'minutes', who: 'account', where: false },
  view_count: { label: 'Assets in a view of the team', unit: 'assets', who: 'account', where: false },
} as const
export type RuleMetric = keyof typeof ruleMetrics
/** It is of days that are over. */
export const ofWholeDays = (metric: RuleMetric): boolean => metric === 'low_day' || metric === 'assets_low_day'
/** It fires at so much or less; the others fire at so much or more. */
export const asksForLittle = (metric: RuleMetric): boolean => ofWholeDays(metric) || ruleMetrics[metric].unit === 'days'
/** It shows costs, which not everybody sees. */
export const tellsCosts = (metric: RuleMetric): boolean => ruleMetrics[metric].unit === 'money'
/** It shows data pools, which not everybody sees. */
export const tellsPools = (metric: RuleMetric): boolean => ruleMetrics[metric].who === 'pool'
/** What a metric shows beside assets that not everybody sees, and the permission for that; null: nothing. */
export function shownBy(metric: RuleMetric): { what: string; access: Permission } | null {
  if (tellsCosts(metric)) return { what: 'costs', access: 'usage.view' }
  if (tellsPools(metric)) return { what: 'data pools', access: 'datapools.view' }
  return metric === 'prices_change' ? { what: 'prices', access: 'billing.view' } : null
}
/** It fires for assets: for their SIMs or their devices. */
export const firesForAssets = (metric: RuleMetric): boolean => ['sim', 'device'].includes(ruleMetrics[metric].who)
const sums = ['assets_usage_day', 'assets_average_day', 'assets_low_day', 'assets_usage_month', 'assets_usage_ever'] as const
/** It adds up what several assets did, and fires for them together. */
export const sumsAssets = (metric: RuleMetric): metric is (typeof sums)[number] => (sums as readonly string[]).includes(metric)
/** It can be of some assets alone. */
export const asksForAssets = (metric: RuleMetric): boolean => firesForAssets(metric) || sumsAssets(metric)
export const RuleMetric = z.enum(Object.keys(ruleMetrics) as [RuleMetric, ...RuleMetric[]])

type Unit = (typeof ruleMetrics)[RuleMetric]['unit']

/** The most of a unit that a rule may ask for; of the others it is the most of the field. */
const mostOf: Partial<Record<Unit, number>> = { hours: 8760, days: 3660, minutes: 525_600, percent: 1e5, degrees: 1000, fold: 1e6 }
const isMeasurable = ({ metric, threshold }: Checked) => threshold <= (mostOf[ruleMetrics[metric].unit] ?? Infinity)

const whole = (from: number, to: number, words: string) => z.int({ error: words }).check(z.minimum(from, words), z.maximum(to, words))

const MoreActions = z.array(RuleAction).check(z.maxLength(3))

const shape = {
  name: Name,
  metric: RuleMetric,
  /** It fires at so many bytes, times, hours, degrees or micros of the account's currency, or more; of little data, and of days until something, at so much or less. */
  threshold: whole(1, 1e15, 'Enter more than 0'),
  /** For `abroad_day` and `abroad_connect`: where it is as it should be; for `within_day` and `within_connect`: where it counts. */
  countries: z._default(z.array(z.string().check(z.regex(/^[A-Z]{2}$/, 'Use two capital letters, like PL'))).check(z.maxLength(100)), []),
  /** A line of the assets list, as `tag:fleet`; empty: all assets. */
  scope: z._default(AssetQueryText, ''),
  /** For `view_count`: the id of a view that the team shares. It counts what is in it now. */
  view_id: z._default(z.nullable(z.string().check(z.maxLength(120))), null),
  severity: z._default(Severity, 'warn'),
  action: z._default(RuleAction, 'tell'),
  /** What it does to the SIM besides `action`, at the same time: each sets another thing of it. */
  more_actions: z._default(MoreActions, []),
  /** For `set_network_group`: its id or name. */
  network_group: z._default(z.nullable(z.string().check(z.trim(), z.maxLength(120))), null),
  /** For `set_limit`: what the SIM may use in a day or month. */
  limit_bytes: z._default(
    z.nullable(z.int().check(z.minimum(1_000_000, 'A limit is at least 1 MB'), z.maximum(mostLimit, 'A limit is at most 2 TB'))),
    null
  ),
  limit_period: z._default(LimitPeriod, 'month'),
  /** Until when its action holds, unless somebody changes the SIM meanwhile. */
  lasts: z._default(RuleLasts, 'for_good'),
  /** Its action is due when it fires, or as the next day or month begins. */
  starts: z._default(RuleStarts, 'now'),
  /** It is done so much later, unless somebody calls it off. */
  after_minutes: z._default(whole(0, 1440, 'At most a day: 0 to 1440 minutes'), 0),
  /** For the same SIM it does not fire again before so many days. */
  cooldown_days: z._default(whole(1, 30, 'Enter 1 to 30 days'), 1),
  /** When it fires for more SIMs than this in a day, it only notifies of the others. */
  most_sims: z._default(whole(1, 1000, 'Enter 1 to 1000 SIMs'), 20),
}
type Checked = {
  metric: RuleMetric
  threshold: number
  countries: string[]
  action: RuleAction
  more_actions?: RuleAction[] | undefined
  network_group: string | null
  limit_bytes: number | null
  scope: string
  view_id: string | null
}

/** Actions that a metric measures. */
const measuredActions: Partial<Record<RuleMetric, readonly RuleAction[]>> = {
  state_changed: ['activate_sim', 'deactivate_sim', 'standby_sim'],
  group_changed: ['set_network_group'],
}

const standTogether = ({ action, more_actions = [] }: Checked) =>
  more_actions.every((one, n) => action !== 'tell' && goesWith(one, [action, ...more_actions.slice(0, n)]))

const checks = [
  z.refine<Checked>(isMeasurable, { error: 'It is never as much as that: enter less', path: ['threshold'] }),
  z.refine<Checked>(({ metric, countries }) => !ruleMetrics[metric].where || countries.length > 0, {
    error: 'Name at least one country',
    path: ['countries'],
  }),
  z.refine<Checked>(standTogether, {
    error: 'Each action sets another thing of the SIM: choose others',
    path: ['more_actions'],
  }),
  z.refine<Checked>(({ metric, action }) => ruleMetrics[metric].who === 'sim' || action === 'tell', {
    error: 'Only a rule of SIMs does something to SIMs',
    path: ['action'],
  }),
  z.refine<Checked>(({ metric, scope }) => asksForAssets(metric) || scope === '', {
    error: 'A rule of data pools or of the whole account asks for no assets',
    path: ['scope'],
  }),
  z.refine<Checked>(({ metric, view_id }) => (metric === 'view_count') === !!view_id, {
    error: 'Choose a view that the team shares',
    path: ['view_id'],
  }),
  z.refine<Checked>((rule) => !actionsOf(rule).includes('set_network_group') || !!rule.network_group, {
    error: 'Choose a network group',
    path: ['network_group'],
  }),
  z.refine<Checked>((rule) => !actionsOf(rule).includes('set_limit') || rule.limit_bytes !== null, {
    error: 'Enter a limit',
    path: ['limit_bytes'],
  }),
  z.refine<Checked>((rule) => !['device_changed', 'model_changed'].includes(rule.metric) || !actionsOf(rule).includes('imei_lock'), {
    error: 'It would lock the SIM to the device that it has moved to: choose another action',
    path: ['action'],
  }),
  z.refine<Checked>((rule) => !actionsOf(rule).some((action) => measuredActions[rule.metric]?.includes(action)), {
    error: 'It would fire for what it does itself: choose another action',
    path: ['action'],
  }),
]

/** A rule as it is entered. */
export const RuleFields = z.object(shape).check(...checks)
export type RuleFields = z.output<typeof RuleFields>

/** A rule as it is changed. */
export const RuleChange = z
  .object({
    ...shape,
    /** Left out: as it was. */
    starts: z.optional(RuleStarts),
    /** Left out: as they were, while `metric` and `action` are. */
    more_actions: z.optional(MoreActions),
  })
  .check(...checks)
export type RuleChange = z.output<typeof RuleChange>

export const Rule = z.object({
  ...shape,
  countries: z.array(z.string()),
  id: z.string(),
  scope: z.string(),
  network_group: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** The name of its view. */
  view_name: z.nullable(z.string()),
  enabled: z.boolean(),
  /** Until then it notifies nobody and changes no SIM: what fires stands in its history alone. Null: it is not silenced. */
  silenced_until: z.nullable(Time),
  /** In which the account is charged; null: it is not. */
  currency: z.nullable(Currency),
  created_at: Time,
  created_by: z.string(),
  /** When it was checked last; null: not yet. */
  looked_at: z.nullable(Time),
  /** Why that failed, in words. */
  failed_words: z.nullable(z.string()),
  /** In the last 30 days, of the assets that one sees. */
  firings: z.int(),
  last_fired_at: z.nullable(Time),
  /** Of those, how many actions are to come. */
  waiting: z.int(),
  /** Of how many SIMs what it did is to be taken back of itself, as a day or month ends; that happens also once it is deleted. */
  due_back: z.int(),
})
export type Rule = z.output<typeof Rule>

/** "2.00 GB or more", "at least once", "1.00 MB or less". */
export function thresholdWords({ metric, threshold }: Pick<RuleFields, 'metric' | 'threshold'>, currency: Currency | null = null): string {
  const value = ruleValue(metric, threshold, currency)
  if (asksForLittle(metric)) return `${value} or less`
  return value === 'once' ? 'at least once' : `${value} or more`
}

/** A value in the metric's unit: "1.20 GB", "3 times", "6 hours", "80 %", "$12.50". */
export function ruleValue(metric: RuleMetric, value: number, currency: Currency | null = null): string {
  const { unit } = ruleMetrics[metric]
  if (unit === 'money') return currency ? formatMoney(micros(Math.floor(value)), currency) : (value / 1e6).toFixed(2)
  if (unit === 'bytes') return formatBytes(value)
  if (unit === 'fold') return `${Number(value.toFixed(1)).toLocaleString('en')} times its usual`
  const count = Math.floor(value)
  if (unit === 'degrees') return `${count} °C`
  if (unit === 'minutes') return count === 1 ? '1 minute' : `${count.toLocaleString('en')} minutes`
  if (unit === 'containers') return count === 1 ? '1 container' : `${count.toLocaleString('en')} containers`
  if (unit === 'percent') return `${count.toLocaleString('en')} %`
  if (unit === 'assets') return count === 1 ? '1 asset' : `${count.toLocaleString('en')} assets`
  if (unit === 'days') return count === 0 ? 'less than a day' : count === 1 ? '1 day' : `${count.toLocaleString('en')} days`
  if (unit === 'times') return count === 1 ? 'once' : `${count.toLocaleString('en')} times`
  return count === 1 ? '1 hour' : `${count.toLocaleString('en')} hours`
}
