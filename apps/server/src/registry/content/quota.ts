import { sql } from 'kysely'
import type { Db, Tx } from '../../kernel/app.ts'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { needSlug } from './slug.ts'
import { Refusal } from '../protocol/refusal.ts'

/** What each account may keep, unless its own quota says otherwise. */
const usualQuota = 20_000_000_000

type Quota = { quota_bytes: number; used_bytes: number }

/** What an account may keep, and what it keeps: each blob once, manifests, and what is still coming, as much as was promised to it. */
export async function quotaOf(db: Db, account_id: string): Promise<Quota> {
  const { rows } = await sql<Quota>`select
      coalesce((select quota_bytes from registry_account where account_id = ${account_id}), ${usualQuota}::bigint) as quota_bytes,
      ((select coalesce(sum(bytes), 0) from (select distinct on (digest) bytes from registry_held
          where account_id = ${account_id} order by digest) held)
        + (select coalesce(sum(bytes), 0) from registry_manifest where account_id = ${account_id})
        + (select coalesce(sum(greatest(bytes, reserved)), 0) from registry_upload where account_id = ${account_id}))::bigint as used_bytes`.execute(
    db
  )
  return rows[0]!
}

/** The same as staff see it; `own`: it was set for this account. */
export async function getQuota(db: Db, account_id: string): Promise<Quota & { own: boolean }> {
  const row = await db.selectFrom('registry_account').select('quota_bytes').where('account_id', '=', account_id).executeTakeFirst()
  return { ...(await quotaOf(db, account_id)), own: row !== undefined && row.quota_bytes !== null }
}

/** Null: what every account may keep. */
export async function setQuota(tx: Tx, account_id: string, quota_bytes: number | null, at: Date): Promise<void> {
  await needSlug(tx, account_id, at)
  await tx.updateTable('registry_account').set({ quota_bytes }).where('account_id', '=', account_id).execute()
}

/** Nobody else of the account adds or deletes anything until this transaction ends. Before any other row of its registry: each of two would wait for the other. */
export async function lockRegistry(tx: Tx, account_id: string): Promise<void> {
  await sql`select 1 from registry_account where account_id = ${account_id} for update`.execute(tx)
}

/** The same, with what may still be added. */
export async function lockQuota(tx: Tx, account_id: string): Promise<Quota> {
  await lockRegistry(tx, account_id)
  return quotaOf(tx, account_id)
}

const full = ({ quota_bytes, used_bytes }: Quota, more: number) =>
  new Refusal(
    'DENIED',
    `The registry of this account may hold ${formatBytes(quota_bytes)}: ${formatBytes(used_bytes)} are used, and this needs ${formatBytes(more)} more. Delete images that nobody needs`
  )

/** Throws DENIED where `more` bytes are beyond the quota. */
export function needQuota(quota: Quota, more: number): void {
  if (quota.used_bytes + more > quota.quota_bytes) throw full(quota, more)
}
