import * as z from 'zod/mini'

/** What a rule does besides notifying. */
export const ruleActions = {
  tell: 'Notify only',
  deactivate_sim: 'Notify, and deactivate the SIM',
  activate_sim: 'Notify, and activate the SIM',
  standby_sim: 'Notify, and put the SIM on standby',
  block_sim: 'Notify, and block the SIM',
  unblock_sim: 'Notify, and take the block of alert rules off the SIM',
  imei_lock: 'Notify, and lock the SIM to its device',
  set_limit: 'Notify, and give the SIM a data limit',
  set_network_group: 'Notify, and move the SIM to a network group',
} as const
export type RuleAction = keyof typeof ruleActions
export const RuleAction = z.enum(Object.keys(ruleActions) as [RuleAction, ...RuleAction[]])

/** What of a SIM an action sets: a rule sets each once. Activating and deactivating take a block off, so that a block is no other thing than the state. */
const sets: Record<RuleAction, string> = {
  tell: 'nothing',
  deactivate_sim: 'state',
  activate_sim: 'state',
  standby_sim: 'state',
  block_sim: 'state',
  unblock_sim: 'state',
  imei_lock: 'lock',
  set_limit: 'limit',
  set_network_group: 'group',
}
/** Whether an action can stand beside others in a rule. */
export const goesWith = (action: RuleAction, others: readonly RuleAction[]): boolean =>
  [...others, 'tell' as const].every((other) => sets[other] !== sets[action])

type Doing = { action: RuleAction; more_actions?: readonly RuleAction[] | undefined }
/** All that a rule does to a SIM besides notifying. */
export const actionsOf = ({ action, more_actions = [] }: Doing): RuleAction[] => (action === 'tell' ? [] : [action, ...more_actions])

/** From when on the delay of an action counts. Days and months are those of UTC. */
export const ruleStarts = {
  now: 'When the rule fires',
  day: 'When the next day begins (UTC)',
  month: 'When the next month begins (UTC)',
} as const
export type RuleStarts = keyof typeof ruleStarts
export const RuleStarts = z.enum(Object.keys(ruleStarts) as [RuleStarts, ...RuleStarts[]])

/** When what a rule did is taken back of itself. Days and months are those of UTC. */
export const ruleLasts = {
  for_good: 'When somebody takes it back',
  day: 'When the next day begins (UTC)',
  month: 'When the next month begins (UTC)',
} as const
export type RuleLasts = keyof typeof ruleLasts
export const RuleLasts = z.enum(Object.keys(ruleLasts) as [RuleLasts, ...RuleLasts[]])
