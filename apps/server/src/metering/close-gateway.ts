import { sql } from 'kysely'
import { begin, commit, type MeterConnection } from './meter-connection.ts'
import type { Reading } from './reading.ts'

/** Accounting-On and -Off: every session of that gateway ends at its last counters. Resolves once committed, with the accounts concerned. */
export async function closeGateway(db: MeterConnection, { kind, nas, gateway_id, whole_gateway }: Reading): Promise<Set<string>> {
  await db.run(begin)
  const which = whole_gateway ? sql`gateway_id = ${gateway_id}` : sql`nas = ${nas} and not superseded`
  const cause = kind === 'on' ? 'Gateway restarted' : 'Gateway shut down'
  const { rows } = await sql<{ account_id: string }>`with open as (
      select account_id, id from data_session where ${which} and ended_at is null order by nas, acct_session_id for update
    ), closed as (
      update data_session s set ended_at = s.updated_at, end_cause = ${cause} from open o where s.account_id = o.account_id and s.id = o.id
      returning s.account_id
    ) select distinct account_id from closed`.execute(db.tx)
  await db.run(commit)
  return new Set(rows.map((row) => row.account_id))
}
