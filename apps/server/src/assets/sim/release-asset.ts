import { assetReleased } from '@masthead/contract/assets/events'
import { releaseInUse, simActionNotPossible } from '@masthead/contract/assets/problems'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { removeAsset } from '../remove-asset.ts'

type Wanted = { to: string | null; serial: string }

/**
 * Gives an asset back to stock, or hands it over: then its account and the other one alone may register it, and whoever does so first has it. What it
 * used stays with the account that had it. Throws invalid_request, release_in_use, sim_wrong_state.
 */
export async function releaseAsset(tx: Tx, actor: Actor, asset_id: string, { to, serial: typed }: Wanted): Promise<void> {
  const { account_id } = actor
  // The stock first, as staff do who move it; the asset's row comes after its SIMs'.
  await tx
    .selectFrom('inventory')
    .select('serial')
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .orderBy('serial')
    .forUpdate()
    .execute()
  const { serial } = await tx
    .selectFrom('asset')
    .select('serial')
    .where('account_id', '=', account_id)
    .where('id', '=', asset_id)
    .executeTakeFirstOrThrow()
  if (typed.toLowerCase() !== serial.toLowerCase()) throw wrong('serial', 'Type the serial number of the asset: it leaves your account')
  const sims = await tx
    .selectFrom('sim')
    .select(['state', 'blocks'])
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .orderBy('id')
    .forUpdate()
    .execute()
  // Registered anew it would be ready again, and nothing brings a terminated SIM back.
  if (sims.some(({ state }) => state === 'terminated'))
    throw new Problem(simActionNotPossible, 'A SIM of this asset is terminated for ever. Ask support staff to take the asset back')
  // Registered anew nothing would be held against it.
  if (sims.some(({ blocks }) => blocks.some(({ code }) => code === 'staff')))
    throw new Problem(simActionNotPossible, 'Support staff hold a SIM of this asset. Ask them to lift the hold, or to take the asset back')
  const name = await removeAsset(tx, account_id, asset_id)
  if (name === null) throw new Problem(releaseInUse)
  await tx
    .updateTable('inventory')
    .set({ account_id: null, asset_id: null, registered_at: null, reserved_for: to, released_by: to === null ? null : account_id })
    .where('account_id', '=', account_id)
    .where('asset_id', '=', asset_id)
    .execute()
  await record(tx, actor, assetReleased, { asset_id, asset_name: name, serial, to })
}

const wrong = (field: string, words: string) => new Problem(invalidRequest, words, { fields: { [field]: words } })
