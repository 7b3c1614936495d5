import { fork } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createApiKey } from '@masthead/contract/developers/operations'
import * as ops from '@masthead/contract/reports/operations'
import { mostPending, type ReportKind } from '@masthead/contract/reports/report'
import type { Person } from '@masthead/testkit/house'
import { testSecretKey } from '@masthead/testkit/secret-key'
import { BlobsNotRead, BlobsNotWritten } from '../kernel/blobs/blobs.ts'
import { addAsset } from '../usage/test-usage.ts'
import { makeNextReport } from './make-report.ts'
import { inScene, type Scene } from './test-report.ts'
import { runNextSchedule } from './schedules/run-schedules.ts'
import { clearFiles, reportTasks } from './tasks.ts'

let { house, owner, north } = {} as Scene
const { makeAll, ask, get, download, made, grant } = inScene((scene) => ({ house, owner, north } = scene))
/** All files of reports that there are. */
const files = async () => {
  const keys: string[] = []
  for await (const { key } of house.app.blobs.list(`reports/${owner.account_id}/`)) keys.push(key)
  return keys
}

describe('how they go', () => {
  test('a part of a file by its range', async () => {
    const { report, file } = await made(owner, { kind: 'inventory' })
    const part = await download(owner, report, { range: 'bytes=5-14' })
    expect(part).toMatchObject({ status: 206, text: file.text.slice(5, 15) })
    expect(part.headers['content-range']).toBe(`bytes 5-14/${file.text.length}`)
    expect((await download(owner, report, { range: 'bytes=-4' })).text).toBe(file.text.slice(-4))
    expect((await download(owner, report, { range: 'bytes=9999999-' })).status).toBe(200)
    const said = (await house.events(owner.account_id)).filter(({ name }) => name === 'reports.report_downloaded')
    expect(said).toHaveLength(2)
    // Whoever leaves out its beginning has it as well.
    const other = await ask(owner, { kind: 'inventory' })
    await makeAll()
    for (const range of ['bytes=1-', 'bytes=20-']) expect((await download(owner, other, { range })).status).toBe(206)
    const after = (await house.events(owner.account_id)).filter(({ name }) => name === 'reports.report_downloaded')
    expect(after.slice(2)).toMatchObject([{ detail: { report_id: other.id } }])
  })

  test('cancelled while it waits or is made, it leaves no file; then it can be made again', async () => {
    const report = await ask(owner, { kind: 'inventory' })
    const params = { report_id: report.id }
    expect((await owner.call(ops.cancelReport, { params })).body.state).toBe('cancelled')
    await makeAll()
    expect((await download(owner, report)).status).toBe(409)
    expect((await owner.call(ops.cancelReport, { params })).status).toBe(409)
    expect((await owner.call(ops.retryReport, { params })).body.state).toBe('pending')
    const { put } = house.app.blobs
    house.app.blobs.put = async (...given) => {
      const kept = await put(...given)
      await owner.call(ops.cancelReport, { params })
      return kept
    }
    await makeAll()
    house.app.blobs.put = put
    expect(await get(owner, report)).toMatchObject({ state: 'cancelled', bytes: null, share: null })
    expect(await files()).toEqual([])
    await owner.call(ops.retryReport, { params })
    await makeAll()
    expect(await get(owner, report)).toMatchObject({ state: 'complete', rows: 2 })
    expect((await owner.call(ops.retryReport, { params })).status).toBe(409)
  })

  test('no room for its file is said in words, and what fails for a time is tried again', async () => {
    const report = await ask(owner, { kind: 'inventory' })
    const { put, remove } = house.app.blobs
    const cause = Object.assign(new Error('write'), { code: 'ENOSPC' })
    house.app.blobs.put = () => Promise.reject(new BlobsNotWritten('There is no room on the disk of /secret/place', { cause }))
    await makeAll()
    house.app.blobs.put = put
    const failed = await get(owner, report)
    expect(failed).toMatchObject({ state: 'failed', failure: expect.stringContaining('There was no room to keep its file') as string })
    expect(failed.failure).not.toContain('/secret')
    const reasons = [
      [new Error('The connection ended'), 'It could not be made'],
      [new BlobsNotWritten('Nothing can be written to the bucket b at http://s3:9000: Access denied'), 'The store did not take its file'],
    ] as const
    for (const [reason, words] of reasons) {
      await owner.call(ops.retryReport, { params: { report_id: report.id } })
      house.app.blobs.put = () => Promise.reject(reason)
      house.app.blobs.remove = () => Promise.reject(new Error('Access denied'))
      for (let n = 0; n < 5; n++) {
        await makeAll()
        expect((await get(owner, report)).state).toBe(n < 4 ? 'running' : 'failed')
        house.clock.advance({ seconds: 31 })
      }
      Object.assign(house.app.blobs, { put, remove })
      expect((await get(owner, report)).failure).toContain(words)
    }
  })

  test('a store that cannot be read is not a report without a file', async () => {
    const { report } = await made(owner, { kind: 'inventory' })
    const { find } = house.app.blobs
    house.app.blobs.find = () => Promise.reject(new BlobsNotRead('Nothing can be read from the bucket secret: Access denied'))
    const refused = await download(owner, report)
    house.app.blobs.find = find
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('The store of files cannot be read now')])
    expect(refused.text).not.toContain('bucket')
  })

  test('a worker that is killed leaves it to another, and there is one file', async () => {
    const report = await ask(owner, { kind: 'inventory', recipients: ['one@example.test'] })
    const env = {
      DATABASE_URL: house.databaseUrl,
      MASTHEAD_SECRET_KEY: testSecretKey,
      MASTHEAD_DATA_DIR: house.app.config.dataDir,
      MASTHEAD_DEMO: 'off',
    }
    const child = fork(new URL('./test-making-process.ts', import.meta.url), { env, execArgv: ['--disable-warning=ExperimentalWarning'] })
    await once(child, 'message')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect((await get(owner, report)).state).toBe('running')
    // It may be a slow one.
    expect(await makeNextReport(house.app)).toBe(false)
    house.clock.advance({ seconds: 60 })
    await makeAll()
    expect(await get(owner, report)).toMatchObject({ state: 'complete', rows: 2 })
    expect(await files()).toEqual([`reports/${owner.account_id}/${report.id}.2`])
    expect((await house.mails('one@example.test')).length).toBe(1)
  })

  test('two of an account at once, and no more than some that wait', async () => {
    const first = await ask(owner, { kind: 'inventory' })
    for (let n = 1; n < mostPending; n++) await ask(owner, { kind: 'inventory' })
    expect((await owner.call(ops.requestReport, { body: { kind: 'inventory' } })).body.code).toBe('too_many_reports')
    const { put } = house.app.blobs
    const atOnce = { now: 0, most: 0 }
    house.app.blobs.put = async (...given) => {
      if (!given[0].includes(owner.account_id)) return put(...given)
      atOnce.most = Math.max(atOnce.most, ++atOnce.now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return put(...given).finally(() => atOnce.now--)
    }
    const other = await house.newOwner()
    await addAsset(house, other, { name: 'theirs' })
    const theirs = await ask(other, { kind: 'inventory' })
    expect((await get(owner, first)).before).toBe(0)
    await Promise.all(Array.from({ length: 4 }, makeAll))
    await makeAll()
    house.app.blobs.put = put
    expect(atOnce.most).toBe(2)
    expect((await get(other, theirs)).state).toBe('complete')
  })

  test('a file is deleted with its report, and when its time is over', async () => {
    const { report } = await made(owner, { kind: 'inventory' })
    const { report: second } = await made(owner, { kind: 'inventory' })
    expect(await files()).toHaveLength(2)
    await owner.call(ops.deleteReport, { params: { report_id: report.id } })
    await house.settle()
    expect(await files()).toHaveLength(1)
    house.clock.advance({ days: 31 })
    const later = await house.newVisit(owner)
    expect((await download(later, second)).text).toContain('The file was deleted: it is kept for 30 days')
    await reportTasks.find(({ name }) => name === 'reports.expire')!.run(house.app, undefined as never)
    expect(await get(later, second)).toMatchObject({ state: 'expired', bytes: expect.any(Number) as number })
    expect(await files()).toEqual([])
  })

  test('files that nothing refers to are cleared, others stay', async () => {
    const { report } = await made(owner, { kind: 'inventory' })
    const piece = async function* () {
      yield Buffer.from('left')
    }
    await house.app.blobs.put(`reports/${owner.account_id}/${report.id}.7`, piece())
    await clearFiles(house.app)
    expect(await files()).toHaveLength(2)
    house.clock.advance({ days: 2 })
    await clearFiles(house.app)
    expect(await files()).toEqual([`reports/${owner.account_id}/${report.id}.1`])
  })

  test.each<[Record<string, unknown>, string, string]>([
    [{ kind: 'usage', start: '2026-02-30' }, 'start', ''],
    [{ kind: 'usage', start: '2027-12-01' }, 'start', 'The first day is still to come'],
    [{ kind: 'usage', start: '2026-02-02', end: '2026-02-01' }, 'end', 'The last day must not be before the first'],
    [{ kind: 'usage', start: '2020-02-02', end: '2026-02-01' }, 'end', 'Choose at most 400 days'],
    [{ kind: 'inventory', start: '2026-02-02' }, 'start', 'A report of this kind is of the moment: leave out start and end'],
    [{ kind: 'activities', tags: ['north'] }, 'tags', 'A report of this kind is of no assets: leave out tags, groups and the line'],
    [{ kind: 'usage', timezone: 'Mars/North' }, 'timezone', 'There is no such time zone'],
    [{ kind: 'usage', recipients: ['nobody'] }, 'recipients.0', ''],
    [{ kind: 'usage', q: 'country:' }, 'q', ''],
    [{ kind: 'usage', tags: ['nowhere'] }, 'tags', 'There is no tag "nowhere"'],
    [{ kind: 'usage', network_groups: ['nowhere'] }, 'network_groups', 'There is no network group "nowhere"'],
  ])('refuses %o', async (body, field, words) => {
    const answer = await owner.call(ops.requestReport, { body: body as never })
    expect(answer.status).toBe(400)
    expect(answer.body.fields?.[field]).toContain(words)
  })
})

describe('schedules', () => {
  const schedule = async (person: Person, body: Record<string, unknown> = {}) => {
    const answer = await person.call(ops.createSchedule, { body: { kind: 'inventory' as ReportKind, every: 'day', ...body } as never })
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const runAll = async () => {
    while (await runNextSchedule(house.app));
  }
  const listed = async (person: Person) => (await person.call(ops.listSchedules)).body.items

  test('run when they are due, once however long nobody ran them, for the period before', async () => {
    const { id, next_at } = await schedule(owner, {
      kind: 'usage',
      name: 'Daily',
      timezone: 'Europe/Berlin',
      recipients: ['cfo@example.test'],
    })
    await runAll()
    expect((await owner.call(ops.listReports)).body.total).toBe(0)
    house.clock.set(new Date(Date.parse(next_at!) + 3 * 86_400_000))
    await runAll()
    const { items } = (await owner.call(ops.listReports)).body
    const yesterday = new Date(house.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
    expect(items).toMatchObject([
      { name: 'Daily', start: yesterday, end: yesterday, timezone: 'Europe/Berlin', schedule_id: id, state: 'pending' },
    ])
    await makeAll()
    expect((await house.mails('cfo@example.test')).at(-1)?.subject).toBe('Report: Daily')
    expect(Date.parse((await listed(owner))[0]!.next_at!)).toBeGreaterThan(house.clock.now().getTime())
    await owner.call(ops.deleteSchedule, { params: { schedule_id: id } })
    expect((await owner.call(ops.listReports)).body.items[0]).toMatchObject({ schedule_id: null, state: 'complete' })
  })

  test('of a member whose rights were taken away stops in words, and begins again with those of who resumes it', async () => {
    const mia = await house.newMember(owner, ['reports.view', 'reports.edit', 'assets.view'], [north])
    const { id } = await schedule(mia)
    await grant(mia, ['reports.view', 'assets.view'], [north])
    house.clock.advance({ days: 1 })
    await runAll()
    const because = `${mia.email} lost the permission to request and delete reports`
    expect(await listed(owner)).toMatchObject([{ state: 'stopped', stopped_because: because, next_at: null }])
    expect((await house.events(owner.account_id)).at(-1)).toMatchObject({ name: 'reports.schedule_stopped', detail: { because } })
    expect((await owner.call(ops.listReports)).body.total).toBe(0)
    const resumed = (await owner.call(ops.updateSchedule, { params: { schedule_id: id }, body: { active: true } })).body
    expect(resumed).toMatchObject({ state: 'active', stopped_because: null, requested_by: owner.email })
    house.clock.advance({ days: 1 })
    await runAll()
    await makeAll()
    expect((await owner.call(ops.listReports)).body.items[0]).toMatchObject({ state: 'complete', rows: 2 })
  })

  test('are changed, paused and deleted', async () => {
    const { id } = await schedule(owner, { hour: 5 })
    const update = (body: object) => owner.call(ops.updateSchedule, { params: { schedule_id: id }, body })
    expect((await update({ every: 'week', hour: 7, name: 'Weekly' })).body.next_at).toMatch(/T07:00:00.000Z$/)
    expect((await update({ active: false })).body).toMatchObject({ state: 'paused', next_at: null })
    house.clock.advance({ days: 10 })
    await runAll()
    expect((await owner.call(ops.listReports)).body.total).toBe(0)
    expect((await update({ hour: 24 })).status).toBe(400)
    const other = await house.newOwner()
    for (const op of [ops.updateSchedule, ops.deleteSchedule])
      expect((await other.call(op, { params: { schedule_id: id }, body: op.method === 'PATCH' ? {} : undefined } as never)).status).toBe(
        404
      )
    await owner.call(ops.deleteSchedule, { params: { schedule_id: id } })
    expect(await listed(owner)).toEqual([])
    const said = (await house.events(owner.account_id)).map(({ name }) => name)
    expect(said).toEqual(['created', 'updated', 'paused', 'deleted'].map((what) => `reports.schedule_${what}`))
  })

  test('who says to whom it goes gives nobody more than they have themselves', async () => {
    const { id } = (await owner.call(ops.createSchedule, { body: { kind: 'inventory', every: 'day', recipients: ['boss@acme.test'] } }))
      .body
    const params = { schedule_id: id }
    const change = (who: Person, body: object, headers = {}) => who.call(ops.updateSchedule, { params, body }, headers)
    const blind = await house.newMember(owner, ['reports.view', 'reports.edit'])
    const refused = await change(blind, { recipients: ['boss@acme.test', 'blind@acme.test'] })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await change(blind, { recipients: [], hour: 5 })).status).toBe(200)
    // A key with fewer assets than its maker has it made with those.
    const body = { name: 'north', scopes: ['reports.edit', 'assets.view'], tags: [north] }
    const { secret } = (await owner.call(createApiKey, { body } as never)).body as unknown as { secret: string }
    expect((await change(house.anyone as Person, { recipients: ['key@acme.test'] }, { 'x-api-key': secret })).status).toBe(200)
    house.clock.advance({ days: 1 })
    await runAll()
    await makeAll()
    const [report] = (await owner.call(ops.listReports)).body.items
    expect(report).toMatchObject({ state: 'complete', rows: 1, recipients: ['key@acme.test'] })
  })

  test('nobody’s mailbox is filled: twenty a day for one address', async () => {
    const ask = () => owner.call(ops.createSchedule, { body: { kind: 'inventory', every: 'day', recipients: ['victim@elsewhere.test'] } })
    for (let i = 0; i < 20; i++) expect((await ask()).status).toBe(200)
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    const { id } = await schedule(owner)
    const params = { schedule_id: id }
    expect((await owner.call(ops.updateSchedule, { params, body: { recipients: ['victim@elsewhere.test'] } })).status).toBe(429)
    expect((await owner.call(ops.requestReport, { body: { kind: 'inventory', recipients: ['victim@elsewhere.test'] } })).status).toBe(429)
    house.clock.advance({ days: 1 })
    expect((await ask()).status).toBe(200)
  })
})
