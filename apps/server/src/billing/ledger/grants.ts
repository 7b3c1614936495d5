import { sql } from 'kysely'
import type { Tx } from '../../kernel/app.ts'

/** What is to be left of the credits of an account, and which of them are taken from first. */
export type Spent = {
  account_id: string
  /** All that is left together. */
  left_micros: number
  /** When it was spent: what ended before then pays only where nothing else is left, so that what is left is the balance at any time. */
  spent_at: Date
  from: { transaction_id: string; amount_micros: number }[]
}

/** Takes what was spent from the credits: from those that are named first, then by priority, then by the soonest end, then by age; from those that had ended last. */
export async function spend(tx: Tx, accounts: readonly Spent[]): Promise<void> {
  const named = accounts.flatMap(({ account_id, from }) => from.map((each) => ({ account_id, ...each })))
  if (named.length > 0)
    await sql`update ledger_grant g set remaining_micros = greatest(0, remaining_micros - taken.amount_micros)
      from (select account_id, transaction_id, sum(amount_micros)::bigint as amount_micros
        from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named (account_id text, transaction_id text, amount_micros bigint)
        group by 1, 2) taken
      where g.account_id = taken.account_id and g.transaction_id = taken.transaction_id`.execute(tx)
  await sql`with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(accounts)}::jsonb) as asked (account_id text, left_micros bigint, spent_at timestamptz)
    ), ordered as (
      select account_id, transaction_id, remaining_micros, left_micros,
        sum(remaining_micros) over (partition by account_id) - left_micros as to_take,
        sum(remaining_micros) over (partition by account_id order by (expires_at <= spent_at) is true, priority, expires_at nulls last, transaction_id)
          - remaining_micros as before
      from ledger_grant join asked using (account_id) where remaining_micros > 0
    )
    update ledger_grant g set remaining_micros = g.remaining_micros - least(g.remaining_micros, ordered.to_take - ordered.before)::bigint
    from ordered
    where g.account_id = ordered.account_id and g.transaction_id = ordered.transaction_id and ordered.to_take > ordered.before`.execute(tx)
}
