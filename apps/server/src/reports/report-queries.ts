import { sql } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import type { Report } from '@masthead/contract/reports/report'
import type { Actor, Db, Tx } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { lackingWords } from './makers.ts'

type Table = 'report' | 'report_schedule'

/**
 * Whoever sees the whole account sees all of its reports. Who is limited to tags sees what they asked for themselves, and of that no report that was made
 * of other assets.
 */
export function seenBy(table: Table, { account_id, person_id, tags }: Actor) {
  const own = sql<boolean>`${sql.ref(`${table}.account_id`)} = ${account_id}`
  if (tags.length === 0) return own
  const within =
    table === 'report'
      ? sql`(report.started_at is null or cardinality(report.sight) > 0 and report.sight <@ ${[...tags]}::text[])`
      : sql`true`
  return sql<boolean>`${own} and ${sql.ref(`${table}.person_id`)} = ${person_id} and ${within}`
}

const columns = [
  'id',
  'name',
  'kind',
  'format',
  'state',
  'start_day',
  'end_day',
  'timezone',
  'filter',
  'maker',
  'schedule_id',
  'recipients',
  'created_at',
  'started_at',
  'finished_at',
  'expires_at',
  'rows',
  'share',
  'bytes',
  'failure',
] as const

const before = sql<number | null>`case when report.state = 'pending' then (select count(*)::int from report other
  where other.account_id = report.account_id and other.state in ('pending', 'running') and other.created_at < report.created_at) end`.as(
  'before'
)

const reportsSeen = (db: Db, actor: Actor) => db.selectFrom('report').where(seenBy('report', actor))
const inFull = (reports: ReturnType<typeof reportsSeen>) => reports.select(columns).select(before)
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

const toTime = (at: Date | null) => at?.toISOString() ?? null
const asReport = ({ start_day, end_day, maker, ...row }: Row): Report => ({
  ...row,
  start: start_day,
  end: end_day,
  requested_by: maker.key ? `${maker.key.name} (API key)` : maker.email,
  created_at: row.created_at.toISOString(),
  started_at: toTime(row.started_at),
  finished_at: toTime(row.finished_at),
  expires_at: toTime(row.expires_at),
})

export const listReports = (db: Db, actor: Actor, query: PageQuery): Promise<Page<Report>> =>
  pageByKey(db, query, {
    name: 'reports',
    all: reportsSeen(db, actor),
    keys: [{ of: sql.ref('report.id'), is: 'text' }],
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map(asReport),
  })

export async function getReport(db: Db, actor: Actor, id: string): Promise<Report> {
  const row = await inFull(reportsSeen(db, actor)).where('report.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asReport(row)
}

/** The row, locked. */
export async function getReportForUpdate(tx: Tx, actor: Actor, id: string) {
  const row = await tx.selectFrom('report').selectAll().where(seenBy('report', actor)).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}

/** A report whose file somebody may have: they see the report, and may see what is in it. */
export async function getDownloadable(db: Db, actor: Actor, id: string) {
  const row = await db.selectFrom('report').selectAll().where(seenBy('report', actor)).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  const lacking = lackingWords(actor, row.kind)
  return { row, lacking }
}
