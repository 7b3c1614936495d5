import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'

/** Of some SIMs of an account, the ids of those whose network group has new SIMs locked to the first device they are seen in. */
export async function locksNewSims(db: Db, account_id: string, sim_ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select s.id from sim s
      join network_group g on g.account_id = s.account_id and g.id = coalesce(s.group_id, 'default') and g.imei_lock
    where s.account_id = ${account_id} and s.id = any(${[...sim_ids]}::text[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
