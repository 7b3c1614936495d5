import { assetSwitchedOff, assetSwitchedOn } from '@masthead/contract/assets/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getSimForUpdate } from './asset-queries.ts'
import { changeSimState } from './sim/change-state.ts'
import { blockScope, clearScope, switchedOffBlock } from './service/index.ts'

const mostSims = 1000

/**
 * Switches an asset off, which takes the service from all its SIMs while their own states stay, or on again. A SIM that is not active is activated
 * where its asset is on already: so this call worked when assets had no switch. Throws asset_has_no_sim, sim_wrong_state.
 */
export async function switchAsset(tx: Tx, actor: Actor, asset_id: string, status: 'active' | 'inactive'): Promise<void> {
  const { account_id, at, email: by } = actor
  // Whoever switches the same asset waits here; the asset's row comes after its SIM's, as everywhere.
  const { state, asset_name } = await getSimForUpdate(tx, actor, asset_id)
  const asset = tx.selectFrom('asset').select('switched_off_at').where('account_id', '=', account_id).where('id', '=', asset_id)
  const isOn = (await asset.executeTakeFirstOrThrow()).switched_off_at === null
  const isWanted = status === 'active'
  if (isOn && isWanted && state !== 'active') return changeSimState(tx, actor, asset_id, 'activate')
  if (isOn === isWanted) return
  const scope = { account_id, asset_id }
  await (isWanted ? clearScope(tx, scope, 'asset_off', mostSims) : blockScope(tx, scope, switchedOffBlock({ by, at }), mostSims))
  const switched_off_at = isWanted ? null : at
  await tx.updateTable('asset').set({ switched_off_at }).where('account_id', '=', account_id).where('id', '=', asset_id).execute()
  await record(tx, actor, isWanted ? assetSwitchedOn : assetSwitchedOff, { asset_id, asset_name })
}
