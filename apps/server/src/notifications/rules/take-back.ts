import { firingCalledOff, firingStays, firingTakenBack } from '@masthead/contract/notifications/events'
import { firingSettled } from '@masthead/contract/notifications/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Firing } from '@masthead/contract/notifications/rule-firing'
import { grantWishes, undoing } from '../../assets/bulk/index.ts'
import { systemActor, type Actor, type App, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { lockRule, needActs, needAllAssets } from './change-rules.ts'
import {
  aboutOf,
  forgetDeleted,
  hasFailedLong,
  isOpen,
  isSwapped,
  lockBoth,
  lockFiring,
  mostActs,
  settle,
  type FiringRow,
  type Kept,
  type RuleRow,
} from './firing-rows.ts'
import { getFiring, whyLeft } from './rule-queries.ts'
import { whyMayNot } from './rule-maker.ts'

/** Calls off what is about to be done to a SIM, or brings it back to what it was. Throws not_found, firing_settled, rule_needs_all_assets, rule_acts_on_sims. */
export async function undoFiring(tx: Tx, actor: Actor, rule_id: string, id: string): Promise<Firing> {
  needAllAssets(actor)
  const rule = await lockRule(tx, actor, rule_id)
  const firing = await lockFiring(tx, rule, id)
  if (!firing) throw new Problem(notFound)
  const by = { undone_at: actor.at, undone_by: actor.email, undo_at: null, undo_left: null }
  if (firing.act_at !== null && firing.outcome === null) {
    await settle(tx, firing, { outcome: 'called_off', ...by })
    await record(tx, actor, firingCalledOff, await aboutOf(tx, rule, firing))
    return getFiring(tx, actor, rule_id, id)
  }
  if (firing.undone_at !== null || (firing.outcome !== 'changed' && firing.outcome !== 'blocked')) throw new Problem(firingSettled)
  needActs(actor, 'deactivate_sim')
  if (firing.undo_left === 'held')
    throw new Problem(firingSettled, 'Another rule has taken the SIM over since, and what that one did is what can be taken back')
  if (await isSwapped(tx, firing)) throw new Problem(firingSettled, 'The asset has another SIM by now, so that one stays as it is')
  const outcome = await bringBack(tx, actor, firing)
  if (outcome !== 'changed' && outcome !== 'blocked') {
    throw new Problem(firingSettled, 'Somebody has changed the SIM since, so it stays as it is')
  }
  await settle(tx, firing, by)
  await record(tx, actor, firingTakenBack, await aboutOf(tx, rule, firing))
  return getFiring(tx, actor, rule_id, id)
}

/** Takes back what the rule did then, whatever it says by now. */
async function bringBack(tx: Tx, actor: Actor, { asset_id, before: kept }: FiringRow) {
  const { did, before } = kept as Kept
  const [granted] = await grantWishes(tx, actor, [{ asset_id: asset_id!, wish: undoing(did ?? {}, before) }])
  return granted!.outcome
}

/** Takes back what rules did until a day or month ended that is over, each in a transaction of its own; of rules that are switched off or deleted by now, too. */
export async function takeBackDue({ db, clock, log }: App): Promise<void> {
  const at = clock.now()
  const due = await db
    .selectFrom('alert_rule_firing')
    .select(['account_id', 'rule_id', 'id'])
    .where('undo_at', '<=', at)
    .where(isOpen('alert_rule_firing.account_id'))
    .orderBy('undo_at')
    .limit(mostActs)
    .execute()
  for (const firing of due) {
    try {
      await db.transaction().execute((tx) => takeBack(tx, firing, at))
    } catch (error) {
      log.error({ err: error, rule_id: firing.rule_id, firing_id: firing.id }, 'what an alert rule did could not be taken back')
      await db.transaction().execute((tx) => noteFailure(tx, firing, at))
    }
  }
  await db.transaction().execute((tx) => forgetDeleted(tx, null))
}

async function noteFailure(tx: Tx, of: Pick<FiringRow, 'account_id' | 'rule_id' | 'id'>, at: Date): Promise<void> {
  const both = await lockBoth(tx, of)
  if (both?.firing.undo_at && (await hasFailedLong(tx, both.firing, at))) await leave(tx, both, 'failed', at)
}

/** The SIM stays as the rule made it: said in the log of activities, as nobody opens a rule's history for that, and a deleted one has none. */
async function leave(tx: Tx, { rule, firing }: { rule: RuleRow; firing: FiringRow }, undo_left: string, at: Date): Promise<void> {
  await settle(tx, firing, { undo_at: null, undo_left })
  await record(tx, systemActor(rule.account_id, at), firingStays, { ...(await aboutOf(tx, rule, firing)), why: whyLeft(undo_left) })
}

async function takeBack(tx: Tx, of: Pick<FiringRow, 'account_id' | 'rule_id' | 'id'>, at: Date): Promise<void> {
  const both = await lockBoth(tx, of)
  if (!both?.firing.undo_at) return
  const { rule, firing } = both
  const { by } = firing.before as Kept
  // The rule may say another action by now, or none: what it did is a change of a SIM in any case. Whoever made it a notification since need not be one who may
  // change SIMs, as whoever answered for the action may be gone.
  const mayNot = (made: typeof rule) => whyMayNot(tx, { ...made, action: 'deactivate_sim' }, at)
  if ((await mayNot(rule)) !== null && (!by || (await mayNot({ ...rule, ...by })) !== null)) return leave(tx, both, 'not_allowed', at)
  if (await isSwapped(tx, firing)) return leave(tx, both, 'swapped', at)
  const actor = systemActor(rule.account_id, at)
  const outcome = await bringBack(tx, actor, firing)
  if (outcome !== 'changed' && outcome !== 'blocked') return leave(tx, both, outcome, at)
  await settle(tx, firing, { undone_at: at, undo_at: null })
  await record(tx, actor, firingTakenBack, await aboutOf(tx, rule, firing))
}
