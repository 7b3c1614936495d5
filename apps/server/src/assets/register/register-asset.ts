import { assetRegistered } from '@masthead/contract/assets/events'
import { newId } from '@masthead/contract/kernel/id'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getTagsByWord, setTags } from '../../tags/index.ts'
import { lockPools } from '../lock-pools.ts'
import { findFreeStock } from './free-stock.ts'
import { claimStock, insertAssets } from './insert-assets.ts'
import { friendlyName } from './friendly-name.ts'

type Wanted = { token: string; name?: string | undefined; tags?: string[] | undefined }

/** Moves an asset from stock into the account; its SIM is ready. Of several who try at once, one wins. Returns the asset's id. */
export async function registerAsset(tx: Tx, actor: Actor, { token, name, tags = [] }: Wanted): Promise<string> {
  await lockPools(tx, actor)
  const stock = await findFreeStock(tx, actor, token)
  const wanted = await getTagsByWord(tx, actor, tags)
  if (actor.tags.length > 0 && wanted.length === 0) {
    const words = 'Choose at least one of your tags, or you would not see the asset'
    throw new Problem(invalidRequest, words, { fields: { tags: words } })
  }
  const { type, serial, iccid, imsis, msisdn, eid, imei } = stock
  const now = actor.at.getTime()
  const id = newId('asset', now)
  const sim = iccid === null ? null : { id: newId('sim', now), iccid, imsis, msisdn, eid, imei }
  const asset = { id, type, serial, name: name ?? friendlyName(type, serial), sim }
  await insertAssets(tx, actor.account_id, [asset], { state: 'ready', at: actor.at, by: actor.email })
  await claimStock(tx, actor.account_id, [asset], actor.at)
  const named = { asset_id: id, asset_name: asset.name }
  await record(tx, actor, assetRegistered, { ...named, serial })
  await setTags(tx, actor, named, wanted)
  return id
}
