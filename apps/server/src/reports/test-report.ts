import { createHash, randomUUID } from 'node:crypto'
import { newId } from '@masthead/contract/kernel/id'
import { reportId, scheduleId } from '@masthead/contract/reports/report'
import type { House, Person } from '@masthead/testkit/house'
import { keyOf } from './report-key.ts'

/** A report with its file and a link to it, one that waits, one that failed, and a schedule, as if somebody had asked for them. */
export async function putReports({ db, app, clock }: House, { account_id, email }: Pick<Person, 'account_id' | 'email'>) {
  const at = clock.now()
  const { id: person_id } = await db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const maker = JSON.stringify({ kind: 'member', email, person_id, ip: null, request_id: null })
  const filter = JSON.stringify({ tags: [], network_groups: [], q: null })
  const of = { account_id, name: 'Report of samples', kind: 'inventory', format: 'csv', timezone: 'UTC', filter, maker, person_id } as const
  const once = { ...of, start_day: null, end_day: null, recipients: [], schedule_id: null, created_at: at }
  const [id, waiting_id, failed_id] = [newId(reportId), newId(reportId), newId(reportId)]
  async function* bytes() {
    yield Buffer.from('name\r\nPump\r\n')
  }
  const { size, sha256 } = await app.blobs.put(keyOf({ account_id, id, run: 1 }), bytes())
  const expires_at = new Date(at.getTime() + 30 * 86_400_000)
  const done = { state: 'complete' as const, run: 1, rows: 1, bytes: size, sha256, started_at: at, finished_at: at, expires_at }
  await db
    .insertInto('report')
    .values({ ...once, ...done, id })
    .execute()
  await db
    .insertInto('report')
    .values({ ...once, id: waiting_id })
    .execute()
  await db
    .insertInto('report')
    .values({ ...once, id: failed_id, state: 'failed', failure: 'For this test', started_at: at, finished_at: at })
    .execute()
  const schedule_id = newId(scheduleId)
  await db
    .insertInto('report_schedule')
    .values({ ...of, id: schedule_id, every: 'day', hour: 6, recipients: [], next_at: null, state: 'paused', created_at: at })
    .execute()
  const link = `${randomUUID()}-${randomUUID()}`
  const hash = createHash('sha256').update(link).digest()
  await db.insertInto('report_link').values({ hash, account_id, report_id: id, to_email: 'finance@example.test', expires_at }).execute()
  return { id, waiting_id, failed_id, schedule_id, link }
}
