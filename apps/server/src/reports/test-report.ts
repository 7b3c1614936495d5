import { createHash, randomUUID } from 'node:crypto'
import { newId } from '@masthead/contract/kernel/id'
import { reportId, scheduleId } from '@masthead/contract/reports/report'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { keyOf } from './report-key.ts'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import * as ops from '@masthead/contract/reports/operations'
import type { Report } from '@masthead/contract/reports/report'
import { ensurePartitions } from '../usage/index.ts'
import { addAsset, addTag, type SeededAsset } from '../usage/test-usage.ts'
import { makeNextReport } from './make-report.ts'

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

/** How tests ask for reports, have them made and read them. */
export function makingIn(house: () => House) {
  const makeAll = async () => {
    while (await makeNextReport(house().app));
  }
  const ask = async (person: Person, body: Record<string, unknown>): Promise<Report> => {
    const answer = await person.call(ops.requestReport, { body: body as never })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const get = async (person: Person, { id }: { id: string }) => (await person.call(ops.getReport, { params: { report_id: id } })).body
  const download = (person: Person, { id }: { id: string }, headers?: Record<string, string>) =>
    person.call(ops.exportReport, { params: { report_id: id } }, headers)
  const rowsOf = (text: string): Record<string, string>[] => parse(text, { columns: true })
  const made = async (person: Person, body: Record<string, unknown>) => {
    const report = await ask(person, body)
    await makeAll()
    const done = await get(person, report)
    expect(done.failure).toBeNull()
    const file = await download(person, report)
    expect(file.status, file.text).toBe(200)
    return { report: done, rows: rowsOf(file.text), file }
  }
  /** What somebody may from now on. */
  const grant = ({ email, account_id }: Person, permissions: string[], tags: string[] = []) =>
    sql`update membership set permissions = ${permissions}, tags = ${tags} where account_id = ${account_id}
      and person_id = (select id from person where email = ${email})`.execute(house().db)
  return { makeAll, ask, get, download, rowsOf, made, grant }
}

export type Scene = { house: House; owner: Person; north: string; pump: SeededAsset; meter: SeededAsset }

/** For each test another owner with two assets: `=pump`, which has the tag north, and `meter`. All in one house. */
export function inScene(give: (scene: Scene) => void) {
  let house: House
  let begun: Date
  beforeAll(async () => {
    house = await openHouse()
    begun = house.clock.now()
    await ensurePartitions(house.app.db, begun)
  })
  afterAll(() => house[Symbol.asyncDispose]())
  beforeEach(async () => {
    house.clock.set(begun)
    const owner = await house.newOwner('Acme')
    const north = await addTag(house, owner, 'north')
    const pump = await addAsset(house, owner, { name: '=pump', tags: [north] })
    give({ house, owner, north, pump, meter: await addAsset(house, owner, { name: 'meter' }) })
  })
  return makingIn(() => house)
}
