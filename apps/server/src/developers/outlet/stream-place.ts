import { sql } from 'kysely'
import { streamPlaceLost } from '@masthead/contract/developers/problems'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Db } from '../../kernel/app.ts'

/** Up to where somebody has read: the first transaction whose usage records they have not, and the last entry in the chain of activities that they have. */
export type StreamPlace = { xid: bigint; entry: number }

const form = /^(\d{1,19})-(\d{1,15})$/

export const placeText = ({ xid, entry }: StreamPlace) => `${xid}-${entry}`

/** Throws invalid_request for what is no place of this stream. */
export function readPlace(text: string): StreamPlace {
  const [, xid, entry] = form.exec(text) ?? []
  if (xid && entry && BigInt(xid) < 2n ** 63n) return { xid: BigInt(xid), entry: Number(entry) }
  throw new Problem(invalidRequest, 'This is no id of this stream', { fields: { after: 'Send the last id that was received' } })
}

/** Nothing of before is sent from here. */
export async function placeNow(db: Db, account_id: string): Promise<StreamPlace> {
  const { rows } = await sql<{ xid: string; entry: number }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid,
    coalesce((select number from event_chain where account_id = ${account_id}), 0)::float8 as entry`.execute(db)
  return { xid: BigInt(rows[0]!.xid), entry: rows[0]!.entry }
}

/**
 * Refuses a place that nobody can have reached: a database that was restored numbers its transactions anew, or has fewer activities, and whoever waits
 * there would get nothing for months. Throws stream_place_lost.
 */
export async function needReached(db: Db, account_id: string, { xid, entry }: StreamPlace): Promise<void> {
  const { rows } = await sql<{ reached: boolean }>`select ${String(xid)}::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
    and ${entry}::float8 <= coalesce((select number from event_chain where account_id = ${account_id}), 0) as reached`.execute(db)
  if (!rows[0]!.reached) throw new Problem(streamPlaceLost)
}
