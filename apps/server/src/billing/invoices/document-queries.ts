import { sql, type Selectable } from 'kysely'
import { documentNumber, type BillingDocument } from '@masthead/contract/billing/invoices/document'
import type { Currency } from '@masthead/contract/billing/money'
import { micros } from '@masthead/contract/billing/money'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'

export type DocumentRow = Selectable<Database['billing_document']>
const shown = ['id', 'kind', 'year', 'n', 'issued_at', 'currency', 'title', 'month', 'net_micros', 'tax_micros', 'top_up_id'] as const

const documentOf = ({
  year,
  n,
  issued_at,
  month,
  net_micros,
  tax_micros,
  currency,
  ...row
}: Pick<DocumentRow, (typeof shown)[number]>): BillingDocument => ({
  ...row,
  currency: currency as Currency,
  number: documentNumber(row.kind, year, n),
  issued_at: issued_at.toISOString(),
  month: month?.slice(0, 7) ?? null,
  net_micros: micros(net_micros),
  tax_micros: micros(tax_micros),
  total_micros: micros(net_micros + tax_micros),
})

/** Newest first. */
export const listDocuments = (db: Db, account_id: string, query: PageQuery): Promise<Page<BillingDocument>> =>
  pageByKey(db, query, {
    name: 'documents',
    all: db.selectFrom('billing_document').where('account_id', '=', account_id),
    keys: [{ of: sql.ref('billing_document.id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.select(shown),
    items: (rows) => rows.map(documentOf),
  })

/** Throws not_found. */
export async function getDocument(db: Db, { account_id }: Pick<Actor, 'account_id'>, id: string): Promise<DocumentRow> {
  const row = await db
    .selectFrom('billing_document')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}
