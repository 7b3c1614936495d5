import { sql } from 'kysely'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import type { AssetType } from '@masthead/contract/assets/asset'
import type { listStock as listOp, Stock } from '@masthead/contract/backoffice/stock-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { beginning } from '../../kernel/http/like.ts'

type Query = Parsed<typeof listOp>['query']

/** Stock of every state. */
export async function listStock(db: Db, query: Query): Promise<Reply<typeof listOp>> {
  const { sort } = query
  const serial = { of: sql`lower(stock.serial)`, is: 'text' } as const
  return pageByKey(db, query, {
    name: `stock ${sort}`,
    all: matching(db, query),
    keys: sort.endsWith('loaded_at') ? [{ of: sql.ref('stock.loaded_at'), is: 'time' }, serial] : [serial],
    order: sort.startsWith('-') ? 'desc' : 'asc',
    rows: (page) => page.select(stockColumns),
    items: (rows) => rows.map(asStock),
  })
}

const stockColumns = [
  'stock.serial',
  'stock.type',
  'stock.iccid',
  'stock.imsis',
  'stock.msisdn',
  'stock.eid',
  'stock.imei',
  'stock.loaded_at',
  'stock.released_at',
  'stock.registered_at',
  'stock.reserved_for',
  'stock.asset_id',
  sql<string | null>`(select email from person where person.account_id = stock.account_id)`.as('account'),
] as const

type Row = {
  serial: string
  type: AssetType
  iccid: string | null
  imsis: string[]
  msisdn: string | null
  eid: string | null
  imei: string | null
  loaded_at: Date
  released_at: Date | null
  registered_at: Date | null
  reserved_for: string | null
  asset_id: string | null
  account: string | null
}

const asStock = ({ released_at, loaded_at, registered_at, ...row }: Row): Stock => ({
  ...row,
  state: row.account !== null ? 'registered' : released_at === null ? 'reserved' : row.reserved_for === null ? 'free' : 'handed_over',
  loaded_at: loaded_at.toISOString(),
  registered_at: registered_at?.toISOString() ?? null,
})

function matching(db: Db, { search, state, type, account }: Query) {
  let rows = db.selectFrom('inventory as stock')
  if (state === 'registered') rows = rows.where('stock.account_id', 'is not', null)
  else if (state) rows = rows.where('stock.account_id', 'is', null).where('stock.released_at', state === 'reserved' ? 'is' : 'is not', null)
  if (state === 'free' || state === 'handed_over') rows = rows.where('stock.reserved_for', state === 'free' ? 'is' : 'is not', null)
  if (type) rows = rows.where('stock.type', 'in', type)
  if (account)
    rows = rows.where('stock.account_id', '=', sql<string>`(select account_id from person where email = ${account.trim().toLowerCase()})`)
  if (search) {
    const iccid = parseIccid(search)
    const digits = search.replaceAll(/[\s+-]/g, '')
    rows = rows.where(
      sql<boolean>`lower(stock.serial) in (
        select lower(serial) from inventory where lower(serial) like ${beginning(search)}
        union all select lower(serial) from inventory where iccid = any(${iccid ? iccidForms(iccid) : []}::text[])
        union all select lower(serial) from inventory where msisdn = ${digits}
        union all select lower(serial) from inventory where imsis @> array[${digits}])`
    )
  }
  return rows
}

/** One piece of stock. Throws not_found. */
export async function getStock(db: Db, serial: string): Promise<Stock> {
  const row = await db
    .selectFrom('inventory as stock')
    .select(stockColumns)
    .where(sql<boolean>`lower(stock.serial) = lower(${serial})`)
    .executeTakeFirst()
  if (!row) throw new Problem(notFound, `There is no serial number ${serial} in stock`)
  return asStock(row)
}
