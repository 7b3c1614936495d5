import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/app.ts'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { needSlug } from './slug.ts'
import { Refusal } from '../protocol/refusal.ts'

/** What each account may keep, unless its own quota says otherwise. */
export const usualQuota = 20_000_000_000

export type Room = { quota_bytes: number; used_bytes: number }

/** What an account may keep, and what it keeps: each blob once, manifests, and what is still coming with the room that was promised to it. */
export async function roomOf(db: Db, account_id: string): Promise<Room> {
  const { rows } = await sql<Room>`select
      coalesce((select quota_bytes from registry_account where account_id = ${account_id}), ${usualQuota}::bigint) as quota_bytes,
      ((select coalesce(sum(bytes), 0) from (select distinct digest, bytes from registry_held where account_id = ${account_id}) held)
        + (select coalesce(sum(bytes), 0) from registry_manifest where account_id = ${account_id})
        + (select coalesce(sum(greatest(bytes, reserved)), 0) from registry_upload where account_id = ${account_id}))::bigint as used_bytes`.execute(
    db
  )
  return rows[0]!
}

/** The same as staff see it; `own`: it was set for this account. */
export async function getQuota(db: Db, account_id: string): Promise<Room & { own: boolean }> {
  const row = await db.selectFrom('registry_account').select('quota_bytes').where('account_id', '=', account_id).executeTakeFirst()
  return { ...(await roomOf(db, account_id)), own: row !== undefined && row.quota_bytes !== null }
}

/** Null: what every account may keep. */
export async function setQuota(tx: Tx, account_id: string, quota_bytes: number | null, at: Date): Promise<void> {
  await needSlug(tx, account_id, at)
  await tx.updateTable('registry_account').set({ quota_bytes }).where('account_id', '=', account_id).execute()
}

/** Nobody else of the account adds anything until this transaction ends. */
export async function lockRoom(tx: Tx, account_id: string): Promise<Room> {
  await sql`select 1 from registry_account where account_id = ${account_id} for update`.execute(tx)
  return roomOf(tx, account_id)
}

const full = ({ quota_bytes, used_bytes }: Room, more: number) =>
  new Refusal(
    'DENIED',
    `The registry of this account has room for ${formatBytes(quota_bytes)}: ${formatBytes(used_bytes)} are used, and this needs ${formatBytes(more)} more. Delete images that nobody needs`
  )

/** Throws DENIED where `more` bytes have no room. */
export function needRoom(room: Room, more: number): void {
  if (room.used_bytes + more > room.quota_bytes) throw full(room, more)
}
