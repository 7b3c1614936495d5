import { sql } from 'kysely'
import type { PaymentsQuery, StaffPayment } from '@masthead/contract/backoffice/money-operations'
import type { Page } from '@masthead/contract/kernel/page'
import type { Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { topUpOf } from './top-up-queries.ts'

/** Of an account, or (null) of all, newest first. The secret is for who buys alone. */
export function listAllPayments(
  db: Db,
  account_id: string | null,
  { state, source, returned, ...query }: PaymentsQuery
): Promise<Page<StaffPayment>> {
  let all = db.selectFrom('top_up')
  if (account_id !== null) all = all.where('top_up.account_id', '=', account_id)
  if (state) all = all.where('top_up.state', '=', sql<(typeof state)[number]>`any(${state}::text[])`)
  if (source) all = all.where('top_up.source', '=', source)
  // What is disputed is taken back as well.
  if (returned) all = all.where('top_up.refunded_micros', '>', 0)
  if (returned === 'disputed') all = all.where('top_up.disputed_at', 'is not', null)
  return pageByKey(db, query, {
    name: 'payments',
    all,
    keys: [{ of: sql.ref('top_up.id'), is: 'text' }],
    order: 'desc',
    rows: (page) =>
      page
        .innerJoin('account', 'account.id', 'top_up.account_id')
        .innerJoin('person', 'person.account_id', 'top_up.account_id')
        .selectAll('top_up')
        .select(['person.email', 'account.team_name']),
    items: (rows) => rows.map((row) => ({ ...topUpOf(row), client_secret: null, email: row.email, team_name: row.team_name })),
  })
}
