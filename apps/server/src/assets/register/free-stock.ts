import { sql, type Selectable } from 'kysely'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { assetAlreadyYours, assetReserved, assetTaken, assetUnknown } from '@masthead/contract/assets/problems'
import { Problem, type ProblemKind } from '@masthead/contract/kernel/problem'
import { emailNotVerified } from '@masthead/contract/teams/problems'
import type { Actor, Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'

export type Stock = Selectable<Database['inventory']>

/**
 * A piece of stock that the account may register, by its serial number, else by its ICCID; locked, so that two cannot. Throws asset_unknown,
 * asset_already_yours, asset_taken, asset_reserved, email_not_verified.
 */
export async function findFreeStock(tx: Tx, actor: Actor, token: string): Promise<Stock> {
  const found = (await findManyFree(tx, actor, [token]))[0]!
  if (found.stock) return found.stock
  throw found.why === emailNotVerified
    ? new Problem(emailNotVerified, 'This asset was handed over to your address. Confirm the address first')
    : new Problem(found.why)
}

/** The same for each of some hundred names, in their order: the stock, or why not. In the order of serial numbers, so that two who ask for many never wait in a ring. */
export async function findManyFree(
  tx: Tx,
  { account_id }: Actor,
  tokens: readonly string[]
): Promise<({ stock: Stock } | { stock: null; why: ProblemKind })[]> {
  const given = tokens.map((token, nth) => {
    const key = token.replaceAll(/\s/g, '')
    const iccid = parseIccid(key)
    return { nth, key: key.toLowerCase(), iccids: iccid ? iccidForms(iccid) : [] }
  })
  const { rows: named } = await sql<{ nth: number; serial: string }>`select given.nth, found.serial
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (nth int, key text, iccids text[])
    cross join lateral (select serial from (
      select serial, 0 as place from inventory where lower(serial) = given.key
      union all select serial, 1 from inventory where iccid = any(given.iccids)) of_either order by place limit 1) found`.execute(tx)
  const stock = await tx
    .selectFrom('inventory')
    .selectAll()
    .where(sql<boolean>`lower(serial) = any(${named.map(({ serial }) => serial.toLowerCase())}::text[])`)
    .orderBy('serial')
    .forUpdate()
    .execute()
  const bySerial = new Map(stock.map((one) => [one.serial, one]))
  const byPlace = new Map(named.map(({ nth, serial }) => [nth, bySerial.get(serial)]))
  const owner = await tx.selectFrom('person').select(['email', 'email_proven_at']).where('account_id', '=', account_id).executeTakeFirst()
  return tokens.map((_, nth) => {
    const one = byPlace.get(nth)
    const why = whyNot(one, account_id, owner)
    return why ? { stock: null, why } : { stock: one! }
  })
}

type Owner = { email: string; email_proven_at: Date | null }

/** Stock that was handed over is for that account, or for the one that did so, which takes it back. */
function whyNot(stock: Stock | undefined, account_id: string, owner: Owner | undefined): ProblemKind | null {
  if (!stock) return assetUnknown
  if (stock.account_id === account_id) return assetAlreadyYours
  if (stock.account_id !== null) return assetTaken
  if (stock.reserved_for !== null && stock.released_by !== account_id) {
    if (owner?.email !== stock.reserved_for) return assetTaken
    // Anybody can open an account with an address that is not theirs.
    if (owner.email_proven_at === null) return emailNotVerified
  }
  return stock.released_at === null ? assetReserved : null
}
