import { sql } from 'kysely'
import type { App, Db } from '../../kernel/app.ts'
import { type Difference, type Differences, readDifferences, together } from './differences.ts'
import { findChargeDifferences } from './prove-charges.ts'

/** `found`: how many differences there are; `differences`: some of each account. */
export type Proof = { started_at: Date; ended_at: Date; accounts: number; transactions: number } & Differences

/**
 * Compares all books: entries with transactions, transactions with each other and with the balances, balances with what is left of credits, and charges with what was
 * used and with price lists. `longest`: so long one query may take, as PostgreSQL reads it (`1h`); throws once that is over.
 */
export function proveLedger({ db, clock }: Pick<App, 'db' | 'clock'>, { longest }: { longest?: string } = {}): Promise<Proof> {
  const started_at = clock.now()
  return db.snapshot(async (one) => {
    if (longest !== undefined) await sql`select set_config('statement_timeout', ${longest}, true)`.execute(one)
    const { rows: counted } = await sql<{
      accounts: number
      transactions: number
    }>`select (select count(*) from billing_account) as accounts,
      (select count(*) from ledger_transaction) as transactions`.execute(one)
    const parts = [await compareLedger(one), await findChargeDifferences(one, started_at)]
    return { started_at, ...counted[0]!, ...together(parts), ended_at: clock.now() }
  })
}

/** Of the ledger in itself, whatever was charged: the first of each account. */
export const findLedgerDifferences = async (db: Db): Promise<Difference[]> => (await compareLedger(db)).differences

function compareLedger(db: Db): Promise<Differences> {
  return readDifferences(
    db,
    sql`with entries as (
      select account_id, transaction_id, sum(amount_micros) as total,
        coalesce(sum(amount_micros) filter (where ledger_account = 'customer_balance'), 0) as of_customer
      from ledger_entry group by 1, 2
    ), chain as (
      select account_id, id, number, amount_micros, balance_after_micros,
        sum(amount_micros) over of_account as summed, row_number() over of_account as place
      from ledger_transaction window of_account as (partition by account_id order by number)
    ), sums as (
      select account_id, count(*) as posted, sum(amount_micros) as balance from ledger_transaction group by 1
    ), remaining as (
      select account_id, sum(remaining_micros) as left_over from ledger_grant group by 1
    ), found as (
      select account_id, 'entries' as what, 'The entries of ' || transaction_id || ' do not add up to nothing' as words, total as difference
        from entries where total <> 0
      union all
      select coalesce(t.account_id, e.account_id), 'transaction',
          case when t.id is null then 'There are entries of ' || e.transaction_id || ', which is not there'
            else 'The entries of ' || t.id || ' are not its amount' end,
          coalesce(e.of_customer, 0) - coalesce(t.amount_micros, 0)
        from ledger_transaction t full join entries e on e.account_id = t.account_id and e.transaction_id = t.id
        where t.id is null or e.transaction_id is null or e.of_customer <> t.amount_micros
      union all
      select account_id, 'order', 'The balance after ' || id || ' is not the sum of what was posted until then', balance_after_micros - summed
        from chain where balance_after_micros <> summed
      union all
      select account_id, 'number', 'Before ' || id || ' something is missing', number - place from chain where number <> place
      union all
      select b.account_id, 'balance', 'The balance that is kept is not the sum of the ledger', b.balance_micros - coalesce(s.balance, 0)
        from billing_account b left join sums s using (account_id) where b.balance_micros <> coalesce(s.balance, 0)
      union all
      select b.account_id, 'posted', 'Transactions are missing at the end', b.posted - coalesce(s.posted, 0)
        from billing_account b left join sums s using (account_id) where b.posted <> coalesce(s.posted, 0)
      union all
      select b.account_id, 'grants', 'What is left of credits is not the balance', coalesce(r.left_over, 0) - greatest(b.balance_micros, 0)
        from billing_account b left join remaining r using (account_id) where coalesce(r.left_over, 0) <> greatest(b.balance_micros, 0)
    )`
  )
}

export function proofInWords({ accounts, transactions, found, differences }: Proof): string {
  const looked = `${transactions} transactions of ${accounts} accounts`
  if (found === 0)
    return `${looked}: all entries add up to nothing, every balance is the sum of its ledger, and every charge is what its records cost by its price list.`
  const lines = differences.map(({ account_id, words, difference_micros }) => `${account_id}: ${words} (${difference_micros} micros)`)
  const more = found > differences.length ? ', of which the first of each account are listed' : ''
  return [...lines, `${looked}: ${found} ${found === 1 ? 'difference' : 'differences'}${more}.`].join('\n')
}
