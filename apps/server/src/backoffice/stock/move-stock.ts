import { sql } from 'kysely'
import { assetGiven, assetTaken, stockAssigned } from '@masthead/contract/backoffice/events'
import { assetInUse, personUnknown, sameAccount, stockNotFree } from '@masthead/contract/backoffice/problems'
import type { assignStock as assignOp, Stock, transferStock as transferOp } from '@masthead/contract/backoffice/stock-operations'
import { newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { claimStock, friendlyName, insertAssets, lockPools, removeAsset, type NewAsset } from '../../assets/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { getStock } from './stock.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { lockStaff, needRightsOnThings } from '../staff/staff.ts'

/** Registers stock to an account, all of it or nothing. Throws person_unknown, staff_own_account, staff_may_more, not_found, stock_not_free. */
export async function assignStock(
  tx: Tx,
  actor: Actor,
  { serials, account, active, reason }: Parsed<typeof assignOp>['body']
): Promise<{ assigned: number }> {
  const owner = await getOwner(tx, account)
  await needRightsOnThings(tx, actor, owner)
  await lockPools(tx, { account_id: owner.id })
  const wanted = [...new Set(serials.map((serial) => serial.toLowerCase()))]
  const rows = await lockStock(tx, wanted)
  const missing = wanted.find((serial) => !rows.some((row) => row.serial.toLowerCase() === serial))
  if (missing) throw new Problem(notFound, `There is no serial number ${missing} in stock`)
  const taken = rows.find((row) => row.account_id !== null)
  if (taken) throw new Problem(stockNotFree, `Serial number ${taken.serial} is registered to an account already`)
  needNotTerminated(rows)
  const assets = rows.map((row) => toAsset(row, actor.at))
  await insertAssets(tx, owner.id, assets, { state: active ? 'active' : 'ready', at: actor.at, by: actor.email })
  await claimStock(tx, owner.id, assets, actor.at)
  // A sentence names a few; all of them are in the list of assets.
  const named = rows.slice(0, 5).map((row) => row.serial)
  const after = { account: owner.email, serials: rows.map((row) => row.serial), active }
  await recordStaff(
    tx,
    actor,
    stockAssigned,
    { count: rows.length, serials: named, reason },
    { account: owner, target: named.join(', '), reason, after }
  )
  return { assigned: rows.length }
}

/**
 * Moves a registered asset to another account, or back into stock: it begins there anew, and what it used stays where it was.
 * Throws not_found, person_unknown, same_account, staff_own_account, staff_may_more, asset_in_use, stock_not_free.
 */
export async function transferStock(
  tx: Tx,
  actor: Actor,
  serial: string,
  { account, reason }: Parsed<typeof transferOp>['body']
): Promise<Stock> {
  await lockStaff(tx)
  const to = account ? await getOwner(tx, account) : null
  await lockPoolsOfBoth(tx, serial, to)
  const [row] = await lockStock(tx, [serial.toLowerCase()])
  if (!row?.account_id || !row.asset_id) throw new Problem(notFound, `No registered asset has the serial number ${serial}`)
  const from = await tx
    .selectFrom('person')
    .select(['account_id as id', 'email'])
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  if (to?.id === from.id) throw new Problem(sameAccount)
  for (const one of to ? [from, to] : [from]) await needRightsOnThings(tx, actor, one)
  const name = await removeAsset(tx, row.account_id, row.asset_id)
  if (name === null) throw new Problem(assetInUse)
  await tx
    .updateTable('inventory')
    .set({ account_id: null, asset_id: null, registered_at: null, reserved_for: null, released_by: null })
    // SIMs that were put into it later are pieces of stock by themselves.
    .where('account_id', '=', row.account_id)
    .where('asset_id', '=', row.asset_id)
    .execute()
  if (to) needNotTerminated(await lockStock(tx, [serial.toLowerCase()]))
  const change = { before: { account: from.email, asset_id: row.asset_id }, after: { account: to?.email ?? null } }
  await recordStaff(
    tx,
    actor,
    assetTaken,
    { asset_id: row.asset_id, asset_name: name, serial: row.serial, to: to ? 'another account' : null, reason },
    {
      account: from,
      asset_id: row.asset_id,
      target: row.serial,
      reason,
      ...change,
    }
  )
  if (to) {
    const asset = { ...toAsset(row, actor.at), name }
    await insertAssets(tx, to.id, [asset], { state: 'ready', at: actor.at, by: actor.email })
    await claimStock(tx, to.id, [asset], actor.at)
    const detail = { asset_id: asset.id, asset_name: name, serial: row.serial, reason }
    await recordStaff(tx, actor, assetGiven, detail, { account: to, asset_id: asset.id, target: row.serial, reason, ...change })
  }
  return getStock(tx, row.serial)
}

/** Of whoever has it now and of whoever gets it: before the stock, as whoever registers it there or lets it go. */
async function lockPoolsOfBoth(tx: Tx, serial: string, to: { id: string } | null) {
  const rows = await tx
    .selectFrom('inventory')
    .select('account_id')
    .where(sql<string>`lower(serial)`, '=', serial.toLowerCase())
    .execute()
  const accounts = [...rows.flatMap(({ account_id }) => account_id ?? []), ...(to ? [to.id] : [])]
  for (const account_id of accounts.toSorted()) await lockPools(tx, { account_id })
}

async function getOwner(tx: Tx, email: string): Promise<{ id: string; email: string }> {
  const owner = await tx.selectFrom('person').select(['account_id as id', 'email']).where('email', '=', email).executeTakeFirst()
  const words = `Nobody has the e-mail address ${email}`
  if (!owner) throw new Problem(personUnknown, words, { fields: { account: words } })
  return owner
}

/** Registered anew it would be ready again. */
function needNotTerminated(rows: readonly Locked[]) {
  const gone = rows.find((row) => row.is_terminated)
  if (gone) throw new Problem(stockNotFree, `The SIM of serial number ${gone.serial} is terminated for ever`)
}

const lockStock = (tx: Tx, serials: readonly string[]) =>
  tx
    .selectFrom('inventory')
    .selectAll()
    .where(sql<boolean>`lower(serial) = any(${[...serials]}::text[])`)
    .orderBy('serial')
    .forUpdate()
    .execute()
type Locked = Awaited<ReturnType<typeof lockStock>>[number]

const toAsset = ({ type, serial, iccid, imsis, msisdn, eid, imei }: Locked, at: Date): NewAsset => ({
  id: newId('asset', at.getTime()),
  type,
  serial,
  name: friendlyName(type, serial),
  sim: iccid === null ? null : { id: newId('sim', at.getTime()), iccid, imsis, msisdn, eid, imei },
})
