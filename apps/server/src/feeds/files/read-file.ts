import { sql } from 'kysely'
import { Problem } from '@masthead/contract/kernel/problem'
import { recordColumns } from '@masthead/contract/usage/feed-columns'
import { FeedRecord, readRow } from '@masthead/contract/usage/feed-record'
import { notifyStaff } from '../../backoffice/index.ts'
import type { App, Db, Tx } from '../../kernel/app.ts'
import { readTable, type CsvLine } from '../../kernel/http/read-csv.ts'
import { openCounting, type Counting } from '../../metering/index.ts'
import { takeRecords, type Placed, type WrongRow } from '../take-records.ts'
import { mostErrors } from './file-queries.ts'

const linesAtOnce = 500

type Line = CsvLine<(typeof recordColumns)[number]>

/**
 * Reads a file from the line after the last one that is done, some hundred lines at a time. What became of them is written in the
 * transaction that takes them, so that whoever goes on after a kill neither leaves one out nor takes one twice.
 */
export async function readFile(app: App, { file_id }: { file_id: string }): Promise<void> {
  const file = await app.db
    .selectFrom('feed_file')
    .innerJoin('feed', 'feed.id', 'feed_file.feed_id')
    .select(['feed.id as feed_id', 'feed.name', 'lines_done'])
    .where('feed_file.id', '=', file_id)
    .where('feed_file.state', 'in', ['waiting', 'reading'])
    .executeTakeFirst()
  if (!file) return
  const counting = openCounting(app)
  const feed = { id: file.feed_id, name: file.name }
  let done = file.lines_done
  const flush = async (lines: readonly Line[]) => {
    const from = done
    done = lines.at(-1)!.line
    await app.db.transaction().execute((tx) => takeLines({ app, counting, tx, feed, file_id }, lines, from))
  }
  try {
    let lines: Line[] = []
    for await (const line of readTable(partsOf(app.db, file_id), { columns: recordColumns, key: 'id', needs })) {
      if (line.line <= done) continue
      lines.push(line)
      if (lines.length < linesAtOnce) continue
      await flush(lines)
      lines = []
    }
    if (lines.length > 0) await flush(lines)
    await finish(app, file_id, null)
  } catch (error) {
    // A header that names no columns: it will not be another one the next time.
    if (!(error instanceof Problem)) throw error
    await finish(app, file_id, error.detail)
  } finally {
    await counting.stop()
  }
}

const needs = (names: readonly string[]) => [
  !names.some((name) => ['imsi', 'iccid', 'msisdn'].includes(name)) && 'One of the columns "imsi", "iccid" and "msisdn" is needed.',
  ...['id', 'ended_at', 'bytes_up', 'bytes_down'].map((name) => !names.includes(name) && `The column "${name}" is missing.`),
]

async function* partsOf(db: Db, file_id: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const row = await db
      .selectFrom('feed_file_part')
      .select('content')
      .where('file_id', '=', file_id)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!row) return
    yield row.content
  }
}

type Taking = { app: App; counting: Counting; tx: Tx; feed: { id: string; name: string }; file_id: string }

async function takeLines({ app, counting, tx, feed, file_id }: Taking, lines: readonly Line[], from: number): Promise<void> {
  const file = await tx
    .selectFrom('feed_file')
    .select(['lines_done', 'wrong'])
    .where('id', '=', file_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (file.lines_done !== from) throw new Error('Another worker reads this file')
  const [good, wrong]: [Placed<FeedRecord>[], WrongRow[]] = [[], []]
  for (const line of lines) {
    const read = 'wrong' in line ? line : readRow(FeedRecord, line.values)
    if ('ok' in read) good.push({ place: line.line, row: read.ok })
    else wrong.push({ place: line.line, words: read.wrong })
  }
  const { errors, counted, compared, duplicates, quarantined } = await takeRecords({ app, counting, at: app.clock.now() }, tx, feed, good)
  const refused = [...wrong, ...errors].toSorted((a, b) => a.place - b.place)
  const kept = refused.slice(0, Math.max(0, mostErrors - file.wrong))
  if (kept.length > 0)
    await tx
      .insertInto('feed_file_error')
      .values(kept.map(({ place, words }) => ({ file_id, line: place, words })))
      .execute()
  await tx
    .updateTable('feed_file')
    .set({
      state: 'reading',
      lines_done: lines.at(-1)!.line,
      counted: sql`counted + ${counted}`,
      compared: sql`compared + ${compared}`,
      duplicates: sql`duplicates + ${duplicates}`,
      quarantined: sql`quarantined + ${quarantined}`,
      wrong: sql`wrong + ${refused.length}`,
    })
    .where('id', '=', file_id)
    .execute()
  await notifyStaff(tx)
}

/**
 * Nobody reads it any more: that is recorded, and its content is no longer known, so that it may be sent again. Records that were read of it are known by
 * their ids.
 */
export async function giveUpFile(app: App, { file_id }: { file_id: string }): Promise<void> {
  await finish(app, file_id, 'It could not be read, however often that was tried. What was read is counted; send it again for the rest')
  await app.db.transaction().execute((tx) => tx.updateTable('feed_file').set({ content: null }).where('id', '=', file_id).execute())
}

/** What was read of it is known by its records: the file itself goes. */
async function finish({ db, clock }: App, file_id: string, failure: string | null): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const end = { state: failure === null ? ('done' as const) : ('failed' as const), failure, finished_at: clock.now() }
    await tx.updateTable('feed_file').set(end).where('id', '=', file_id).execute()
    await tx.deleteFrom('feed_file_part').where('file_id', '=', file_id).execute()
    await notifyStaff(tx)
  })
}
