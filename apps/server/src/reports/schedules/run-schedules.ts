import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import { reportRequested, scheduleStopped } from '@masthead/contract/reports/events'
import { mostPending, reportId, reportKinds } from '@masthead/contract/reports/report'
import { systemActor, type App, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { daysBefore, nextRun, zoneOfDays } from '../days.ts'
import { makerNow, ReportRefused } from '../makers.ts'
import { named } from '../request-report.ts'

/** None runs later than this: it was run, or made, while a clock was ahead. */
const latest = (at: Date) =>
  sql<Date>`${at}::timestamptz + case every when 'day' then interval '3 days' when 'week' then interval '9 days' else interval '33 days' end`

/**
 * Runs the schedule that is due longest: asks for its report, and says when it runs next. After a time without a worker it runs once, for the
 * period that ended last; after a clock that was ahead it is only said anew when it runs next. False: none was due.
 */
export async function runNextSchedule({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<boolean> {
  return db.transaction().execute((tx) => runDue(tx, clock.now()))
}

async function runDue(tx: Tx, at: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('report_schedule')
    .selectAll()
    .where(({ or, eb }) => or([eb('next_at', '<=', at), eb('next_at', '>', latest(at))]))
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('account').whereRef('account.id', '=', 'report_schedule.account_id').where('account.closed_at', 'is', null))
    )
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row) return false
  const { account_id, id: schedule_id, name, kind, format, every, timezone, person_id, recipients } = row
  const schedule = tx.updateTable('report_schedule').where('account_id', '=', account_id).where('id', '=', schedule_id)
  if (row.next_at! > at) {
    await schedule.set({ next_at: nextRun(row, at) }).execute()
    return true
  }
  const actor = systemActor(account_id, at)
  const why = await makerNow(tx, row, at).then(
    () => null,
    (error: unknown) => {
      if (error instanceof ReportRefused) return error.message
      throw error
    }
  )
  if (why !== null) {
    await schedule.set({ state: 'stopped', stopped_because: why, next_at: null }).execute()
    await record(tx, actor, scheduleStopped, { schedule_id, report_name: name, because: why })
    return true
  }
  await schedule.set({ next_at: nextRun(row, at) }).execute()
  const { start, end } = daysBefore(every, at, zoneOfDays(row))
  const days = reportKinds[kind].hasPeriod ? { start_day: start, end_day: end } : { start_day: null, end_day: null }
  const { count } = await tx
    .selectFrom('report')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .where('state', 'in', ['pending', 'running'])
    .executeTakeFirstOrThrow()
  // Said in the list, where whoever waits for it looks.
  const full = Number(count) >= mostPending
  const id = newId(reportId, at.getTime())
  await tx
    .insertInto('report')
    .values({
      account_id,
      id,
      name,
      kind,
      format,
      ...days,
      timezone,
      filter: JSON.stringify(row.filter),
      maker: JSON.stringify(row.maker),
      person_id,
      recipients,
      schedule_id,
      created_at: at,
      ...(full && { state: 'failed', failure: `${mostPending} reports were waiting when it was due`, finished_at: at }),
    })
    .execute()
  await record(tx, actor, reportRequested, named({ id, name, created_at: at, ...days }))
  return true
}
