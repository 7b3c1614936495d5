import { createHash, randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { linkDays, reportKinds } from '@masthead/contract/reports/report'
import { formatExact } from '@masthead/contract/kernel/time'
import { formatBytes } from '@masthead/contract/usage/bytes'
import type { Db, Tx } from '../kernel/app.ts'
import type { Database } from '../kernel/database/database.ts'
import { apiPlace, queueMail } from '../kernel/mail/mail.ts'
import { dateWords } from './request-report.ts'

const dayMs = 86_400_000
const hashOf = (link: string) => createHash('sha256').update(link).digest()

type Row = Selectable<Database['report']>

/** Mails each recipient a link of their own to the file. */
export async function mailLinks(tx: Tx, report: Row, at: Date): Promise<void> {
  if (report.recipients.length === 0) return
  const { account_id, id: report_id, name, kind, maker, rows, bytes } = report
  const { team_name } = await tx.selectFrom('account').select('team_name').where('id', '=', account_id).executeTakeFirstOrThrow()
  const expires_at = new Date(at.getTime() + linkDays * dayMs)
  for (const to_email of report.recipients) {
    const link = randomBytes(32).toString('base64url')
    await tx
      .insertInto('report_link')
      .values({ hash: hashOf(link), account_id, report_id, to_email, expires_at })
      .execute()
    const text = [
      `The report “${name}” of ${team_name} is ready.`,
      `${reportKinds[kind].label}, ${dateWords(report)}: ${rows.toLocaleString('en')} rows, ${formatBytes(bytes ?? 0)}.`,
      `Download it: ${apiPlace}/report-links/${link}`,
      `The link works until ${formatExact(expires_at.toISOString())}, for whoever has it. ${maker.email} had it sent to you.`,
    ].join('\n\n')
    await queueMail(tx, { to: to_email, subject: `Report: ${name}`, text }, at)
  }
}

/** The report of a link that still works, and to whom it was mailed. */
export async function findLinked(db: Db, link: string, at: Date) {
  return db
    .selectFrom('report_link as l')
    .innerJoin('report as r', (join) => join.onRef('r.account_id', '=', 'l.account_id').onRef('r.id', '=', 'l.report_id'))
    .innerJoin('account as a', 'a.id', 'l.account_id')
    .selectAll('r')
    .select('l.to_email')
    .where('l.hash', '=', hashOf(link))
    .where('l.expires_at', '>', at)
    .where('a.closed_at', 'is', null)
    .executeTakeFirst()
}
