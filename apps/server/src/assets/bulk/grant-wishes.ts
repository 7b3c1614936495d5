import { sql } from 'kysely'
import { assetRenamed, imeiLockSet, limitRaised, limitSet } from '@masthead/contract/assets/events'
import { simActionTo, type LimitPeriod, type SimState } from '@masthead/contract/assets/sim'
import type { Actor, Tx } from '../../kernel/app.ts'
import { lockSimsOf } from '../asset-queries.ts'
import { lockPools } from '../lock-pools.ts'
import { recordMany } from '../../kernel/record.ts'
import { updateAgents } from '../../devices/agent/index.ts'
import { configureDevices, updateDevices } from '../../devices/index.ts'
import { keepLimits, raiseSimLimits, setSimLimits } from '../../metering/index.ts'
import { getGroupOrDefault, groupOf, moveSims } from '../../network-groups/index.ts'
import { tagAssets, untagAssets } from '../../tags/index.ts'
import { limitNow } from '../../usage/index.ts'
import { anyOf } from '../index.ts'
import { switchAssets } from '../switch-asset.ts'
import { blockByRule, setImeiLocks, setSimStates, unblockOfRules } from '../service/index.ts'
import { simEvents } from '../sim/change-state.ts'
import { findNewSims, type NewStock } from '../sim/find-new-sims.ts'
import { keptHere, lockToRelease, releaseAssets } from '../sim/release-asset.ts'
import { resetSims } from '../sim/reset-sim.ts'
import { swapSims, type Swap } from '../sim/swap-sim.ts'
import { coreOf } from './core-config.ts'
import { judgeWish, type Subject, type Verdict } from './judge-wish.ts'
import { agentOf, allowedByGroup, chosen, isOpen, runsCore, type Outcome } from './outcome.ts'
import { freeing, type Wish } from './wish.ts'

/** One asset and what is wanted of it. */
export type Wished = { asset_id: string; wish: Wish }
/** `did`: what was done of the wish, with the devices that a SIM was locked to; null with an outcome that left the asset alone. */
export type Granted = { outcome: Outcome; did: Wish | null; before: Wish | null }
type Doing = { subject: Subject; todo: Wish }

/** Does what is wanted of some hundred assets, in a fixed number of statements, and says of each what became of it, in their order. */
export async function grantWishes(tx: Tx, actor: Actor, asked: readonly Wished[]): Promise<Granted[]> {
  // A rule that deactivates for a while leaves the block of one that holds longer.
  const wished = actor.kind === 'system' ? asked : asked.map(({ asset_id, wish }) => ({ asset_id, wish: freeing(wish) }))
  const ids = wished.map(({ asset_id }) => asset_id)
  const subjects = await lockSubjects(tx, actor, ids, wished)
  const verdicts = wished.map(({ asset_id, wish }) => judgeWish(subjects.get(asset_id), wish, actor.tags))
  const doing = verdicts.flatMap((verdict, at): Doing[] =>
    'todo' in verdict ? [{ subject: subjects.get(wished[at]!.asset_id)!, todo: verdict.todo }] : []
  )
  await rename(tx, actor, doing)
  for (const on of [true, false])
    await switchAssets(
      tx,
      actor,
      doing.flatMap(({ subject, todo }) => (todo.on === on ? [subject] : [])),
      on
    )
  await moveStates(tx, actor, doing)
  await setRuleBlocks(tx, actor, doing)
  await setGroups(tx, actor, doing)
  await setLimits(tx, actor, doing)
  await setLocks(tx, actor, doing)
  const reset = doing.filter(({ todo }) => todo.reset)
  await resetSims(tx, actor, reset.map(detailOf))
  await moveTags(tx, actor, doing)
  await updateDevices(
    tx,
    actor,
    doing.flatMap(({ subject, todo }) => (todo.update_core ? [subject] : []))
  )
  await configureDevices(
    tx,
    actor,
    doing.flatMap(({ subject: { asset_id, asset_name }, todo: { configure_core: change } }) =>
      change ? [{ asset_id, asset_name, change }] : []
    )
  )
  const agents = doing.filter(({ todo }) => todo.update_agent !== undefined)
  for (const [version, own] of Map.groupBy(agents, ({ todo }) => todo.update_agent!))
    await updateAgents(
      tx,
      actor,
      own.map(({ subject }) => subject),
      version
    )
  await swapSims(tx, actor, doing.flatMap(swapOf))
  const leaving = doing.filter(({ todo }) => todo.release !== undefined)
  for (const [to, own] of Map.groupBy(leaving, ({ todo }) => todo.release!.to))
    await releaseAssets(
      tx,
      actor,
      own.map(({ subject }) => subject),
      to
    )
  return verdicts.map(outcomeOf)
}

function swapOf({ subject: { asset_id, asset_name, sim, new_sim }, todo }: Doing): Swap[] {
  if (todo.new_sim === undefined || !new_sim?.stock) return []
  return [{ stock: new_sim.stock, old: { asset_id, asset_name, ...sim! }, before: todo.old_sim ?? 'deactivate' }]
}

function outcomeOf(verdict: Verdict): Granted {
  if ('reason' in verdict) return { outcome: verdict.reason, did: null, before: null }
  return { outcome: verdict.is_blocked ? 'blocked' : 'changed', did: verdict.todo, before: verdict.before }
}

type Row = Omit<Subject, 'new_sim'>

async function lockSubjects(tx: Tx, actor: Actor, ids: readonly string[], wished: readonly Wished[]): Promise<Map<string, Subject>> {
  const { account_id } = actor
  const ofSims = wished.some(({ wish }) =>
    [wish.on, wish.new_sim, wish.state, wish.blocked, wish.limit, wish.raise, wish.imei_lock, wish.network_group, wish.reset].some(
      (one) => one !== undefined
    )
  )
  const ofAssets = wished.some(({ wish }) => wish.name !== undefined || wish.on !== undefined || wish.remove_tags !== undefined)
  if (wished.some(({ wish }) => wish.add_tags !== undefined || wish.remove_tags !== undefined)) await lockPools(tx, actor)
  const ofReleases = wished.some(({ wish }) => wish.release !== undefined)
  if (ofReleases) await lockToRelease(tx, actor, ids)
  const swaps = wished.flatMap(({ asset_id, wish }) =>
    wish.new_sim !== undefined && !wish.twice ? [{ asset_id, token: wish.new_sim }] : []
  )
  const news = swaps.length > 0 ? await findNewSims(tx, actor, swaps) : new Map<string, NewStock>()
  // Never the assets first, whose rows follow their SIMs; and taking tags off has SIMs leave their pools.
  const sims = ofSims || ofAssets ? await lockSimsOf(tx, actor, ids) : []
  if (wished.some(({ wish }) => wish.raise !== undefined)) await keepLimits(tx, account_id, sims)
  // Two that take different tags off the same asset must not together hide it from a member limited to tags.
  if (ofAssets)
    await sql`select from asset where account_id = ${account_id} and id = ${anyOf(ids)} order by id for no key update`.execute(tx)
  // Two that change the configuration of a device must not both take the last place among those that wait.
  const ofCores = wished.some(({ wish }) => wish.configure_core !== undefined)
  if (ofCores)
    await sql`select from device where account_id = ${account_id} and asset_id = ${anyOf(ids)} and kind = 'core'
      order by id for no key update`.execute(tx)
  const { allows } = limitNow(actor.at)
  const { rows } = await sql<Row>`select asset.id as asset_id, asset.name as asset_name, asset.serial,
      array(select t.tag_id from asset_tag t where t.account_id = asset.account_id and t.asset_id = asset.id) as tags, asset.switched_off_at is null as is_on,
      ${runsCore} as runs_core, ${ofCores ? coreOf : sql`null::json`} as core, ${agentOf} as agent, ${ofReleases ? keptHere : sql`null`} as kept,
      case when sim.id is not null then json_build_object('sim_id', sim.id, 'iccid', sim.iccid, 'state', sim.state, 'activated_at', sim.activated_at,
        'blocks', sim.blocks, 'imei', sim.imei, 'imei_lock', sim.imei_lock, 'imeis', sim.imeis,
        'network_group', ${groupOf('sim')}, 'allows', ${allows}, 'group_allows', ${allowedByGroup(actor.at, wished)}, 'is_open', ${wished.some(({ wish }) => wish.reset) ? isOpen : sql`false`},
        'own_limit', case when l.scope = 'sim' then json_build_object('bytes', l.bytes, 'period', l.period) end) end as sim
    from ${chosen(actor, sql`select unnest(${ids}::text[]) as id`)}
      left join sim on sim.account_id = asset.account_id and sim.id = asset.sim_id
      left join sim_limit l on l.account_id = sim.account_id and l.sim_id = sim.id
    where asset.id is not null`.execute(tx)
  return new Map(
    rows.map((row) => {
      const new_sim = news.get(row.asset_id)
      return [row.asset_id, { ...row, ...(new_sim && { new_sim }) }]
    })
  )
}

async function rename(tx: Tx, actor: Actor, doing: readonly Doing[]) {
  const named = doing.filter(({ todo }) => todo.name !== undefined)
  if (named.length === 0) return
  const [ids, names] = [named.map(({ subject }) => subject.asset_id), named.map(({ todo }) => todo.name!)]
  await sql`update asset set name = k.name from unnest(${ids}::text[], ${names}::text[]) as k(id, name)
    where asset.account_id = ${actor.account_id} and asset.id = k.id`.execute(tx)
  await recordMany(
    tx,
    actor,
    assetRenamed,
    named.map(({ subject, todo }) => ({
      asset_id: subject.asset_id,
      asset_name: todo.name!,
      old_name: subject.asset_name,
      new_name: todo.name!,
    }))
  )
}

const detailOf = ({ subject: { asset_id, asset_name, sim } }: Doing) => ({ asset_id, asset_name, sim_id: sim!.sim_id, iccid: sim!.iccid })
const simOf = ({ account_id }: Actor, { subject }: Doing) => ({ account_id, sim_id: subject.sim!.sim_id })

async function moveStates(tx: Tx, actor: Actor, doing: readonly Doing[]) {
  const moved = doing.filter(({ todo }) => todo.state !== undefined)
  for (const [state, own] of Map.groupBy(moved, ({ todo }): SimState => todo.state!)) {
    await setSimStates(
      tx,
      actor,
      own.map(({ subject }) => subject.sim!.sim_id),
      state
    )
    await recordMany(tx, actor, simEvents[simActionTo(state)!], own.map(detailOf))
  }
}

const keyOf = ({ subject }: Doing) => subject.sim!.sim_id

async function setRuleBlocks(tx: Tx, actor: Actor, doing: readonly Doing[]) {
  const blocked = doing.filter(({ todo }) => todo.blocked === true)
  for (const own of Map.groupBy(blocked, ({ todo }) => JSON.stringify([todo.rule_id, todo.why])).values())
    await blockByRule(tx, actor, own.map(keyOf), own[0]!.todo)
  await unblockOfRules(tx, actor, doing.filter(({ todo }) => todo.blocked === false).map(keyOf))
}

async function setGroups(tx: Tx, actor: Actor, doing: readonly Doing[]) {
  const moved = doing.filter(({ todo }) => todo.network_group !== undefined)
  for (const [id, own] of Map.groupBy(moved, ({ todo }) => todo.network_group!)) {
    await moveSims(tx, actor, own.map(detailOf), await getGroupOrDefault(tx, actor, id))
  }
}

async function setLimits(tx: Tx, actor: Actor, doing: readonly Doing[]) {
  const { at } = actor
  const set = doing.filter(({ todo }) => todo.limit !== undefined)
  await recordMany(
    tx,
    actor,
    limitSet,
    set.map((one) => ({
      ...detailOf(one),
      bytes: one.todo.limit?.bytes ?? null,
      period: one.todo.limit?.period ?? ('month' as LimitPeriod),
    }))
  )
  await setSimLimits(
    tx,
    set.map((one) => ({ ...simOf(actor, one), limit: one.todo.limit ?? null })),
    at
  )
  const raised = doing.filter(({ todo }) => todo.raise !== undefined)
  if (raised.length === 0) return
  const periods = await periodsOf(tx, actor, raised)
  await recordMany(
    tx,
    actor,
    limitRaised,
    raised.map((one) => ({ ...detailOf(one), bytes: one.todo.raise!, period: periods.get(one.subject.sim!.sim_id)! }))
  )
  await raiseSimLimits(
    tx,
    raised.map((one) => ({ ...simOf(actor, one), bytes: one.todo.raise! })),
    at
  )
}

async function periodsOf(tx: Tx, { account_id }: Actor, raised: readonly Doing[]): Promise<Map<string, LimitPeriod>> {
  const rows = await tx
    .selectFrom('sim_limit')
    .select(['sim_id', 'period'])
    .where('account_id', '=', account_id)
    .where('sim_id', '=', anyOf(raised.map(({ subject }) => subject.sim!.sim_id)))
    .execute()
  return new Map(rows.map(({ sim_id, period }) => [sim_id, period]))
}

async function setLocks(tx: Tx, actor: Actor, doing: readonly Doing[]) {
  const set = doing.filter(({ todo }) => todo.imei_lock !== undefined)
  const lockOf = ({ todo }: Doing) => ({ own: todo.imei_lock ?? null, imeis: todo.imeis ?? [] })
  await recordMany(
    tx,
    actor,
    imeiLockSet,
    set.map((one) => ({ ...detailOf(one), ...lockOf(one) }))
  )
  await setImeiLocks(
    tx,
    set.map((one) => ({ ...simOf(actor, one), ...lockOf(one) })),
    actor.at
  )
}

async function moveTags(tx: Tx, actor: Actor, doing: readonly Doing[]) {
  for (const [key, change] of [
    ['remove_tags', untagAssets],
    ['add_tags', tagAssets],
  ] as const) {
    const byTag = Map.groupBy(
      doing.flatMap(({ subject, todo }) => (todo[key] ?? []).map((tag_id) => ({ tag_id, asset: subject }))),
      ({ tag_id }) => tag_id
    )
    if (byTag.size === 0) continue
    const names = await tagNames(tx, actor, [...byTag.keys()])
    // In the order of their ids, as everywhere.
    for (const tag_id of [...byTag.keys()].toSorted()) {
      const assets = byTag.get(tag_id)!.map(({ asset: { asset_id, asset_name } }) => ({ asset_id, asset_name }))
      await change(tx, actor, assets, [{ tag_id, tag_name: names.get(tag_id) ?? '' }])
    }
  }
}

async function tagNames(tx: Tx, { account_id }: Actor, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.selectFrom('tag').select(['id', 'name']).where('account_id', '=', account_id).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
