import { sql } from 'kysely'
import { assetRegistered } from '@masthead/contract/assets/events'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { assetAlreadyYours, assetReserved, assetTaken, assetUnknown } from '@masthead/contract/assets/problems'
import { newId } from '@masthead/contract/kernel/id'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getTagsByWord, setTags } from '../tags/index.ts'
import { claimStock, insertAssets } from './insert-assets.ts'
import { friendlyName } from './friendly-name.ts'

type Wanted = { token: string; name?: string | undefined; tags?: string[] | undefined }

/** Moves an asset from stock into the account; its SIM is ready. Of several who try at once, one wins. Returns the asset's id. */
export async function registerAsset(tx: Tx, actor: Actor, { token, name, tags = [] }: Wanted): Promise<string> {
  const stock = await findStockForUpdate(tx, token.replaceAll(/\s/g, ''))
  if (!stock) throw new Problem(assetUnknown)
  if (stock.account_id === actor.account_id) throw new Problem(assetAlreadyYours)
  if (stock.account_id !== null) throw new Problem(assetTaken)
  if (stock.released_at === null) throw new Problem(assetReserved)
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

/** Stock by serial number, else by ICCID. Locked, so that two cannot register it. */
async function findStockForUpdate(tx: Tx, token: string) {
  const iccid = parseIccid(token)
  const bySerial = sql<boolean>`lower(serial) = lower(${token})`
  return tx
    .selectFrom('inventory')
    .selectAll()
    .where((eb) => eb.or([bySerial, sql<boolean>`iccid = any(${iccid ? iccidForms(iccid) : []}::text[])`]))
    .orderBy(bySerial, 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}
