import type { LeftReason } from '@masthead/contract/assets/bulk/bulk'
import { assetAlreadyYours, assetReserved, assetTaken, assetUnknown } from '@masthead/contract/assets/problems'
import { emailNotVerified } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../../kernel/app.ts'
import { findManyFree, type Stock } from '../register/free-stock.ts'
import { lockPools } from '../lock-pools.ts'
import { anyOf, visibleTo } from '../viewer.ts'

type Swap = { asset_id: string; token: string }
/** The SIM of stock that is to be put into an asset, or why it cannot be. */
export type NewStock = { stock: Stock & { iccid: string } } | { stock: null; reason: LeftReason }

const reasons = new Map<string, LeftReason>([
  [assetUnknown.code, 'new_sim_unknown'],
  [assetAlreadyYours.code, 'new_sim_yours'],
  [assetTaken.code, 'new_sim_taken'],
  [assetReserved.code, 'new_sim_reserved'],
  [emailNotVerified.code, 'new_sim_unconfirmed'],
])

/**
 * Locks the SIMs that are to be put into assets, and says of each asset which it is, or why it cannot be. An asset that has no SIM, or is not there, is left
 * out: it takes none from another one that is named with the same.
 */
export async function findNewSims(tx: Tx, actor: Actor, wanted: readonly Swap[]): Promise<Map<string, NewStock>> {
  await lockPools(tx, actor)
  const swaps = await ofThoseWithSim(tx, actor, wanted)
  const found = await findManyFree(
    tx,
    actor,
    swaps.map(({ token }) => token)
  )
  const taken = new Set<string>()
  return new Map(
    swaps.map(({ asset_id }, at): [string, NewStock] => {
      const one = found[at]!
      if (!one.stock) return [asset_id, { stock: null, reason: reasons.get(one.why.code)! }]
      const { iccid, serial } = one.stock
      if (iccid === null) return [asset_id, { stock: null, reason: 'new_sim_unknown' }]
      if (taken.has(serial)) return [asset_id, { stock: null, reason: 'twice' }]
      taken.add(serial)
      return [asset_id, { stock: { ...one.stock, iccid } }]
    })
  )
}

async function ofThoseWithSim(tx: Tx, actor: Actor, swaps: readonly Swap[]): Promise<Swap[]> {
  const rows = await tx
    .selectFrom('asset')
    .select('id')
    .where('id', '=', anyOf(swaps.map(({ asset_id }) => asset_id)))
    .where('sim_id', 'is not', null)
    .where(visibleTo(actor))
    .execute()
  const ids = new Set(rows.map(({ id }) => id))
  return swaps.filter(({ asset_id }) => ids.has(asset_id))
}
