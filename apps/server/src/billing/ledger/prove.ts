import { sql } from 'kysely'
import type { App, Db } from '../../kernel/app.ts'
import { findChargeDifferences } from './prove-charges.ts'

/** Something in the books that does not agree. */
export type Difference = { account_id: string; what: string; words: string; difference_micros: number }
export type Proof = { started_at: Date; ended_at: Date; accounts: number; transactions: number; differences: Difference[] }

const mostKept = 100

/**
 * Compares all books: entries with transactions, transactions with each other and with the balances, balances with what is left of credits, and charges with what was
 * used and with price lists.
 */
export function proveLedger({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<Proof> {
  const started_at = clock.now()
  return db.snapshot(async (one) => {
    const { rows: counted } = await sql<{
      accounts: number
      transactions: number
    }>`select (select count(*) from billing_account) as accounts,
      (select count(*) from ledger_transaction) as transactions`.execute(one)
    const found = [...(await findLedgerDifferences(one)), ...(await findChargeDifferences(one, started_at, mostKept))]
    return { started_at, ...counted[0]!, differences: found.slice(0, mostKept), ended_at: clock.now() }
  })
}

/** Of the ledger in itself, whatever was charged: the first hundred. */
export async function findLedgerDifferences(db: Db): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    with entries as (
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
    )
    select account_id, what, words, difference as difference_micros from found order by 1, 2, 3 limit ${mostKept}`.execute(db)
  return rows
}

export function proofInWords({ accounts, transactions, differences }: Proof): string {
  const looked = `${transactions} transactions of ${accounts} accounts`
  if (differences.length === 0)
    return `${looked}: all entries add up to nothing, every balance is the sum of its ledger, and every charge is what its records cost by its price list.`
  const lines = differences.map(({ account_id, words, difference_micros }) => `${account_id}: ${words} (${difference_micros} micros)`)
  const many = differences.length === mostKept ? `At least ${mostKept}` : String(differences.length)
  return [...lines, `${looked}: ${many} ${differences.length === 1 ? 'difference' : 'differences'}.`].join('\n')
}
