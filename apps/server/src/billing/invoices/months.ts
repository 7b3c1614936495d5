import { sql } from 'kysely'
import { dayOf } from '@masthead/contract/kernel/time'
import type { Db } from '../../kernel/app.ts'

/** A month closes so long after its end: until then usage of it may still be reported. */
const closesAfter = 72 * 3_600_000 // ms

const startOf = (month: string) => Date.parse(`${month}T00:00:00Z`)
/** The first day of the next month, and its beginning. */
const nextMonth = (month: string): string => {
  const at = new Date(startOf(month))
  return dayOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
}
export const endOf = (month: string): Date => new Date(startOf(nextMonth(month)))

/** Months that are over since 72 hours and not closed, the oldest first: since billing was switched on. */
export async function monthsToClose(db: Db, account_id: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ month: string | null }>`select to_char(coalesce(
      (select max(m.month) + interval '1 month' from billing_month m where m.account_id = ${account_id}),
      date_trunc('month', enabled_at at time zone 'UTC')), 'YYYY-MM-DD') as month
    from billing_account where account_id = ${account_id}`.execute(db)
  const months: string[] = []
  for (let month = rows[0]?.month; month && endOf(month).getTime() + closesAfter <= at.getTime(); month = nextMonth(month))
    months.push(month)
  return months
}
