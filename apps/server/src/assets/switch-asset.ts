import { sql } from 'kysely'
import { assetSwitchedOff, assetSwitchedOn } from '@masthead/contract/assets/events'
import type { Actor, Tx } from '../kernel/app.ts'
import { recordMany } from '../kernel/record.ts'
import { getSimForUpdate } from './asset-queries.ts'
import { changeSimState } from './sim/change-state.ts'
import { addBlocks, clearBlocks, type SimOf, switchedOffBlock } from './service/index.ts'

/**
 * Switches an asset off, which takes the service from all its SIMs while their own states stay, or on again. A SIM that is not active is activated
 * where its asset is on already: so this call worked when assets had no switch. An active one stays as it is, also where an alert rule blocks it: the call says how
 * the asset is to be, and is made each night by some. Throws asset_has_no_sim, sim_wrong_state.
 */
export async function switchAsset(tx: Tx, actor: Actor, asset_id: string, status: 'active' | 'inactive'): Promise<void> {
  const { account_id } = actor
  // Whoever switches the same asset waits here; the asset's row comes after its SIM's, as everywhere.
  const { state, asset_name } = await getSimForUpdate(tx, actor, asset_id)
  const asset = tx.selectFrom('asset').select('switched_off_at').where('account_id', '=', account_id).where('id', '=', asset_id)
  const isOn = (await asset.executeTakeFirstOrThrow()).switched_off_at === null
  const isWanted = status === 'active'
  if (isOn && isWanted && state !== 'active') return changeSimState(tx, actor, asset_id, 'activate')
  if (isOn !== isWanted) await switchAssets(tx, actor, [{ asset_id, asset_name }], isWanted)
}

type NamedAsset = { asset_id: string; asset_name: string }

/** Switches some hundred assets on or off that are not so yet. Whoever calls it has locked their SIMs. */
export async function switchAssets(tx: Tx, actor: Actor, assets: readonly NamedAsset[], on: boolean): Promise<void> {
  if (assets.length === 0) return
  const { account_id, at, email: by } = actor
  const ids = assets.map(({ asset_id }) => asset_id)
  const { rows: sims } = await sql<SimOf>`select account_id, id as sim_id from sim
    where account_id = ${account_id} and asset_id = any(${ids}::text[])
      ${on ? sql`` : sql`and state <> 'terminated'`} order by id`.execute(tx)
  if (on) await clearBlocks(tx, sims, 'asset_off')
  else {
    const block = switchedOffBlock({ by, at })
    await addBlocks(
      tx,
      sims.map((sim) => ({ ...sim, block }))
    )
  }
  await sql`update asset set switched_off_at = ${on ? null : at} where account_id = ${account_id} and id = any(${ids}::text[])`.execute(tx)
  await recordMany(
    tx,
    actor,
    on ? assetSwitchedOn : assetSwitchedOff,
    assets.map(({ asset_id, asset_name }) => ({ asset_id, asset_name }))
  )
}
