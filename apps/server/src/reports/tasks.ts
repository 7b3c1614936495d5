import { sql } from 'kysely'
import { reportProgressed } from '@masthead/contract/signals'
import type { App } from '../kernel/app.ts'
import { forgetRows } from '../kernel/jobs/forget-rows.ts'
import { task, type Task } from '../kernel/jobs/jobs.ts'
import { publish } from '../kernel/live/publish.ts'
import { keyOf, reportKeys, runOf } from './report-key.ts'

const dayMs = 86_400_000
/** A line of the list stays so long, its file less. */
const lineKept = 365 * dayMs
/** What is so old is not just being written. */
const unfinishedFor = dayMs
const atOnce = 500

export const reportTasks: Task[] = [
  task('reports.remove_file', ({ blobs }, { key }: { key: string }) => blobs.remove(key)),
  task('reports.expire', expireReports, '*/20 * * * *'),
  task('reports.clear', clearFiles, '35 3 * * *'),
]

/** Deletes the files whose time is over, links that lead to none any more, and lines of long ago. The line says so before the file goes. */
async function expireReports(app: App) {
  const { db, blobs } = app
  const at = app.clock.now()
  for (;;) {
    const rows = await db.transaction().execute(async (tx) => {
      const { rows: over } = await sql<{ account_id: string; id: string; run: number }>`update report set state = 'expired'
        where (account_id, id) in (select account_id, id from report where state = 'complete' and expires_at <= ${at} limit ${atOnce})
        returning account_id, id, run`.execute(tx)
      await publish(tx, [...new Set(over.map(({ account_id }) => account_id))], reportProgressed)
      return over
    })
    for (const row of rows) await blobs.remove(keyOf(row))
    if (rows.length < atOnce) break
  }
  await forgetRows(app, 'report_link', sql`expires_at <= ${at}`)
  const lineBefore = new Date(at.getTime() - lineKept)
  await forgetRows(app, 'report', sql`created_at < ${lineBefore} and state in ('failed', 'cancelled', 'expired')`)
}

/** Removes what a killed process left: files that no report has, and what never became a file. */
export async function clearFiles({ db, blobs, clock, log }: App): Promise<void> {
  const before = new Date(clock.now().getTime() - unfinishedFor)
  let cleared = await blobs.clear(before)
  for await (const { key, changed_at } of blobs.list(reportKeys)) {
    const run = runOf(key)
    if (!run || changed_at >= before) continue
    const report = await db
      .selectFrom('report')
      .select('id')
      .where('account_id', '=', run.account_id)
      .where('id', '=', run.id)
      .where('run', '=', run.run)
      .where('state', 'in', ['complete', 'running'])
      .executeTakeFirst()
    if (report) continue
    await blobs.remove(key)
    cleared++
  }
  if (cleared > 0) log.info({ cleared }, 'files that nothing refers to were removed')
}
