import type { Scan } from '@masthead/contract/registry/vulnerability'
import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'
import { childrenOf } from '../content/children-of.ts'
import type { Repository, Within } from '../content/repository.ts'
import type { ScanFinding } from './read-report.ts'

const scansOfDigests = (db: Db, { account_id }: Pick<Repository, 'account_id'>, digests: readonly string[]) =>
  db
    .selectFrom('registry_scan')
    .select(['digest', 'state', 'due_at', 'asked_at', 'asked_by', 'words', 'done_at', 'scanner', 'database_at'])
    .select(['vulnerabilities', 'beyond'])
    .where('account_id', '=', account_id)
    .where('digest', '=', sql<string>`any(${[...digests]}::text[])`)
    .orderBy('digest')
export type ScanRow = Awaited<ReturnType<ReturnType<typeof scansOfDigests>['execute']>>[number]

/** Scans of images: its own, or of an index those of the images that it names. */
export async function scansOf(db: Db, repository: Within, images: readonly string[]): Promise<Map<string, ScanRow[]>> {
  const children = await childrenOf(db, repository, images)
  const rows = await scansOfDigests(db, repository, [...new Set(images.flatMap((image) => [image, ...children(image)]))]).execute()
  const own = new Map(rows.map((row) => [row.digest, row]))
  return new Map(
    images.map((image) => [image, own.has(image) ? [own.get(image)!] : children(image).flatMap((child) => own.get(child) ?? [])])
  )
}

/** What their last reports name. */
export async function findingsOf(db: Db, { account_id }: Pick<Repository, 'account_id'>, scans: readonly ScanRow[]) {
  const digests = [...new Set(scans.filter(({ done_at }) => done_at !== null).map(({ digest }) => digest))]
  if (digests.length === 0) return []
  const { rows } = await sql<ScanFinding & { digest: string }>`select digest, id, severity, summary, package, version, fixed_in
    from registry_scan_vulnerability where account_id = ${account_id} and digest = any(${digests}::text[]) order by digest, place`.execute(
    db
  )
  return rows
}

const stateOf = ({ state }: ScanRow): Scan['state'] => (state === 'asking' ? 'under_way' : state)
/** Of several the one that is least far; `done`: all of them are. */
const order: Scan['state'][] = ['under_way', 'waiting', 'failed', 'done']

/** How far the scan of an image is, of which these are the scans. Null: none was asked for. */
export function asScan(scans: readonly ScanRow[]): Scan | null {
  const [row] = scans.toSorted((a, b) => order.indexOf(stateOf(a)) - order.indexOf(stateOf(b)))
  if (!row) return null
  const reported = scans.filter(({ done_at }) => done_at !== null)
  const [oldest] = reported.toSorted((a, b) => a.done_at!.getTime() - b.done_at!.getTime())
  return {
    state: stateOf(row),
    asked_at: row.asked_at.toISOString(),
    asked_by: row.asked_by,
    words: row.words,
    next_try_at: row.words === null ? null : (row.due_at?.toISOString() ?? null),
    report: oldest
      ? {
          scanner: oldest.scanner ?? '',
          at: oldest.done_at!.toISOString(),
          database_at: oldest.database_at?.toISOString() ?? null,
          vulnerabilities: reported.reduce((sum, { vulnerabilities }) => sum + (vulnerabilities ?? 0), 0),
        }
      : null,
  }
}
