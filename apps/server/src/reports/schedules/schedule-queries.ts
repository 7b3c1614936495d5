import { sql } from 'kysely'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { ReportSchedule } from '@masthead/contract/reports/report'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { seenBy } from '../report-queries.ts'

const schedulesSeen = (db: Db, actor: Actor) => db.selectFrom('report_schedule').selectAll().where(seenBy('report_schedule', actor))
type Row = Awaited<ReturnType<ReturnType<typeof schedulesSeen>['execute']>>[number]

const asSchedule = ({ account_id: _, person_id: _person, maker, ...row }: Row): ReportSchedule => ({
  ...row,
  requested_by: maker.key ? `${maker.key.name} (API key)` : maker.email,
  next_at: row.next_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/** By name; there are few. */
export async function listSchedules(db: Db, actor: Actor): Promise<ReportSchedule[]> {
  const rows = await schedulesSeen(db, actor)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map(asSchedule)
}

export async function getSchedule(db: Db, actor: Actor, id: string): Promise<ReportSchedule> {
  const row = await schedulesSeen(db, actor).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asSchedule(row)
}

export async function getScheduleForUpdate(tx: Tx, actor: Actor, id: string) {
  const row = await schedulesSeen(tx, actor).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}
