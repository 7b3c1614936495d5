import { sql } from 'kysely'
import { balanceDays } from '@masthead/contract/billing/ledger'
import type { LedgerTransaction } from '@masthead/contract/billing/ledger'
import { micros } from '@masthead/contract/billing/money'
import type { getBalanceHistory as op } from '@masthead/contract/billing/operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Actor, Db } from '../../kernel/app.ts'
import { findBillingAccount } from './billing-account.ts'
import { idsFrom } from './post.ts'

const dayMs = 86_400_000
const mostCredits = 200

type Credit = Pick<LedgerTransaction, 'amount_micros' | 'source' | 'description'> & { transaction_id: string; posted_at: Date }

/** The last entry of each day says what was left: one row of the ledger a day, however many entries it has. */
export async function getBalanceHistory(db: Db, { account_id, at }: Pick<Actor, 'account_id' | 'at'>): Promise<Reply<typeof op>> {
  const account = await findBillingAccount(db, account_id)
  if (!account) return { currency: null, days: [], credits: [] }
  const today = Date.parse(dayOf(at))
  const first = Math.max(today - (balanceDays - 1) * dayMs, Date.parse(dayOf(account.enabled_at)))
  const days = Array.from({ length: Math.round((today - first) / dayMs) + 1 }, (_, nth) => {
    const start = first + nth * dayMs
    return { day: dayOf(start), until: idsFrom(start + dayMs) }
  })
  const { rows } = await sql<{
    day: string
    balance_micros: number
  }>`select each.day, coalesce(last.balance_after_micros, 0) as balance_micros
    from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as each (day text, until text)
    left join lateral (select t.balance_after_micros from ledger_transaction t
      where t.account_id = ${account_id} and t.id < each.until order by t.id desc limit 1) last on true order by each.day`.execute(db)
  const { rows: credits } = await sql<Credit>`select t.id as transaction_id, t.posted_at, t.amount_micros, t.source, t.description
    from ledger_grant g join ledger_transaction t on t.account_id = g.account_id and t.id = g.transaction_id
    where g.account_id = ${account_id} and g.transaction_id >= ${idsFrom(first)} and t.type = 'credit'
    order by g.transaction_id desc limit ${mostCredits}`.execute(db)
  return {
    currency: account.currency,
    days: rows.map(({ day, balance_micros }) => ({ day, balance_micros: micros(balance_micros) })),
    credits: credits.toReversed().map(({ posted_at, amount_micros, ...rest }) => ({
      ...rest,
      at: posted_at.toISOString(),
      amount_micros: micros(amount_micros),
    })),
  }
}
