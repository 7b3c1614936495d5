import { sql } from 'kysely'
import type { Tx } from '../../kernel/app.ts'
import type { ReadManifest } from '../content/read-manifest.ts'

/** Whether a manifest is scanned by itself: that of an image of one platform, and nothing that is attached to one. */
export const isForScanner = ({ config, subject }: Pick<ReadManifest, 'config' | 'subject'>, platforms: readonly unknown[]): boolean =>
  config !== null && subject === null && platforms.length > 0

/** Has what was pushed scanned: once for its account, in however many repositories it is. */
export async function wantFirstScan(tx: Tx, { account_id, digest, at }: { account_id: string; digest: string; at: Date }): Promise<void> {
  await tx
    .insertInto('registry_scan')
    .values({ account_id, digest, state: 'waiting', due_at: at, asked_at: at, urgent: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Has images scanned as soon as there is a place, again where they were. What is under way goes on. Answers how many are asked for anew. */
export async function wantScans(
  tx: Tx,
  { account_id, digests, at, by }: { account_id: string; digests: readonly string[]; at: Date; by: string }
): Promise<number> {
  const { rows } = await sql`insert into registry_scan (account_id, digest, state, due_at, asked_at, asked_by, urgent)
    select ${account_id}, digest, 'waiting', ${at}::timestamptz, ${at}::timestamptz, ${by}, true from unnest(${[...digests].toSorted()}::text[]) as wanted (digest)
    on conflict (account_id, digest) do update set state = 'waiting', due_at = excluded.due_at, asked_at = excluded.asked_at,
      asked_by = excluded.asked_by, urgent = true, tries = 0, words = null, failed_at = null, scan_id = null, turn = registry_scan.turn + 1
    where registry_scan.state in ('done', 'failed') or (registry_scan.state = 'waiting' and registry_scan.tries > 0)
    returning digest`.execute(tx)
  return rows.length
}
