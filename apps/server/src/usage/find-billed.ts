import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import { dayMs, type Period } from './usage-period.ts'
import type { Viewer } from './usage-source.ts'

/** Bytes that were charged of these SIMs by the day, by their ids; those of which none were are left out. Null: the period is not of whole days, or nothing is charged. */
export async function findBilledBytes(
  db: Db,
  { account_id }: Viewer,
  { start, end }: Period,
  sim_ids: readonly string[]
): Promise<Map<string, number> | null> {
  if (start.getTime() % dayMs !== 0 || end.getTime() % dayMs !== 0) return null
  const charged = await db.selectFrom('billing_account').select('account_id').where('account_id', '=', account_id).executeTakeFirst()
  if (!charged) return null
  const { rows } = await sql<{ sim_id: string; bytes: number }>`select sim_id, sum(billed_bytes) as bytes from charge
    where account_id = ${account_id} and sim_id = any(${[...sim_ids]}::text[])
      and day >= (${start}::timestamptz at time zone 'UTC')::date and day < (${end}::timestamptz at time zone 'UTC')::date
    group by 1`.execute(db)
  return new Map(rows.map(({ sim_id, bytes }) => [sim_id, bytes]))
}
