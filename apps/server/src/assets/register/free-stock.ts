import { sql } from 'kysely'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { assetAlreadyYours, assetReserved, assetTaken, assetUnknown } from '@masthead/contract/assets/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { emailNotVerified } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../../kernel/app.ts'

/**
 * A piece of stock that the account may register, by its serial number, else by its ICCID; locked, so that two cannot. Throws asset_unknown,
 * asset_already_yours, asset_taken, asset_reserved, email_not_verified.
 */
export async function findFreeStock(tx: Tx, { account_id }: Actor, token: string) {
  const key = token.replaceAll(/\s/g, '')
  const iccid = parseIccid(key)
  const bySerial = sql<boolean>`lower(serial) = lower(${key})`
  const stock = await tx
    .selectFrom('inventory')
    .selectAll()
    .where((eb) => eb.or([bySerial, sql<boolean>`iccid = any(${iccid ? iccidForms(iccid) : []}::text[])`]))
    .orderBy(bySerial, 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!stock) throw new Problem(assetUnknown)
  if (stock.account_id === account_id) throw new Problem(assetAlreadyYours)
  if (stock.account_id !== null || !(await isFor(tx, account_id, stock))) throw new Problem(assetTaken)
  if (stock.released_at === null) throw new Problem(assetReserved)
  return stock
}

/** Stock that was handed over is for that account, or for the one that did so, which takes it back. */
async function isFor(
  tx: Tx,
  account_id: string,
  { reserved_for, released_by }: { reserved_for: string | null; released_by: string | null }
) {
  if (reserved_for === null || released_by === account_id) return true
  const { email, email_proven_at } = await tx
    .selectFrom('person')
    .select(['email', 'email_proven_at'])
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (email !== reserved_for) return false
  // Anybody can open an account with an address that is not theirs.
  if (email_proven_at === null) throw new Problem(emailNotVerified, 'This asset was handed over to your address. Confirm the address first')
  return true
}
