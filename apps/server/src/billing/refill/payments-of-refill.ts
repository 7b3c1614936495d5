import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'
import { heldOf } from '../ledger/index.ts'

/** What can be spent: of billing_account `b` and charge_account `a`. */
export const available = (at: Date) => sql<number>`(b.balance_micros - ${heldOf(at)})`

/** Payments of rule `r` that failed in a row: since it was switched on, and since credits were last bought, by whomever. */
export const failed = sql`(select count(*)::int as failures, max(t.begun_at) as failed_at, (array_agg(t.words order by t.begun_at desc))[1] as words
  from top_up t where t.account_id = r.account_id and t.source = 'auto_refill' and t.state in ('failed', 'canceled')
    and t.begun_at >= r.refill_armed_at and t.begun_at > coalesce((select max(p.begun_at) from top_up p
      where p.account_id = r.account_id and p.state = 'succeeded'), '-infinity'))`

export const monthOf = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1))

/** What was charged by itself in a calendar month in UTC, or is under way. */
export async function chargedInMonth(db: Db, account_id: string, at: Date): Promise<number> {
  const { rows } = await sql<{ charged: number }>`select coalesce(sum(amount_micros), 0) as charged from top_up
    where account_id = ${account_id} and source = 'auto_refill' and state not in ('failed', 'canceled') and begun_at >= ${monthOf(at)}`.execute(
    db
  )
  return rows[0]!.charged
}
