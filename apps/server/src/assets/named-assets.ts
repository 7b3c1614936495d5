import { idPrefixes } from '@masthead/contract/kernel/id'
import type { Actor, Db } from '../kernel/app.ts'
import { anyOf, visibleTo } from './viewer.ts'

const assetId = new RegExp(`\\b${idPrefixes.asset}_[0-9A-Za-z]{26}\\b`, 'g')

/** Whether somebody sees every asset that an answer names, wherever it does. Staff see every account's. */
export async function seesNamedAssets(db: Db, actor: Actor, answer: unknown): Promise<boolean> {
  const ids = [...new Set(JSON.stringify(answer)?.match(assetId))]
  if (ids.length === 0 || actor.kind === 'staff') return true
  const seen = await db.selectFrom('asset').select('asset.id').where('asset.id', '=', anyOf(ids)).where(visibleTo(actor)).execute()
  return seen.length === ids.length
}
