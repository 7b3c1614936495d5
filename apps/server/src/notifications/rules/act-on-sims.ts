import type { Selectable } from 'kysely'
import { firingCalledOff, firingTakenBack, ruleActed } from '@masthead/contract/notifications/events'
import { firingSettled } from '@masthead/contract/notifications/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { ruleValue, type Firing } from '@masthead/contract/notifications/rule'
import { grantWishes, undoing, type Wish } from '../../assets/bulk/index.ts'
import { systemActor, type Actor, type App, type Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { record } from '../../kernel/record.ts'
import { lockRule, needActs, needAllAssets } from './change-rules.ts'
import { getFiring } from './rule-queries.ts'

type FiringRow = Selectable<Database['alert_rule_firing']>
type Rule = Selectable<Database['alert_rule']>
/** In one minute. */
const mostActs = 1000
/** An action that fails is tried again for so long. */
const longestTried = 3_600_000

/** Does to SIMs what is due, each in a transaction of its own. */
export async function actOnSims({ db, clock, log }: App): Promise<void> {
  const at = clock.now()
  const due = await db
    .selectFrom('alert_rule_firing')
    .select(['account_id', 'rule_id', 'id', 'act_at'])
    .where('act_at', '<=', at)
    .where('outcome', 'is', null)
    .orderBy('act_at')
    .limit(mostActs)
    .execute()
  for (const { act_at, ...firing } of due) {
    try {
      await db.transaction().execute((tx) => act(tx, firing, at))
    } catch (error) {
      // One that fails keeps none of the others waiting.
      log.error({ err: error, rule_id: firing.rule_id, firing_id: firing.id }, 'the action of an alert rule failed')
      if (at.getTime() - act_at!.getTime() >= longestTried)
        await db.transaction().execute((tx) => settle(tx, firing, { acted_at: at, outcome: 'failed' }))
    }
  }
}

async function act(tx: Tx, { account_id, rule_id, id }: Pick<FiringRow, 'account_id' | 'rule_id' | 'id'>, at: Date): Promise<void> {
  const rule = await tx
    .selectFrom('alert_rule')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', rule_id)
    .forUpdate()
    .executeTakeFirst()
  const firing = rule && (await lockFiring(tx, rule, id))
  if (!firing || firing.outcome !== null || firing.asset_id === null) return
  if (rule.enabled_at === null) return settle(tx, firing, { acted_at: at, outcome: 'switched_off' })
  if (await isSwapped(tx, firing)) return settle(tx, firing, { acted_at: at, outcome: 'swapped' })
  const wish = wishOf(rule)
  if (wish.network_group !== undefined && !(await groupIsThere(tx, account_id, wish.network_group)))
    return settle(tx, firing, { acted_at: at, outcome: 'group_gone' })
  const actor = systemActor(account_id, at)
  const [granted] = await grantWishes(tx, actor, [{ asset_id: firing.asset_id, wish }])
  const { outcome, before } = granted!
  await settle(tx, firing, { acted_at: at, outcome, before: JSON.stringify({ did: wish, before }) })
  if (outcome !== 'changed' && outcome !== 'blocked') return
  const value = ruleValue(rule.metric, Number(firing.value))
  await record(tx, actor, ruleActed, { ...(await aboutOf(tx, rule, firing)), action: rule.action as 'deactivate_sim', value })
}

const wishOf = ({ action, network_group_id }: Rule): Wish =>
  action === 'deactivate_sim' ? { state: 'inactive' } : { network_group: network_group_id! }

/** The asset has another SIM in use than the one that the rule fired for. What is in use is locked, as it is to be changed. */
async function isSwapped(tx: Tx, { account_id, asset_id, sim_id }: FiringRow): Promise<boolean> {
  const inUse = await tx
    .selectFrom('asset')
    .innerJoin('sim', (join) => join.onRef('sim.account_id', '=', 'asset.account_id').onRef('sim.id', '=', 'asset.sim_id'))
    .select('sim.id')
    .where('asset.account_id', '=', account_id)
    .where('asset.id', '=', asset_id!)
    .forNoKeyUpdate('sim')
    .executeTakeFirst()
  return inUse !== undefined && sim_id !== null && inUse.id !== sim_id
}

async function groupIsThere(tx: Tx, account_id: string, id: string): Promise<boolean> {
  const group = await tx
    .selectFrom('network_group')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return group !== undefined
}

const lockFiring = (tx: Tx, { account_id, id: rule_id }: Pick<Rule, 'account_id' | 'id'>, id: string) =>
  tx
    .selectFrom('alert_rule_firing')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('rule_id', '=', rule_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

async function settle(
  tx: Tx,
  { account_id, id }: Pick<FiringRow, 'account_id' | 'id'>,
  change: { acted_at?: Date; outcome?: string; before?: string; undone_at?: Date; undone_by?: string }
) {
  await tx.updateTable('alert_rule_firing').set(change).where('account_id', '=', account_id).where('id', '=', id).execute()
}

async function aboutOf(tx: Tx, { id: rule_id, name: rule_name }: Rule, { account_id, asset_id }: FiringRow) {
  const asset = await tx
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id!)
    .executeTakeFirst()
  return { rule_id, rule_name, asset_id: asset_id!, asset_name: asset?.name ?? 'an asset that is gone' }
}

/** Calls off what is about to be done to a SIM, or brings it back to what it was. Throws not_found, firing_settled, rule_needs_all_assets, rule_acts_on_sims. */
export async function undoFiring(tx: Tx, actor: Actor, rule_id: string, id: string): Promise<Firing> {
  needAllAssets(actor)
  const rule = await lockRule(tx, actor, rule_id)
  const firing = await lockFiring(tx, rule, id)
  if (!firing) throw new Problem(notFound)
  const by = { undone_at: actor.at, undone_by: actor.email }
  if (firing.act_at !== null && firing.outcome === null) {
    await settle(tx, firing, { outcome: 'called_off', ...by })
    await record(tx, actor, firingCalledOff, await aboutOf(tx, rule, firing))
    return getFiring(tx, actor, rule_id, id)
  }
  if (firing.undone_at !== null || (firing.outcome !== 'changed' && firing.outcome !== 'blocked')) throw new Problem(firingSettled)
  needActs(actor, 'deactivate_sim')
  if (await isSwapped(tx, firing)) throw new Problem(firingSettled, 'The asset has another SIM by now, so that one stays as it is')
  // What the rule did then, whatever it says by now.
  const { did, before } = firing.before as { did: Wish; before: Wish }
  const [granted] = await grantWishes(tx, actor, [{ asset_id: firing.asset_id!, wish: undoing(did, before) }])
  if (granted!.outcome !== 'changed' && granted!.outcome !== 'blocked') {
    throw new Problem(firingSettled, 'Somebody has changed the SIM since, so it stays as it is')
  }
  await settle(tx, firing, by)
  await record(tx, actor, firingTakenBack, await aboutOf(tx, rule, firing))
  return getFiring(tx, actor, rule_id, id)
}
