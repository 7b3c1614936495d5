import { Problem } from '@masthead/contract/kernel/problem'
import { reportCancelled, reportDeleted, reportRetried } from '@masthead/contract/reports/events'
import { reportNotRepeatable, reportNotRunning } from '@masthead/contract/reports/problems'
import { canCancel, canRetry, type Report } from '@masthead/contract/reports/report'
import type { Actor, Tx } from '../kernel/app.ts'
import { addJob } from '../kernel/jobs/jobs.ts'
import { record } from '../kernel/record.ts'
import { keyOf } from './report-key.ts'
import { getReport, getReportForUpdate } from './report-queries.ts'
import { named, refuseTooMany } from './request-report.ts'

const reportOf = (tx: Tx, { account_id }: Actor, id: string) =>
  tx.updateTable('report').where('account_id', '=', account_id).where('id', '=', id)

/** Whoever is at it sees so within a second, and leaves no file. */
export async function cancelReport(tx: Tx, actor: Actor, id: string): Promise<Report> {
  const row = await getReportForUpdate(tx, actor, id)
  if (!canCancel(row.state)) throw new Problem(reportNotRunning)
  await reportOf(tx, actor, id).set({ state: 'cancelled', held_until: null, finished_at: actor.at, share: null }).execute()
  await record(tx, actor, reportCancelled, named(row))
  return getReport(tx, actor, id)
}

/** Begins anew: with what its maker sees by then. */
export async function retryReport(tx: Tx, actor: Actor, id: string): Promise<Report> {
  await refuseTooMany(tx, actor)
  const row = await getReportForUpdate(tx, actor, id)
  if (!canRetry(row.state)) throw new Problem(reportNotRepeatable)
  const anew = {
    tries: 0,
    rows: 0,
    share: null,
    bytes: null,
    sha256: null,
    failure: null,
    started_at: null,
    finished_at: null,
    expires_at: null,
  }
  await reportOf(tx, actor, id)
    .set({ state: 'pending', held_until: null, ...anew })
    .execute()
  await record(tx, actor, reportRetried, named(row))
  return getReport(tx, actor, id)
}

export async function deleteReport(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = await getReportForUpdate(tx, actor, id)
  await tx.deleteFrom('report').where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  if (row.state === 'complete') await addJob(tx, 'reports.remove_file', { key: keyOf(row) })
  await record(tx, actor, reportDeleted, named(row))
}
