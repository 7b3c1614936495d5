import { sql } from 'kysely'
import type { Db } from '../kernel/app.ts'
import { addRecords, lockRollUps } from './roll-up.ts'

/**
 * A database restored from a dump numbers its transactions anew, and usage would be taken for rolled up already. When that has happened,
 * rolls up what was left and starts over with the new numbers. Before any meter runs.
 */
export async function adoptRestoredRecords(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockRollUps(tx)
    const { rows } = await sql<{ xid: string }>`select xid::text as xid from rollup_progress
      where name = 'usage' and xid > pg_snapshot_xmax(pg_current_snapshot())`.execute(tx)
    const [restored] = rows
    if (!restored) return
    await addRecords(tx, sql`xid >= ${restored.xid}::xid8`)
    await sql`update usage_record set xid = '0'`.execute(tx)
    await sql`update rollup_progress set xid = pg_current_xact_id() where name = 'usage'`.execute(tx)
  })
}

/** From when on the records tell everything: what was used before is in the roll-ups alone. */
export async function noteRecordsSince(db: Db, at: Date): Promise<void> {
  await sql`insert into usage_coverage (records_since) values (${at})
    on conflict (single) do update set records_since = greatest(usage_coverage.records_since, excluded.records_since)`.execute(db)
}
