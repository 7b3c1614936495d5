import { ruleActed } from '@masthead/contract/notifications/events'
import { ruleValue, tellsCosts } from '@masthead/contract/notifications/rule'
import type { RuleAction } from '@masthead/contract/notifications/rule-action'
import { grantWishes, type Wish, type WishedLimit } from '../../assets/bulk/index.ts'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import {
  aboutOf,
  beginOfNext,
  hasFailedLong,
  isSilenced,
  isSwapped,
  lockBoth,
  mostActs,
  settle,
  type FiringRow,
  type Kept,
  type RuleRow,
} from './firing-rows.ts'
import { whyMayNot } from './rule-maker.ts'
import { firedWords } from './restate-rule.ts'
import { takeOver } from './take-over.ts'

/** Does to SIMs what is due, each in a transaction of its own. */
export async function actOnSims({ db, clock, log }: App): Promise<void> {
  const at = clock.now()
  const due = await db
    .selectFrom('alert_rule_firing')
    .select(['account_id', 'rule_id', 'id'])
    .where('act_at', '<=', at)
    .where('outcome', 'is', null)
    .orderBy('act_at')
    .orderBy('further')
    .limit(mostActs)
    .execute()
  for (const firing of due) {
    try {
      await db.transaction().execute((tx) => act(tx, firing, at))
    } catch (error) {
      // One that fails keeps none of the others waiting.
      log.error({ err: error, rule_id: firing.rule_id, firing_id: firing.id }, 'the action of an alert rule failed')
      await db.transaction().execute((tx) => noteFailure(tx, firing, at))
    }
  }
}

async function noteFailure(tx: Tx, of: Pick<FiringRow, 'account_id' | 'rule_id' | 'id'>, at: Date): Promise<void> {
  const both = await lockBoth(tx, of)
  if (both?.firing.outcome !== null) return
  if (await hasFailedLong(tx, both.firing, at)) await settle(tx, both.firing, { acted_at: at, outcome: 'failed' })
}

async function act(tx: Tx, of: Pick<FiringRow, 'account_id' | 'rule_id' | 'id'>, at: Date): Promise<void> {
  const both = await lockBoth(tx, of)
  if (!both || both.firing.outcome !== null || both.firing.asset_id === null) return
  const { rule, firing } = both
  const action = firing.action ?? rule.action
  const keep = (kept: Omit<Kept, 'action'>) => JSON.stringify({ action, ...kept } satisfies Kept)
  const leave = (outcome: string) => settle(tx, firing, { acted_at: at, outcome, before: keep({ did: null, before: null }) })
  if (rule.enabled_at === null) return leave('switched_off')
  if (!rule.is_open) return leave('closed')
  if (isSilenced(rule, at)) return leave('silenced')
  // Their rights may have been taken away since the rule was saved.
  if ((await whyMayNot(tx, rule, at)) !== null) return leave('not_allowed')
  if (await isSwapped(tx, firing)) return leave('swapped')
  // A server of before rules did several things saves one without the limit of what it does besides.
  if (action === 'set_limit' && rule.limit_bytes === null) return leave('no_limit')
  const wish = wishOf(rule, action)
  if (wish.network_group !== undefined && !(await groupIsThere(tx, rule.account_id, wish.network_group))) return leave('group_gone')
  if (wish.limit && (await hasLowerLimit(tx, firing, wish.limit))) return leave('lower_limit')
  const actor = systemActor(rule.account_id, at)
  const [granted] = await grantWishes(tx, actor, [{ asset_id: firing.asset_id!, wish }])
  const until = rule.lasts === 'for_good' ? null : beginOfNext(rule.lasts, at)
  const { outcome, did, before } = await takeOver(tx, firing, { wish, granted: granted!, until, at })
  const isDone = outcome === 'changed' || outcome === 'blocked'
  const { person_id, key_id } = rule
  await settle(tx, firing, {
    acted_at: at,
    outcome,
    before: keep({ did, before, by: { person_id, key_id } }),
    undo_at: isDone ? until : null,
  })
  if (!isDone || granted!.outcome === 'already') return
  // Whoever reads it may see no costs.
  const value = tellsCosts(rule.metric) ? 'its cost' : ruleValue(rule.metric, Number(firing.value))
  await record(tx, actor, ruleActed, { ...(await aboutOf(tx, rule, firing)), action, value })
}

function wishOf({ id, name, network_group_id, limit_bytes, limit_period }: RuleRow, action: RuleAction): Wish {
  if (action === 'block_sim') return { blocked: true, why: firedWords(name), rule_id: id }
  if (action === 'unblock_sim') return { blocked: false }
  if (action === 'imei_lock') return { imei_lock: 'lock' }
  if (action === 'set_limit') return { limit: { bytes: Number(limit_bytes), period: limit_period } }
  if (action === 'set_network_group') return { network_group: network_group_id! }
  return { state: action === 'activate_sim' ? 'active' : action === 'standby_sim' ? 'standby' : 'inactive' }
}

/**
 * Whether the limit that stops the SIM now, its own or its group's, allows less than another would. Of two periods that which counts: a day may use all of a month's, and a
 * month all of its days'.
 */
async function hasLowerLimit(tx: Tx, { account_id, sim_id }: FiringRow, { bytes, period }: NonNullable<WishedLimit>): Promise<boolean> {
  const now = await tx
    .selectFrom('sim_limit')
    .select(['bytes', 'period'])
    .where('account_id', '=', account_id)
    .where('sim_id', '=', sim_id!)
    .where('action', '=', 'block')
    .executeTakeFirst()
  if (!now) return false
  return now.bytes < (period === 'day' && now.period === 'month' ? bytes * mostDays : bytes)
}
const mostDays = 31

async function groupIsThere(tx: Tx, account_id: string, id: string): Promise<boolean> {
  const group = await tx
    .selectFrom('network_group')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return group !== undefined
}
