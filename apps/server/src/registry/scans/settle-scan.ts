import { sql } from 'kysely'
import { imageScanned, scanFailed } from '@masthead/contract/registry/events'
import { scanProgressed } from '@masthead/contract/signals'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { record } from '../../kernel/record.ts'
import type { ClaimedScan } from './claim-scans.ts'
import { findScanned } from './find-scanned.ts'
import type { ReadReport, ScanFinding } from './read-report.ts'
import type { ScanFailed } from './scan-failed.ts'

export const mostTries = 6
const firstAgain = 60_000 // ms, doubled each time

/** The row, while this turn of it is the last. */
const own = (tx: Tx, { account_id, digest, turn }: ClaimedScan) =>
  tx.updateTable('registry_scan').where('account_id', '=', account_id).where('digest', '=', digest).where('turn', '=', turn)

const inSeconds = (app: App, seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000)

/** The scanner has taken it. */
export async function scanBegun(
  app: App,
  claimed: ClaimedScan,
  { scan_id, report_type, begun_with }: { scan_id: string; report_type: string; begun_with: Date | null }
): Promise<void> {
  const begun_at = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    await own(tx, claimed)
      .set({ state: 'under_way', scan_id, report_type, begun_at, begun_with, due_at: inSeconds(app, 2), words: null, failed_at: null })
      .execute()
    await publish(tx, claimed.account_id, scanProgressed)
  })
}

/** It is to be checked again later. */
export async function scanWaits(app: App, claimed: ClaimedScan, seconds: number): Promise<void> {
  await app.db.transaction().execute((tx) =>
    own(tx, claimed)
      .set({ due_at: inSeconds(app, seconds) })
      .execute()
  )
}

/** There is nothing to scan any more. */
export async function scanGone(app: App, { account_id, digest, turn }: ClaimedScan): Promise<void> {
  await app.db
    .transaction()
    .execute((tx) => sql`delete from registry_scan where account_id = ${account_id} and digest = ${digest} and turn = ${turn}`.execute(tx))
}

/** Keeps a report in place of the one before. An event says so where it says something else than that. */
export async function scanDone(
  app: App,
  claimed: ClaimedScan,
  { kept, counts, beyond, vulnerabilities, scanner }: ReadReport
): Promise<void> {
  const { account_id, digest } = claimed
  const at = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('registry_scan')
      .select(['counts', 'begun_with'])
      .where('account_id', '=', account_id)
      .where('digest', '=', digest)
      .where('turn', '=', claimed.turn)
      .forUpdate()
      .executeTakeFirst()
    if (!before) return
    await own(tx, claimed)
      .set({
        state: 'done',
        due_at: null,
        tries: 0,
        words: null,
        failed_at: null,
        scan_id: null,
        done_at: at,
        scanner,
        database_at: before.begun_with,
        vulnerabilities,
        counts: JSON.stringify(counts),
        beyond: JSON.stringify(beyond),
      })
      .execute()
    await tx.deleteFrom('registry_scan_vulnerability').where('account_id', '=', account_id).where('digest', '=', digest).execute()
    await insertFindings(tx, { account_id, digest }, kept)
    const found = await findScanned(tx, account_id, digest)
    const isNew = !before.counts || Object.entries(counts).some(([name, count]) => before.counts?.[name as keyof typeof counts] !== count)
    if (found && isNew)
      await record(tx, systemActor(account_id, at), imageScanned, {
        repository: found.name,
        digest,
        scanner,
        vulnerabilities,
        critical: counts.critical,
        high: counts.high,
      })
    else await publish(tx, account_id, scanProgressed)
  })
  app.metrics.scans.inc({ outcome: 'done' })
}

async function insertFindings(tx: Tx, { account_id, digest }: { account_id: string; digest: string }, kept: readonly ScanFinding[]) {
  if (kept.length === 0) return
  const column = (name: keyof ScanFinding) => kept.map((each) => each[name])
  await sql`insert into registry_scan_vulnerability (account_id, digest, place, id, severity, summary, package, version, fixed_in)
    select ${account_id}, ${digest}, place, id, severity, summary, package, version, fixed_in
    from unnest(${column('id')}::text[], ${column('severity')}::text[], ${column('summary')}::text[], ${column('package')}::text[],
      ${column('version')}::text[], ${column('fixed_in')}::text[])
      with ordinality as v (id, severity, summary, package, version, fixed_in, place)`.execute(tx)
}

/** Has it tried again later, or gives it up. */
export async function scanWentWrong(app: App, claimed: ClaimedScan, failed: ScanFailed): Promise<void> {
  const { account_id, digest } = claimed
  const at = app.clock.now()
  const tries = claimed.tries + 1
  const isLast = failed.kind === 'for_good' || tries >= mostTries
  const words = failed.message.slice(0, 300)
  // What the scanner was asked for may be done by the time that it is reached again.
  const goesOn = failed.kind === 'away' && claimed.scan_id !== null && !isLast
  const counts = await app.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await own(tx, claimed)
      .set({
        state: isLast ? 'failed' : goesOn ? 'under_way' : 'waiting',
        due_at: isLast ? null : new Date(at.getTime() + firstAgain * 2 ** (tries - 1)),
        ...(!goesOn && { scan_id: null }),
        tries,
        words,
        failed_at: at,
      })
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    const found = isLast ? await findScanned(tx, account_id, digest) : null
    if (found) await record(tx, systemActor(account_id, at), scanFailed, { repository: found.name, digest, words })
    else await publish(tx, account_id, scanProgressed)
    return true
  })
  if (!counts) return
  app.metrics.scans.inc({ outcome: isLast ? 'given_up' : 'failed' })
  app.log.warn(
    { account: account_id, digest, tries, words },
    isLast ? 'a scan of an image was given up' : 'a scan of an image failed and will be tried again'
  )
}
