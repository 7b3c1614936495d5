import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getFeedFile, listFeedDifferences, listFeedFiles, uploadFeedFile } from '@masthead/contract/backoffice/feed-file-operations'
import { listFeeds, updateFeed } from '@masthead/contract/backoffice/feed-operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enterStaff, type Staff } from '../../backoffice/test-backoffice.ts'
import { expectConsistent, openMeteredHouse, readingOf, type MeteredHouse, type TestSim } from '../../metering/test-network.ts'
import { rollUpAll } from '../../usage/roll-ups/test-roll-up-all.ts'
import { watchFeeds } from '../silent-feeds.ts'
import { feedTasks } from '../tasks.ts'
import { putFeed } from '../test-feed.ts'
import { storeFile } from './store-file.ts'
import { watchFolders } from './watch-folders.ts'

let house: MeteredHouse
let staff: Staff
let directory: string
beforeAll(async () => {
  house = await openMeteredHouse()
  staff = await enterStaff(house, ['backoffice', 'manage_networks'])
  directory = await mkdtemp(join(tmpdir(), 'cdr-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true })
  await house[Symbol.asyncDispose]()
})

const minutesAgo = (minutes: number) => new Date(house.clock.now().getTime() - minutes * 60_000).toISOString()
const header = 'id,imsi,started_at,ended_at,bytes_up,bytes_down,mccmnc'
let ids = 0
const line = (sim: Pick<TestSim, 'imsi'>, up = 100, ended = minutesAgo(10)) => `c${++ids},${sim.imsi},,${ended},${up},200,26201`
const csvOf = (lines: readonly string[]) => `${[header, ...lines].join('\r\n')}\r\n`
const upload = (feed: { id: string }, body: string, name = 'cdr.csv') =>
  staff.call(uploadFeedFile, { params: { feed_id: feed.id }, query: { name }, body } as never)

test('an uploaded file is read by a job: wrong lines are named by their number, and its content is known again under any name', async () => {
  const feed = await putFeed(house.db)
  const sims = await Promise.all([house.newSim(), house.newSim()])
  const lines = [line(sims[0]), 'only,three,values', line(sims[1]), line(sims[0], -5), line({ imsi: '999990000000003' })]
  const text = csvOf(lines)
  const first = await upload(feed, text)
  expect(first).toMatchObject({
    status: 200,
    body: { duplicate: false, file: { state: 'waiting', name: 'cdr.csv', added_by: staff.email } },
  })
  await house.settle()
  const { body } = await staff.call(getFeedFile, { params: { feed_file_id: first.body.file.id } })
  expect(body.file).toMatchObject({ state: 'done', lines_done: 6, counted: 2, quarantined: 1, duplicates: 0, wrong: 2, failure: null })
  expect(body.errors).toEqual([
    { line: 3, words: 'The line has 3 values, the header has 7' },
    { line: 5, words: 'bytes_up: Whole bytes, from 0' },
  ])
  for (const sim of sims) expect(await house.counter(sim)).toMatchObject({ bytes_up: 100, bytes_down: 200 })
  expect(await house.db.selectFrom('feed_file_part').selectAll().where('file_id', '=', body.file.id).execute()).toEqual([])

  expect((await upload(feed, text, 'again.csv')).body).toMatchObject({ duplicate: true, file: { id: first.body.file.id, name: 'cdr.csv' } })
  const grown = await upload(feed, csvOf([...lines, line(sims[1], 7)]), 'grown.csv')
  await house.settle()
  expect((await staff.call(getFeedFile, { params: { feed_file_id: grown.body.file.id } })).body.file).toMatchObject({
    counted: 1,
    duplicates: 3,
  })
  expect(await house.counter(sims[1])).toMatchObject({ bytes_up: 107, bytes_down: 400 })
  const listed = await staff.call(listFeedFiles, { query: { feed: feed.id } })
  expect(listed.body.items.map(({ name }) => name)).toEqual(expect.arrayContaining(['grown.csv', 'cdr.csv']))
})

test('a file without the columns that are needed is refused with the reason, and one for a feed that is off is refused', async () => {
  const feed = await putFeed(house.db)
  const { body } = await upload(feed, 'id,bytes,when\n1,2,3\n')
  await house.settle()
  expect((await staff.call(getFeedFile, { params: { feed_file_id: body.file.id } })).body.file).toMatchObject({
    state: 'failed',
    failure: expect.stringMatching(
      /^There are no columns "bytes", "when". One of the columns "imsi", "iccid" and "msisdn" is needed. The column "ended_at" is missing/
    ),
  })
  await staff.call(updateFeed, { params: { feed_id: feed.id }, body: { disabled: true } })
  expect(await upload(feed, csvOf([]))).toMatchObject({ status: 409, body: { code: 'feed_off' } })
})

test('a file whose reader failed for the last time is shown as failed, and the same file may be sent again', async () => {
  const feed = await putFeed(house.db)
  const sim = await house.newSim()
  const text = csvOf([line(sim), line(sim)])
  const first = await upload(feed, text)
  const reading = feedTasks.find(({ name }) => name === 'feeds.read_file')!
  await reading.gaveUp!(house.app, { file_id: first.body.file.id } as never)
  await house.settle()
  expect((await staff.call(getFeedFile, { params: { feed_file_id: first.body.file.id } })).body.file).toMatchObject({
    state: 'failed',
    counted: 0,
    failure: 'It could not be read, however often that was tried. What was read is counted; send it again for the rest',
  })
  const again = await upload(feed, text)
  expect(again.body).toMatchObject({ duplicate: false, file: { state: 'waiting' } })
  await house.settle()
  expect((await staff.call(getFeedFile, { params: { feed_file_id: again.body.file.id } })).body.file).toMatchObject({
    state: 'done',
    counted: 2,
  })
})

test('files in the folder of a feed are read once they are written, each content once; links and other files are left alone', async () => {
  const feed = await putFeed(house.db, { folder: 'carrier' })
  const sim = await house.newSim()
  const app = { ...house.app, config: { ...house.app.config, cdrDir: directory } }
  const folder = join(directory, 'carrier')
  // Its folder is not there yet: nothing happens, and no other feed waits for it.
  await watchFolders(app)
  await mkdir(folder)
  const put = async (name: string, text: string, secondsAgo: number) => {
    await writeFile(join(folder, name), text)
    const at = new Date(house.clock.now().getTime() - secondsAgo * 1000)
    await utimes(join(folder, name), at, at)
  }
  const text = csvOf([line(sim)])
  await put('a.csv', text, 60)
  await put('copy-of-a.csv', text, 50)
  await put('b.csv', csvOf([line(sim, 11)]), 1)
  await put('notes.txt', text, 60)
  await symlink(join(folder, 'b.csv'), join(folder, 'link.csv'))
  const names = async () => {
    await watchFolders(app)
    await house.settle()
    const files = await house.db
      .selectFrom('feed_file')
      .select(['name', 'counted'])
      .where('feed_id', '=', feed.id)
      .where('source', '=', 'folder')
      .orderBy('id')
      .execute()
    return files.map(({ name, counted }) => `${name} ${counted}`)
  }
  expect(await names()).toEqual(['a.csv 1'])
  await put('b.csv', csvOf([line(sim, 11)]), 20)
  expect(await names()).toEqual(['a.csv 1', 'b.csv 1'])
  expect(await names()).toEqual(['a.csv 1', 'b.csv 1'])
  expect(await house.counter(sim)).toMatchObject({ bytes_up: 111, bytes_down: 400 })

  // A program that writes line by line stops anywhere.
  const [first, second] = [line(sim, 1000), line(sim, 2000)]
  const cut = csvOf([first, second]).slice(0, -' 200,26201'.length - 1)
  await put('log.csv', cut, 60)
  expect(await names()).toEqual(['a.csv 1', 'b.csv 1'])
  await put('log.csv', csvOf([first, second]), 20)
  expect(await names()).toEqual(['a.csv 1', 'b.csv 1', 'log.csv 2'])
  await put('no-end.csv', csvOf([line(sim)]).trim(), 660)
  // None of these keeps the others waiting.
  await writeFile(Buffer.concat([Buffer.from(join(folder, 'gr')), Buffer.from([0xf6]), Buffer.from('sse.csv')]), 'x')
  await put('huge.csv', '', 0)
  await truncate(join(folder, 'huge.csv'), 1024 ** 3 + 1)
  const long = new Date(house.clock.now().getTime() - 3_600_000)
  await utimes(join(folder, 'huge.csv'), long, long)
  const all = ['a.csv 1', 'b.csv 1', 'log.csv 2', 'huge.csv 0', 'no-end.csv 1']
  expect(await names()).toEqual(all)
  expect(await names()).toEqual(all)
  const { body } = await staff.call(listFeedFiles, { query: { feed: feed.id, state: 'failed' } })
  expect(body.items).toMatchObject([{ name: 'huge.csv', failure: expect.stringContaining('Split it') }])
})

test('a folder that cannot be read is said with its feed, and is an alert of staff where it lasts, until it is there again', async () => {
  const feed = await putFeed(house.db, { folder: 'north' })
  const app = { ...house.app, config: { ...house.app.config, cdrDir: directory } }
  const look = async (minutes: number) => {
    house.clock.advance({ minutes })
    await watchFolders(app)
    await watchFeeds(app)
    const { items } = (await staff.call(listFeeds)).body
    const alerts = await house.db
      .selectFrom('alert')
      .select(['title', 'words', 'count', 'resolved_at'])
      .where('account_id', '=', staff.account_id)
      .where('cause', '=', `feed_folder:${feed.id}`)
      .execute()
    return { failure: items.find(({ id }) => id === feed.id)!.folder_failure, alerts }
  }
  const first = await look(1)
  const failure = { words: 'north cannot be read: it is not there', since: house.clock.now().toISOString() }
  expect(first).toEqual({ failure, alerts: [] })
  expect(await look(4)).toEqual({ failure, alerts: [] })
  const alert = { title: `Files of the feed ${feed.name} are not read`, words: expect.stringMatching(/^north cannot be read: /), count: 1 }
  await look(1)
  expect(await look(1)).toEqual({ failure, alerts: [{ ...alert, resolved_at: null }] })
  await writeFile(join(directory, 'north'), '')
  expect((await look(1)).failure).toEqual({ ...failure, words: 'north cannot be read: it is not a folder' })
  await rm(join(directory, 'north'))
  await mkdir(join(directory, 'north'))
  expect(await look(1)).toEqual({ failure: null, alerts: [{ ...alert, resolved_at: expect.any(Date) }] })

  await rm(join(directory, 'north'), { recursive: true })
  expect((await look(1)).failure).toMatchObject({ words: failure.words })
  const changed = await staff.call(updateFeed, { params: { feed_id: feed.id }, body: { folder: 'south' } })
  expect(changed.body.folder_failure).toBeNull()
})

test('a file in another encoding is refused in words, and one that cannot be read to its end leaves nothing', async () => {
  const feed = await putFeed(house.db)
  const { body } = await upload(feed, Buffer.from(`\ufeff${csvOf([])}`, 'utf16le') as never)
  await house.settle()
  expect((await staff.call(getFeedFile, { params: { feed_file_id: body.file.id } })).body.file).toMatchObject({
    state: 'failed',
    failure: 'The file is not UTF-8: save it as CSV UTF-8',
  })
  async function* broken() {
    yield csvOf([])
    throw new Error('EACCES')
  }
  const about = { feed_id: feed.id, name: 'locked.csv', source: 'folder' as const, added_by: null }
  await expect(storeFile(house.app.db, about, broken(), house.clock.now())).rejects.toThrow('EACCES')
  expect((await staff.call(listFeedFiles, { query: { feed: feed.id } })).body.items.map(({ name }) => name)).not.toContain('locked.csv')
})

test('kill -9 of the reader, again and again: every line is counted, and none twice', { timeout: 120_000 }, async () => {
  const feed = await putFeed(house.db)
  const sims = await Promise.all(Array.from({ length: 10 }, () => house.newSim()))
  const lines = Array.from({ length: 3000 }, (_, i) => line(sims[i % 10]!, i % 7))
  async function* pieces() {
    yield csvOf(lines)
  }
  const about = { feed_id: feed.id, name: 'large.csv', source: 'upload' as const, added_by: null }
  const { id } = await storeFile(house.app.db, about, pieces(), house.clock.now())
  const linesDone = async () =>
    (await house.db.selectFrom('feed_file').select('lines_done').where('id', '=', id).executeTakeFirstOrThrow()).lines_done
  const reader = () =>
    fork(fileURLToPath(new URL('test-reading-process.ts', import.meta.url)), [id, house.clock.now().toISOString()], {
      env: { ...process.env, DATABASE_URL: house.databaseUrl, MASTHEAD_LOG_LEVEL: 'silent' },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
  for (let kill = 0; kill < 2; kill++) {
    const before = await linesDone()
    const child = reader()
    const gone = once(child, 'exit')
    await expect.poll(linesDone, { interval: 1, timeout: 30_000 }).toBeGreaterThan(before)
    child.kill('SIGKILL')
    await gone
  }
  expect(await linesDone()).toBeLessThan(3001)
  const [code] = (await once(reader(), 'exit')) as [number]
  expect(code).toBe(0)
  const file = await house.db.selectFrom('feed_file').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(file).toMatchObject({ state: 'done', counted: 3000, duplicates: 0, wrong: 0, lines_done: 3001 })
  for (const [n, sim] of sims.entries()) {
    const up = lines.reduce((sum, _, i) => (i % 10 === n ? sum + (i % 7) : sum), 0)
    expect(await house.counter(sim)).toMatchObject({ bytes_up: up, bytes_down: 300 * 200 })
  }
  await expectConsistent(house)
})

test('what a feed reports of SIMs that a gateway counts is shown beside what was counted, the largest difference first', async () => {
  const feed = await putFeed(house.db)
  const sims = await Promise.all([house.newSim(), house.newSim()])
  const yesterday = new Date(house.clock.now().getTime() - 86_400_000)
  const before = new Date(yesterday.getTime() - 86_400_000)
  // The file has nothing of this.
  const left = { acct_session_id: 'left', event_at: before.getTime(), counter_up: 500, counter_down: 0, session_time: 60 }
  await house.meter.ingest.addAll([readingOf(house, sims[0], left)])
  for (const [i, sim] of sims.entries()) {
    const event_at = yesterday.getTime()
    await house.meter.ingest.addAll([
      readingOf(house, sim, { acct_session_id: `diff${i}`, event_at, counter_up: 1000, counter_down: 0, session_time: 60 }),
    ])
  }
  const lines = [
    line(sims[0], 900, yesterday.toISOString()),
    line(sims[1], 3000, yesterday.toISOString()),
    line(sims[1], 100, before.toISOString()),
  ]
  const { body } = await upload(feed, csvOf(lines))
  await house.settle()
  expect((await staff.call(getFeedFile, { params: { feed_file_id: body.file.id } })).body.file).toMatchObject({ compared: 3, counted: 0 })
  await rollUpAll(house.app)
  const answer = await staff.call(listFeedDifferences, { params: { feed_id: feed.id } })
  expect(answer.body).toMatchObject({ sims: 2, reported_bytes: 4600, counted_bytes: 2500 })
  expect(answer.body.items.map(({ iccid, reported_bytes, counted_bytes }) => [iccid, reported_bytes, counted_bytes])).toEqual([
    [sims[1].iccid, 3500, 1000],
    [sims[0].iccid, 1100, 1500],
  ])
})
