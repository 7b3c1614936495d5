import type { LeftReason } from '@masthead/contract/assets/bulk/bulk'
import { assetAlreadyYours, assetReserved, assetTaken, assetUnknown } from '@masthead/contract/assets/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { emailNotVerified } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../../kernel/app.ts'
import { findFreeStock } from '../register/free-stock.ts'
import { lockPools } from '../lock-pools.ts'

type Swap = { asset_id: string; token: string }

const reasons = new Map<string, LeftReason>([
  [assetUnknown.code, 'new_sim_unknown'],
  [assetAlreadyYours.code, 'new_sim_yours'],
  [assetTaken.code, 'new_sim_taken'],
  [assetReserved.code, 'new_sim_reserved'],
  [emailNotVerified.code, 'new_sim_unconfirmed'],
])

/** Locks the SIMs that are to be put into assets, and says of each asset whose new SIM cannot be, why. In the order of what names them, so that two files never wait in a ring. */
export async function findNewSims(tx: Tx, actor: Actor, swaps: readonly Swap[]): Promise<Map<string, LeftReason>> {
  await lockPools(tx, actor)
  const left = new Map<string, LeftReason>()
  const taken = new Set<string>()
  for (const { asset_id, token } of swaps.toSorted((a, b) => (a.token < b.token ? -1 : a.token > b.token ? 1 : 0))) {
    const reason = await reasonAgainst(tx, actor, token, taken)
    if (reason) left.set(asset_id, reason)
  }
  return left
}

async function reasonAgainst(tx: Tx, actor: Actor, token: string, taken: Set<string>): Promise<LeftReason | null> {
  try {
    const { serial, iccid } = await findFreeStock(tx, actor, token)
    if (iccid === null) return 'new_sim_unknown'
    if (taken.has(serial)) return 'twice'
    taken.add(serial)
    return null
  } catch (problem) {
    const reason = problem instanceof Problem ? reasons.get(problem.kind.code) : undefined
    if (!reason) throw problem
    return reason
  }
}
