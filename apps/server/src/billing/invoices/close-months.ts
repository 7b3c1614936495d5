import { sql } from 'kysely'
import { toCents } from '@masthead/contract/billing/invoices/document'
import { formatMoney, micros, type Currency } from '@masthead/contract/billing/money'
import type { App, Tx } from '../../kernel/app.ts'
import { monthWords } from '@masthead/contract/kernel/day-words'
import { eachOf } from '../../kernel/jobs/each-of.ts'
import { issue } from './issue.ts'
import { endOf, monthsToClose } from './months.ts'
import { findProfile } from './profile.ts'
import type { DocumentLine } from './tables.ts'

/** Closes what is to be closed of all accounts, month by month, and invoices it. */
export async function closeMonths(app: App): Promise<void> {
  const accounts = await app.db.selectFrom('billing_account').select('account_id').orderBy('account_id').execute()
  await eachOf(accounts, async ({ account_id }) => {
    while (await app.db.transaction().execute((tx) => closeNext(tx, account_id, app.clock.now(), app.config.integrations.seller)));
  })
}

/** The oldest month that is to be closed. False: there is none, or it waits for charges to settle or for the billing profile. */
export async function closeNext(tx: Tx, account_id: string, at: Date, seller: string): Promise<boolean> {
  // One at a time on an account, and not by its balance: what is in the ledger never changes, so that whoever charges need not wait for the sums.
  await sql`select pg_advisory_xact_lock(hashtext('masthead.close_month'), hashtext(${account_id}))`.execute(tx)
  const [month] = await monthsToClose(tx, account_id, at)
  if (!month || (await hasUnsettled(tx, account_id, month))) return false
  // Asked once all is settled: what is posted from now on is in the next invoice.
  const account = await tx
    .selectFrom('billing_account')
    .select(['currency', 'posted'])
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  const lines = await linesOf(tx, account_id, month, account)
  let document_id: string | null = null
  if (lines.length > 0) {
    if (!(await findProfile(tx, account_id))) return false
    const exact = lines.reduce((sum, line) => sum + line.micros, 0)
    const net_micros = toCents(exact)
    const rounding = { words: 'Rounding to the cent', quantity: null, micros: net_micros - exact }
    document_id = await issue(tx, at, {
      account_id,
      kind: 'invoice',
      source: month,
      currency: account.currency,
      title: monthWords(new Date(month)),
      month,
      net_micros,
      tax_micros: 0,
      seller,
      lines: rounding.micros === 0 ? lines : [...lines, rounding],
    })
  }
  await tx.insertInto('billing_month').values({ account_id, month, closed_at: at, through_number: account.posted, document_id }).execute()
  return true
}

/** What nobody settles any more, as after days without a worker, is to be settled now, before the next run. */
async function hasUnsettled(tx: Tx, account_id: string, month: string): Promise<boolean> {
  const { rows } = await sql`with found as (select is_open, ctid from charge where account_id = ${account_id}
      and day >= ${month}::date and day < ${endOf(month)}::timestamptz at time zone 'UTC' and charged_micros <> settled_micros
    ), opened as (
      update charge set is_open = true where account_id = ${account_id} and ctid in (select ctid from found where not is_open)
    ) select 1 as is_open from found limit 1`.execute(tx)
  return rows.length > 0
}

type Sum = {
  type: string
  sub_type: string
  zone: string | null
  /** Of data that went beyond it. */
  pool: string | null
  words: string
  unit: string | null
  price: number | null
  quantity: number | null
  kb: number | null
  amount: number
}

/**
 * All revenue that is in no earlier invoice: of this month and posted until now, and of earlier ones but posted after those were closed. Each entry is in one invoice, and
 * all invoices together are the revenue of the ledger.
 */
async function linesOf(
  tx: Tx,
  account_id: string,
  month: string,
  { posted, currency }: { posted: number; currency: string }
): Promise<DocumentLine[]> {
  // Asked before, so that the plan of what follows is made for these numbers.
  const { rows: closed } = await sql<{ through: number }>`select coalesce(max(through_number), 0) as through
    from billing_month where account_id = ${account_id}`.execute(tx)
  const { rows } =
    await sql<Sum>`select t.type, t.sub_type, coalesce(z.name, t.zone) as zone, t.unit, t.unit_price_micros::float8 as price, sum(t.quantity)::float8 as quantity,
      v.kb, pool.name as pool,
      -- data is summed by zone and price; a fee says its month
      case when t.unit = 'byte' then '' else t.description end as words,
      sum(e.amount_micros)::bigint as amount
    from ledger_transaction t
      -- with an offset the lines of these transactions are read, and not those of the whole ledger
      cross join lateral (select r.amount_micros from ledger_entry r
        where r.account_id = t.account_id and r.transaction_id = t.id and r.ledger_account = 'revenue' offset 0) e
      left join tariff_version v on v.tariff_id = split_part(t.tariff_version, ':', 1) and v.tariff_id || ':' || v.number = t.tariff_version
      left join tariff_zone z on z.tariff_id = v.tariff_id and z.number = v.number and z.id = t.zone
      left join data_pool pool on t.sub_type = 'overage' and pool.account_id = t.account_id and pool.id = t.pool_id
    where t.account_id = ${account_id} and t.effective_at < ${endOf(month)} and t.number <= ${posted}
      and (t.effective_at >= ${month}::date::timestamp at time zone 'UTC'
        or t.number > ${closed[0]!.through})
    group by 1, 2, 3, 4, 5, 7, 8, 9 order by t.type <> 'charge', t.sub_type, 3, 8, 9, 5, 7`.execute(tx)
  return rows.filter(({ amount }) => amount !== 0).map((row) => lineOf(row, currency as Currency))
}

const dataWords: Record<string, string> = { charge: '', adjustment: ', reported late or corrected', refund: ', given back' }

function lineOf({ type, sub_type, zone, pool, words, unit, price, quantity, kb, amount }: Sum, currency: Currency): DocumentLine {
  const isData = unit === 'byte'
  // What the price is of.
  const [bytes, mb] = kb === 1024 ? [1_048_576, 'MiB'] : [1_000_000, 'MB']
  const what = sub_type === 'overage' ? `Data beyond ${pool === null ? 'a pool' : `data pool ${pool}`}` : 'Data'
  const count =
    quantity === null
      ? null
      : isData
        ? `${(quantity / bytes).toLocaleString('en', { maximumFractionDigits: 6 })} ${mb}`
        : `${quantity} ${unit === 'SIM' && quantity !== 1 ? 'SIMs' : (unit ?? '')}`.trim()
  const each = price === null ? '' : ` × ${formatMoney(micros(Math.round(price)), currency)}${isData ? ` per ${mb}` : ''}`
  return {
    words: isData ? `${what}${zone ? `, zone ${zone}` : ''}${dataWords[type] ?? ''}` : words,
    quantity: count === null ? null : `${count}${each}`,
    micros: amount,
  }
}
