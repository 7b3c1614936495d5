import { sql } from 'kysely'
import { documentNumber, type DocumentKind } from '@masthead/contract/billing/invoices/document'
import type { Balance, LedgerEntry, LedgerTransaction } from '@masthead/contract/billing/ledger'
import type { listTransactions as listOp } from '@masthead/contract/billing/operations'
import { micros } from '@masthead/contract/billing/money'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type { PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { visibleTo } from '../../assets/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { csvOf } from '../../kernel/sheet.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { findBillingAccount } from './billing-account.ts'
import { findLateCosts, findPending } from './pending.ts'
import { idsFrom } from './post.ts'

type Filter = Partial<Omit<Parsed<typeof listOp>['query'], keyof PageQuery>>

/** Whose ledger it is, and which assets one sees. */
type Viewer = Pick<Actor, 'account_id' | 'tags'>

const toTime = (at: Date | null) => at?.toISOString() ?? null

/** What an account has; null while billing is off. */
export async function getBalance(db: Db, account_id: string, at: Date): Promise<Balance | null> {
  const account = await findBillingAccount(db, account_id)
  if (!account) return null
  const pending = await findPending(db, account_id, at)
  const costs = await findLateCosts(db, account_id, at)
  const { rows: sums } = await sql<Record<'purchased' | 'granted' | 'month_in' | 'month_out', number>>`select
      coalesce(sum(remaining_micros) filter (where kind = 'purchased'), 0) as purchased,
      coalesce(sum(remaining_micros) filter (where kind = 'granted'), 0) as granted,
      coalesce(max(m.month_in), 0) as month_in, coalesce(max(m.month_out), 0) as month_out
    from (select sum(amount_micros) filter (where amount_micros > 0) as month_in, sum(amount_micros) filter (where amount_micros < 0) as month_out
      from ledger_transaction t where t.account_id = ${account_id} and ${postedFrom(monthOf(at))}) m
    left join ledger_grant on account_id = ${account_id} and remaining_micros > 0 and (expires_at <= ${at}) is not true`.execute(db)
  const { purchased, granted, month_in, month_out } = sums[0]!
  const { rows: proofs } = await sql<{ at: Date; differences: number }>`select ended_at as at,
      (select count(*)::int from jsonb_array_elements(differences) d where d ->> 'account_id' = ${account_id}) as differences
    from ledger_proof order by id desc limit 1`.execute(db)
  const expiring = await db
    .selectFrom('ledger_grant as g')
    .innerJoin('ledger_transaction as t', (on) => on.onRef('t.account_id', '=', 'g.account_id').onRef('t.id', '=', 'g.transaction_id'))
    .select(['g.remaining_micros', 'g.expires_at', 't.description'])
    .where('g.account_id', '=', account_id)
    .where('g.remaining_micros', '>', 0)
    .where('g.expires_at', '>', at)
    .orderBy('g.expires_at')
    .limit(5)
    .execute()
  return {
    currency: account.currency,
    enabled_at: account.enabled_at.toISOString(),
    balance_micros: account.balance_micros,
    pending_micros: micros(pending.unsettled_micros),
    reserved_micros: micros(pending.reserved_micros),
    available_micros: micros(account.balance_micros - pending.held_micros),
    is_free: !pending.is_charged,
    at_zero: pending.at_zero,
    tax: account.tax,
    ...costs,
    purchased_micros: micros(purchased),
    granted_micros: micros(granted),
    expiring: expiring.map(({ remaining_micros, expires_at, description }) => ({
      amount_micros: micros(remaining_micros),
      expires_at: expires_at!.toISOString(),
      description,
    })),
    month_in_micros: micros(month_in),
    month_out_micros: micros(month_out),
    checked: proofs[0] ? { at: proofs[0].at.toISOString(), differences: proofs[0].differences } : null,
  }
}

const monthOf = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))
/** Ids are in the order of time: what was posted before is not read. */
const postedFrom = (at: Date) => sql<boolean>`(t.id >= ${idsFrom(at.getTime())} and t.posted_at >= ${at})`

function transactions(
  db: Db,
  { account_id, tags }: Viewer,
  { type, asset_id, pool_id, least_micros, most_micros, start, end }: Filter = {}
) {
  let rows = db.selectFrom('ledger_transaction as t').where('t.account_id', '=', account_id)
  if (type) rows = rows.where('t.type', 'in', type)
  if (asset_id) rows = rows.where('t.asset_id', '=', asset_id)
  // Costs of an asset that one does not see cannot be told apart.
  if (asset_id && tags.length > 0)
    rows = rows.where(sql<boolean>`exists (select from asset where asset.account_id = t.account_id and asset.id = t.asset_id
      and ${visibleTo({ account_id, tags })})`)
  if (pool_id) rows = rows.where('t.pool_id', '=', pool_id)
  if (least_micros !== undefined) rows = rows.where(sql<boolean>`abs(t.amount_micros) >= ${least_micros}`)
  if (most_micros !== undefined) rows = rows.where(sql<boolean>`abs(t.amount_micros) <= ${most_micros}`)
  if (start) rows = rows.where(postedFrom(new Date(start)))
  if (end) rows = rows.where('t.posted_at', '<', new Date(end))
  return rows
}

const columns = [
  't.id',
  't.type',
  't.sub_type',
  't.amount_micros',
  't.balance_after_micros',
  't.description',
  't.reason',
  't.actor',
  't.source',
  't.effective_at',
  't.posted_at',
  't.usage_from',
  't.usage_to',
  't.quantity',
  't.unit',
  't.unit_price_micros',
  't.zone',
  't.tariff_version',
  't.sim_id',
  't.pool_id',
  't.payment_id',
  't.corrects',
] as const

/** Of assets that one does not see nothing is named. */
const seenAsset = (viewer: Viewer) => {
  const seen = sql`asset where asset.account_id = t.account_id and asset.id = t.asset_id and ${visibleTo(viewer)}`
  return [
    sql<string | null>`(select asset.id from ${seen})`.as('asset_id'),
    sql<string | null>`(select asset.name from ${seen})`.as('asset_name'),
  ]
}
const correctedBy = sql<
  string | null
>`(select max(c.id) from ledger_transaction c where c.account_id = t.account_id and c.corrects = t.id)`.as('corrected_by')

const priceList = sql<
  string | null
>`(select tariff.name || ', version ' || split_part(t.tariff_version, ':', 2) from tariff where tariff.id = split_part(t.tariff_version, ':', 1))`.as(
  'price_list'
)

/** Of the version of the price list of row `t`, where an entry was charged by one. */
const ofVersion = (from: string) =>
  sql.raw(`${from}.tariff_id = split_part(t.tariff_version, ':', 1) and ${from}.tariff_id || ':' || ${from}.number = t.tariff_version`)
const zoneName = sql<string | null>`(select z.name from tariff_zone z where ${ofVersion('z')} and z.id = t.zone)`.as('zone_name')

const kilobyte = sql<number | null>`(select v.kb from tariff_version v where ${ofVersion('v')})`.as('kb')

const inFull = (viewer: Viewer) => (rows: ReturnType<typeof transactions>) =>
  rows.select(columns).select(seenAsset(viewer)).select(priceList).select(kilobyte).select(zoneName).select(correctedBy)
type Row = Awaited<ReturnType<ReturnType<ReturnType<typeof inFull>>['execute']>>[number]

const asTransaction = (row: Row): LedgerTransaction => ({
  ...row,
  sim_id: row.asset_id ? row.sim_id : null,
  amount_micros: micros(row.amount_micros),
  balance_after_micros: micros(row.balance_after_micros),
  effective_at: row.effective_at.toISOString(),
  posted_at: row.posted_at.toISOString(),
  usage_from: toTime(row.usage_from),
  usage_to: toTime(row.usage_to),
})

/** Newest first. */
export const listTransactions = (db: Db, viewer: Viewer, query: Parsed<typeof listOp>['query']): Promise<Reply<typeof listOp>> =>
  pageByKey(db, query, {
    name: 'transactions',
    all: transactions(db, viewer, query),
    keys: [{ of: sql.ref('t.number'), is: 'number' }],
    order: 'desc',
    rows: inFull(viewer) as never,
    items: (rows: Row[]) => rows.map(asTransaction),
  })

/** Throws not_found. */
export async function getTransaction(db: Db, viewer: Viewer, id: string): Promise<LedgerTransaction> {
  const row = await inFull(viewer)(transactions(db, viewer)).where('t.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asTransaction(row)
}

/** With the document that it stands in. A payment has one of its own; other revenue is in the invoice of its month, or of the first that was closed after it was posted. Throws not_found. */
export async function getEntry(db: Db, viewer: Viewer, id: string): Promise<LedgerEntry> {
  const entry = await getTransaction(db, viewer, id)
  const { rows } = await sql<{ id: string; kind: DocumentKind; year: number; n: number }>`select d.id, d.kind, d.year, d.n
    from ledger_transaction t join billing_document d on d.account_id = t.account_id and (d.kind <> 'invoice' and d.source = t.id
      or d.kind = 'receipt' and t.type = 'credit' and d.source = t.payment_id
      or d.id = (select m.document_id from billing_month m where m.account_id = t.account_id and m.through_number >= t.number
        and m.month >= date_trunc('month', t.effective_at at time zone 'UTC')::date and exists (select from ledger_entry e
          where e.account_id = t.account_id and e.transaction_id = t.id and e.ledger_account = 'revenue') order by m.month limit 1))
    where t.account_id = ${viewer.account_id} and t.id = ${id}`.execute(db)
  const [found] = rows
  return { ...entry, document: found ? { id: found.id, kind: found.kind, number: documentNumber(found.kind, found.year, found.n) } : null }
}

const exported = [
  'posted_at',
  'effective_at',
  'id',
  'type',
  'sub_type',
  'description',
  'asset_id',
  'asset_name',
  'quantity',
  'unit',
  'unit_price_micros',
  'zone',
  'zone_name',
  'tariff_version',
  'amount_micros',
  'balance_after_micros',
  'source',
  'payment_id',
  'corrects',
  'reason',
] as const
const atOnce = 1000

/** All that match as CSV, newest first. */
export const exportTransactions = (db: Db, viewer: Viewer, filter: Filter): AsyncGenerator<string> =>
  csvOf({ columns: exported, rows: rowsOf(db, viewer, filter) })

async function* rowsOf(db: Db, viewer: Viewer, filter: Filter) {
  for (let last: number | undefined, more = true; more;) {
    let page = transactions(db, viewer, filter)
    if (last !== undefined) page = page.where('t.number', '<', last)
    const rows = await inFull(viewer)(page).select('t.number').orderBy('t.number', 'desc').limit(atOnce).execute()
    yield rows.map((row) => {
      const line = asTransaction(row)
      return exported.map((column) => line[column])
    })
    last = rows.at(-1)?.number
    more = rows.length === atOnce
  }
}
