import { sql } from 'kysely'
import type { AppDb, Tx } from '../kernel/app.ts'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import type { Placed } from './take-records.ts'

type Kind = 'usage' | 'event'

/** Rows that this feed has not brought before, the first of each id, and how many others there are. */
export async function withoutKnown<Row extends { id: string }>(tx: Tx, feed_id: string, kind: Kind, rows: readonly Placed<Row>[]) {
  const found = await tx
    .selectFrom('feed_record')
    .select('record_id')
    .where('feed_id', '=', feed_id)
    .where('kind', '=', kind)
    .where(sql<boolean>`record_id = any(${rows.map(({ row }) => row.id)}::text[])`)
    .execute()
  const known = new Set(found.map(({ record_id }) => record_id))
  const fresh = rows.filter(({ row }) => !known.has(row.id) && known.add(row.id))
  return { fresh, duplicates: rows.length - fresh.length }
}

type Noted = { id: string; outcome: 'counted' | 'compared' | 'quarantined' | 'kept' }

/** From now on they are known; the feed has spoken. */
export async function noteRecords(tx: Tx, feed_id: string, kind: Kind, records: readonly Noted[], at: Date): Promise<void> {
  await tx.updateTable('feed').set({ heard_at: at }).where('id', '=', feed_id).execute()
  if (records.length === 0) return
  await sql`insert into feed_record (feed_id, kind, record_id, received_at, outcome)
    select ${feed_id}, ${kind}, k.id, ${at}, k.outcome
    from unnest(${records.map(({ id }) => id)}::text[], ${records.map(({ outcome }) => outcome)}::text[]) as k(id, outcome)`.execute(tx)
}

/** Forgets what was reported so long ago: by then sessions of that time are dropped, and their records are refused as too old. */
export const forgetRecords = (db: AppDb, now: Date, days: number): Promise<void> =>
  forgetRows({ db }, 'feed_record', sql`received_at < ${new Date(now.getTime() - days * 86_400_000)}`)
