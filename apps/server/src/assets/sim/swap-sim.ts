import { sql } from 'kysely'
import { simSwapped, simTerminated } from '@masthead/contract/assets/events'
import { swapNeedsSim } from '@masthead/contract/assets/problems'
import { simCan, simLeadsTo, type BlockCode, type SimBlock, type SimState } from '@masthead/contract/assets/sim'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { lockPools } from '../lock-pools.ts'
import { recordMany } from '../../kernel/record.ts'
import { getSimForUpdate, lockSimsOf } from '../asset-queries.ts'
import { findFreeStock, type Stock } from '../register/free-stock.ts'
import { insertSims } from '../register/insert-assets.ts'
import { addBlocks, setSimStates } from '../service/index.ts'

export type Before = 'deactivate' | 'terminate'
type OldSim = { asset_id: string; asset_name: string; sim_id: string; iccid: string; state: SimState; activated_at: unknown }
/** A locked SIM of stock, the locked SIM in whose place it comes, and what becomes of that one. */
export type Swap = { stock: Stock & { iccid: string }; old: OldSim; before: Before }

/**
 * Puts a SIM of stock into an asset, in the state of the one before and with its limit, group, pool and IMEI lock. The one before stays with the
 * asset, as does all that it used. Throws asset_has_no_sim, swap_needs_sim and what a registration throws.
 */
export async function swapSim(tx: Tx, actor: Actor, asset_id: string, { token, before }: { token: string; before: Before }): Promise<void> {
  await lockPools(tx, actor)
  const stock = await findFreeStock(tx, actor, token)
  const { iccid } = stock
  if (iccid === null) throw new Problem(swapNeedsSim)
  await lockSimsOf(tx, actor, [asset_id])
  await swapSims(tx, actor, [{ stock: { ...stock, iccid }, old: await getSimForUpdate(tx, actor, asset_id), before }])
}

/** The same for some hundred assets, in a fixed number of statements. */
export async function swapSims(tx: Tx, actor: Actor, swaps: readonly Swap[]): Promise<void> {
  if (swaps.length === 0) return
  const { account_id, at, email: by } = actor
  const all = swaps.map((swap) => ({ ...swap, id: newId('sim', at.getTime()), asset_id: swap.old.asset_id }))
  await insertSims(
    tx,
    account_id,
    all.map(({ id, asset_id, stock: { iccid, imsis, msisdn, eid } }) => ({ id, asset_id, iccid, imsis, msisdn, eid, imei: null })),
    { state: 'ready', at, by }
  )
  await keepSettings(tx, actor, all)
  const assets = all.map(({ asset_id }) => asset_id)
  await sql`update inventory set account_id = ${account_id}, asset_id = k.asset_id, registered_at = ${at}, reserved_for = null, released_by = null
    from unnest(${assets}::text[], ${all.map(({ stock }) => stock.serial.toLowerCase())}::text[]) as k (asset_id, serial)
    where lower(inventory.serial) = k.serial`.execute(tx)
  // An asset's row follows its SIM in use by a trigger of that SIM's row, which is written next.
  await sql`update asset set sim_id = k.sim_id from unnest(${assets}::text[], ${all.map(({ id }) => id)}::text[]) as k (asset_id, sim_id)
    where asset.account_id = ${account_id} and asset.id = k.asset_id`.execute(tx)
  for (const [state, own] of Map.groupBy(all, ({ old }) => newState[old.state]))
    await setSimStates(
      tx,
      actor,
      own.map(({ id }) => id),
      state
    )
  await recordMany(
    tx,
    actor,
    simSwapped,
    all.map(({ id, old: { asset_id, asset_name, ...old }, stock: { iccid } }) => ({
      asset_id,
      asset_name,
      sim_id: id,
      iccid,
      old_sim_id: old.sim_id,
      old_iccid: old.iccid,
    }))
  )
  const ending = all.filter(({ before, old }) => simCan(before, old))
  for (const [before, own] of Map.groupBy(ending, (swap) => swap.before)) {
    await setSimStates(
      tx,
      actor,
      own.map(({ old }) => old.sim_id),
      simLeadsTo[before]
    )
    if (before === 'terminate')
      await recordMany(
        tx,
        actor,
        simTerminated,
        own.map(({ old: { asset_id, asset_name, sim_id, iccid } }) => ({ asset_id, asset_name, sim_id, iccid }))
      )
  }
}

/** What the new one is set to, by what the one before was. */
const newState: Record<SimState, SimState> = {
  inventory: 'ready',
  ready: 'ready',
  active: 'active',
  standby: 'standby',
  inactive: 'inactive',
  terminated: 'ready',
}

/** What a SIM did itself, or a rule found of it. */
const ofSim: readonly BlockCode[] = ['data_limit', 'imei_mismatch', 'cost_cap', 'rule']

/** Group, limit and lock go on (pools follow the asset), and what is held against the asset, its account or its pool; what the SIM itself did stays with it. */
async function keepSettings(tx: Tx, { account_id, at }: Actor, swaps: readonly (Swap & { id: string })[]) {
  const limits = swaps.map(() => newId('limit', at.getTime()))
  const given = sql`unnest(${swaps.map(({ id }) => id)}::text[], ${swaps.map(({ old }) => old.sim_id)}::text[], ${limits}::text[]) as k (id, old_id, limit_id)`
  const { rows } = await sql<{ sim_id: string; blocks: SimBlock[] }>`update sim set group_id = old.group_id, imei_lock = old.imei_lock,
      imei_lock_default = old.imei_lock_default, imeis = old.imeis from ${given}, sim old
    where sim.account_id = ${account_id} and sim.id = k.id and old.account_id = sim.account_id and old.id = k.old_id
    returning sim.id as sim_id, old.blocks`.execute(tx)
  await sql`insert into usage_limit (account_id, id, sim_id, period, bytes, action, raised_bytes, raised_period, only_raise, created_at)
    select l.account_id, k.limit_id, k.id, l.period, l.bytes, l.action, l.raised_bytes, l.raised_period, l.only_raise, ${at}
    from ${given} join usage_limit l on l.account_id = ${account_id} and l.sim_id = k.old_id`.execute(tx)
  const going = rows.flatMap(({ sim_id, blocks }) =>
    blocks.filter(({ code }) => !ofSim.includes(code)).map((block) => ({ account_id, sim_id, block }))
  )
  // One of each code at once: a statement puts a SIM's block beside those that it read.
  for (const own of Map.groupBy(going, ({ block }) => block.code).values()) await addBlocks(tx, own)
}
