import { sql } from 'kysely'
import { simSwapped, simTerminated } from '@masthead/contract/assets/events'
import { swapNeedsSim } from '@masthead/contract/assets/problems'
import { simCan, simLeadsTo, type SimBlock, type SimState } from '@masthead/contract/assets/sim'
import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { lockPools } from '../lock-pools.ts'
import { record } from '../../kernel/record.ts'
import { getSimForUpdate } from '../asset-queries.ts'
import { findFreeStock } from '../register/free-stock.ts'
import { insertSims } from '../register/insert-assets.ts'
import { addBlocks, setSimStates } from '../service/index.ts'

type Wanted = { token: string; before: 'deactivate' | 'terminate' }

/**
 * Puts a SIM of stock into an asset, in the state of the one before and with its limit, group, pool and IMEI lock. The one before stays with the
 * asset, as does all that it used. Throws asset_has_no_sim, swap_needs_sim and what a registration throws.
 */
export async function swapSim(tx: Tx, actor: Actor, asset_id: string, { token, before }: Wanted): Promise<void> {
  const { account_id, at, email: by } = actor
  await lockPools(tx, actor)
  const stock = await findFreeStock(tx, actor, token)
  if (stock.iccid === null) throw new Problem(swapNeedsSim)
  const old = await getSimForUpdate(tx, actor, asset_id)
  const { iccid, imsis, msisdn, eid } = stock
  const id = newId('sim', at.getTime())
  await insertSims(tx, account_id, [{ id, asset_id, iccid, imsis, msisdn, eid, imei: null }], { state: 'ready', at, by })
  await keepSettings(tx, { account_id, id, old_id: old.sim_id }, at)
  await tx
    .updateTable('inventory')
    .set({ account_id, asset_id, registered_at: at, reserved_for: null, released_by: null })
    .where('serial', '=', stock.serial)
    .execute()
  // The asset's row follows its SIM in use by a trigger of that SIM's row, which is written next.
  await tx.updateTable('asset').set({ sim_id: id }).where('account_id', '=', account_id).where('id', '=', asset_id).execute()
  await setSimStates(tx, actor, [id], newState[old.state])
  await record(tx, actor, simSwapped, { ...old, sim_id: id, iccid, old_sim_id: old.sim_id, old_iccid: old.iccid })
  if (!simCan(before, old)) return
  await setSimStates(tx, actor, [old.sim_id], simLeadsTo[before])
  if (before === 'terminate') await record(tx, actor, simTerminated, old)
}

/** What the new one is set to, by what the one before was. */
const newState: Record<SimState, SimState> = {
  inventory: 'ready',
  ready: 'ready',
  active: 'active',
  standby: 'active',
  inactive: 'inactive',
  terminated: 'ready',
}

/** Group, limit and lock go on (pools follow the asset), and what is held against the asset, its account or its pool; what the SIM itself did stays with it. */
async function keepSettings(tx: Tx, { account_id, id, old_id }: { account_id: string; id: string; old_id: string }, at: Date) {
  const { rows } = await sql<{
    blocks: SimBlock[]
  }>`update sim set group_id = old.group_id, imei_lock = old.imei_lock,
      imei_lock_default = old.imei_lock_default, imeis = old.imeis from sim old
    where sim.account_id = ${account_id} and sim.id = ${id} and old.account_id = sim.account_id and old.id = ${old_id}
    returning old.blocks`.execute(tx)
  await sql`insert into usage_limit (account_id, id, sim_id, period, bytes, action, raised_bytes, raised_period, only_raise, created_at)
    select account_id, ${newId('limit', at.getTime())}, ${id}, period, bytes, action, raised_bytes, raised_period, only_raise, ${at} from usage_limit
    where account_id = ${account_id} and sim_id = ${old_id}`.execute(tx)
  const going = rows[0]!.blocks.filter(({ code }) => code !== 'data_limit' && code !== 'imei_mismatch' && code !== 'cost_cap')
  for (const block of going) await addBlocks(tx, [{ account_id, sim_id: id, block }])
}
