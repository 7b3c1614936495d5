import { sql, type Selectable } from 'kysely'
import { micros, type Currency } from '@masthead/contract/billing/money'
import type { TopUp } from '@masthead/contract/billing/top-up'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'

export type TopUpRow = Selectable<Database['top_up']>

/** Of what was given up without an answer: a timed job finds out whether it was paid all the same. */
export const unreachable = 'The card provider could not be reached. Try again in a few minutes'
/** Whether top_up `o` is such a one, of which nothing is known yet. */
export const isUnknown = sql<boolean>`(o.state = 'failed' and o.provider_id is null and o.words = ${unreachable})`

export const topUpOf = (row: TopUpRow): TopUp => ({
  id: row.id,
  state: row.state,
  currency: row.currency as Currency,
  source: row.source,
  card_name: row.card_name,
  tax_words: row.tax_words,
  words: row.words,
  is_unknown: row.state === 'failed' && row.provider_id === null && row.words === unreachable,
  begun_by: row.begun_by,
  transaction_id: row.transaction_id,
  amount_micros: micros(row.amount_micros),
  tax_micros: micros(row.tax_micros),
  refunded_micros: micros(row.refunded_micros),
  client_secret: row.state === 'requires_action' ? row.client_secret : null,
  hosted_url: row.state === 'requires_action' ? row.hosted_url : null,
  begun_at: row.begun_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
  disputed_at: row.disputed_at?.toISOString() ?? null,
})

/** Newest first. The secret and the bank's page are for who buys alone. */
export const listTopUps = (db: Db, { account_id }: Pick<Actor, 'account_id'>, query: PageQuery): Promise<Page<TopUp>> =>
  pageByKey(db, query, {
    name: 'top-ups',
    all: db.selectFrom('top_up').where('account_id', '=', account_id),
    keys: [{ of: sql.ref('top_up.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.selectAll(),
    items: (rows) => rows.map((row) => ({ ...topUpOf(row), client_secret: null, hosted_url: null })),
  })

/** Throws not_found. */
export async function getTopUp(db: Db, { account_id }: Pick<Actor, 'account_id'>, id: string): Promise<TopUpRow> {
  const row = await db.selectFrom('top_up').selectAll().where('account_id', '=', account_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

export const findTopUpForUpdate = (tx: Tx, { account_id }: Pick<Actor, 'account_id'>, id: string): Promise<TopUpRow | undefined> =>
  tx.selectFrom('top_up').selectAll().where('account_id', '=', account_id).where('id', '=', id).forUpdate().executeTakeFirst()

/** Throws not_found. */
export async function getTopUpForUpdate(tx: Tx, actor: Pick<Actor, 'account_id'>, id: string): Promise<TopUpRow> {
  const row = await findTopUpForUpdate(tx, actor, id)
  if (!row) throw new Problem(notFound)
  return row
}

export const openStates = ['preparing', 'requires_action', 'processing'] as const
