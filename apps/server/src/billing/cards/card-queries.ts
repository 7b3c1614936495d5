import { brandOf, cardName, type Card } from '@masthead/contract/billing/card'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Selectable } from 'kysely'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'

type Row = Selectable<Database['card']>

export function cardOf({ id, brand, last_four, exp_month, exp_year, is_default, added_by, added_at }: Row, at: Date): Card {
  const month = String(exp_month).padStart(2, '0')
  return {
    id,
    brand: brandOf(brand),
    last_four,
    expires: `${month}/${String(exp_year % 100).padStart(2, '0')}`,
    is_expired: at >= new Date(Date.UTC(exp_year, exp_month, 1)),
    is_default,
    added_by,
    added_at: added_at.toISOString(),
  }
}

export const wordsOfCard = (row: Row): string => cardName({ brand: brandOf(row.brand), last_four: row.last_four })

/** Newest first. */
export async function listCards(db: Db, { account_id, at }: Pick<Actor, 'account_id' | 'at'>): Promise<Card[]> {
  const rows = await db.selectFrom('card').selectAll().where('account_id', '=', account_id).orderBy('id', 'desc').execute()
  return rows.map((row) => cardOf(row, at))
}

/** Throws not_found. */
export async function getCardForUpdate(tx: Tx, account_id: string, id: string): Promise<Row> {
  await lockCards(tx, account_id)
  const row = await tx.selectFrom('card').selectAll().where('account_id', '=', account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/** One at a time on an account: which card is the default depends on all of them. */
export const lockCards = (tx: Tx, account_id: string) =>
  tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()

/** A card by its id, the default without one: what the provider calls it, and people. */
export async function findCard(db: Db, account_id: string, id: string | null): Promise<{ provider_id: string; name: string } | null> {
  const cards = db.selectFrom('card').selectAll().where('account_id', '=', account_id)
  const row = await (id === null ? cards.where('is_default', '=', true) : cards.where('id', '=', id)).executeTakeFirst()
  return row ? { provider_id: row.provider_id, name: wordsOfCard(row) } : null
}
