import { setImmediate as turn } from 'node:timers/promises'
import { sql, type Selectable } from 'kysely'
import { reportCompleted, reportFailed } from '@masthead/contract/reports/events'
import { fileDays, mostRunning } from '@masthead/contract/reports/report'
import { reportProgressed } from '@masthead/contract/signals'
import { systemActor, type App, type Tx } from '../kernel/app.ts'
import { BlobsNotWritten } from '../kernel/blobs/blobs.ts'
import type { Database } from '../kernel/database/database.ts'
import { publish } from '../kernel/live/publish.ts'
import { record } from '../kernel/record.ts'
import type { Sheet } from '../kernel/sheet.ts'
import { addDays, startOfDay, zoneOfDays } from './days.ts'
import { formats } from './formats.ts'
import { mailLinks } from './links.ts'
import { makerNow, ReportRefused } from './makers.ts'
import { keyOf } from './report-key.ts'
import { sheetOf } from './sheets/report-sheets.ts'
import { named } from './request-report.ts'
import { ZipTooLarge } from './zip.ts'

type Row = Selectable<Database['report']>

/** Whoever makes a report says each second that they are still at it; after so long without a word another begins anew. */
const heldFor = 30_000
const beat = 1000
/** So often it is begun, when whoever is at it is gone each time. */
const mostTries = 5
const dayMs = 86_400_000
const lock = sql`hashtext('masthead.claim_report')`

/** It is no longer ours: cancelled, deleted, or another is at it. */
class ReportLost extends Error {}

/** Makes the report that has waited longest, of an account that has not enough of them being made. False: there was none. */
export async function makeNextReport(app: App, signal?: AbortSignal): Promise<boolean> {
  const row = await claim(app)
  if (!row) return false
  await make(app, row, signal)
  return true
}

async function claim({ db, clock }: App): Promise<Row | undefined> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    await sql`select pg_advisory_xact_lock(${lock})`.execute(tx)
    // Nobody holds one for days: a clock was ahead.
    const isHeld = (row: 'r' | 'o') => sql`${sql.ref(`${row}.held_until`)} between ${at} and ${new Date(at.getTime() + dayMs)}`
    const { rows } =
      await sql<Row>`update report set state = 'running', run = run + 1, tries = tries + 1, held_until = ${new Date(at.getTime() + heldFor)},
        started_at = ${at}, rows = 0, share = null, sight = '{}'
      where (account_id, id) = (select account_id, id from report r
        where (state = 'pending' or state = 'running' and not ${isHeld('r')}) and (select count(*) from report o
          where o.account_id = r.account_id and o.state = 'running' and ${isHeld('o')}) < ${mostRunning}
          and exists (select from account a where a.id = r.account_id and a.closed_at is null)
        order by created_at, id limit 1) returning *`.execute(tx)
    if (rows[0]) await publish(tx, rows[0].account_id, reportProgressed)
    return rows[0]
  })
}

async function make(app: App, row: Row, stopping?: AbortSignal) {
  const held = holdReport(app, row, stopping)
  const key = keyOf(row)
  try {
    if (row.tries > mostTries)
      throw new ReportRefused(`It was begun ${mostTries} times, and each time whoever made it ended. Ask for less, or ask staff`)
    await removeEarlier(app, row)
    const actor = await makerNow(app.db, row, app.clock.now())
    await held.sees(actor.tags)
    const sheet = await sheetOf(app.db, row.kind, { actor, filter: row.filter, ...timesOf(row, actor.at) })
    const { type: _, write } = formats[row.format]
    const kept = await app.blobs.put(key, held.watching(write(held.counting(sheet), actor.at)))
    // Who lost a right meanwhile does not get what they asked for.
    await makerNow(app.db, row, app.clock.now())
    await app.db.transaction().execute((tx) => complete(tx, app, row, { ...kept, rows: held.rows() }))
  } catch (error) {
    await app.blobs.remove(key).catch(() => {}) // then it is cleared with what nobody knows
    await giveUp(app, row, error, stopping)
  } finally {
    await held.stop()
  }
}

/** What an earlier run may have left as it was killed; what the store does not remove now is cleared with what nobody knows. */
async function removeEarlier({ blobs }: App, row: Row) {
  for (let run = 1; run < row.run; run++) await blobs.remove(keyOf({ ...row, run })).catch(() => {})
}

/** From when to before when it is; a report of the moment is of a day that nobody asks for. */
function timesOf({ start_day, end_day, ...of }: Row, at: Date): { start: Date; end: Date } {
  if (start_day === null || end_day === null) return { start: new Date(at.getTime() - dayMs), end: at }
  const zone = zoneOfDays(of)
  return { start: startOfDay(start_day, zone), end: startOfDay(addDays(end_day, 1), zone) }
}

/** The row as long as it is ours. */
const ours = (tx: Tx, { account_id, id, run }: Row) =>
  tx.updateTable('report').where('account_id', '=', account_id).where('id', '=', id).where('run', '=', run).where('state', '=', 'running')

/** Says that we are at it and how far, and finds out when it is no longer ours. */
function holdReport({ db, clock, log }: App, row: Row, stopping?: AbortSignal) {
  let rows = 0
  let lost: Error | undefined
  let share: Sheet['share'] = () => null
  let said: Promise<void> = Promise.resolve()
  const say = async () => {
    const held_until = new Date(clock.now().getTime() + heldFor)
    const kept = await db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await ours(tx, row).set({ held_until, rows, share: share() }).executeTakeFirst()
      await publish(tx, row.account_id, reportProgressed)
      return numUpdatedRows > 0n
    })
    if (!kept) lost = new ReportLost()
  }
  let isSaying = false
  const timer = setInterval(() => {
    if (isSaying) return
    isSaying = true
    // Without the database nothing is read either, and that says why.
    said = say()
      .catch((error: unknown) => log.debug({ err: error }, 'a report could not be held'))
      .finally(() => (isSaying = false))
  }, beat)
  const check = () => {
    if (stopping?.aborted) lost ??= new ReportLost()
    if (lost) throw lost
  }
  return {
    rows: () => rows,
    sees: async (tags: readonly string[]) => {
      const { numUpdatedRows } = await db.transaction().execute((tx) =>
        ours(tx, row)
          .set({ sight: [...tags] })
          .executeTakeFirst()
      )
      if (numUpdatedRows === 0n) throw new ReportLost()
    },
    counting: (sheet: Sheet): Sheet => {
      share = sheet.share
      async function* counted() {
        for await (const part of ahead(sheet.rows)) {
          check()
          rows += part.length
          yield part
          // The same process may serve people: between two parts others have a turn.
          await turn()
        }
      }
      return { ...sheet, rows: counted() }
    },
    async *watching(bytes: AsyncIterable<Uint8Array>) {
      for await (const chunk of bytes) {
        check()
        yield chunk
      }
    },
    stop: async () => {
      clearInterval(timer)
      await said
    },
  }
}

/** The same, with the next asked for before one is used: the database reads while we write. */
async function* ahead<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  const reading = parts[Symbol.asyncIterator]()
  try {
    for (let next = reading.next(); ;) {
      const { value, done } = await next
      if (done) return
      next = reading.next()
      // What fails meanwhile is thrown once it is waited for, if it is.
      next.catch(() => {})
      yield value
    }
  } finally {
    await reading.return?.()
  }
}

async function complete(tx: Tx, { clock }: App, row: Row, kept: { size: number; sha256: string; rows: number }) {
  const at = clock.now()
  const expires_at = new Date(at.getTime() + fileDays * dayMs)
  const done = {
    state: 'complete' as const,
    held_until: null,
    rows: kept.rows,
    share: 1,
    bytes: kept.size,
    sha256: kept.sha256,
    finished_at: at,
  }
  const { numUpdatedRows } = await ours(tx, row)
    .set({ ...done, expires_at })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ReportLost()
  await mailLinks(tx, { ...row, expires_at, rows: kept.rows, bytes: kept.size }, at)
  const { format } = row
  await record(tx, systemActor(row.account_id, at), reportCompleted, { ...named(row), format, rows: kept.rows, bytes: kept.size })
}

async function giveUp({ db, clock, log }: App, row: Row, error: unknown, stopping?: AbortSignal) {
  const set = (changes: Partial<Pick<Row, 'state' | 'tries' | 'failure' | 'finished_at' | 'held_until'>>) =>
    db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await ours(tx, row)
        .set({ held_until: null, share: null, ...changes })
        .executeTakeFirst()
      const at = clock.now()
      if (numUpdatedRows > 0n && changes.failure)
        await record(tx, systemActor(row.account_id, at), reportFailed, { ...named(row), failure: changes.failure })
    })
  // Another goes on with it at once: this process is asked to end.
  if (stopping?.aborted) return set({ state: 'pending', tries: row.tries - 1 })
  if (error instanceof ReportLost) return
  const failure = wordsOf(error)
  log.warn({ err: error, report: row.id }, failure === null ? 'a report could not be made and will be tried again' : 'a report failed')
  if (failure !== null || row.tries >= mostTries)
    return set({ state: 'failed', finished_at: clock.now(), failure: failure ?? lastWordsOf(error) })
  // Held a little longer, so that what is wrong has time to end.
  return set({ held_until: new Date(clock.now().getTime() + row.tries * 5000) })
}

/** Why another try changes nothing, for who asked for it; null: it may. */
function wordsOf(error: unknown): string | null {
  if (error instanceof ReportRefused) return error.message
  if (error instanceof ZipTooLarge) return 'It is too large for XLSX, which ends at 4 GB: ask for it as CSV, or for less'
  if (error instanceof BlobsNotWritten && isFull(error.cause))
    return 'There was no room to keep its file. Nothing of it was kept; try again once staff made room'
  return null
}

/** Another try would fill the disk again. */
const isFull = (cause: unknown) => ['ENOSPC', 'EDQUOT'].includes(String((cause as NodeJS.ErrnoException | undefined)?.code))

const lastWordsOf = (error: unknown) =>
  error instanceof BlobsNotWritten
    ? 'The store did not take its file. Nothing of it was kept; try again later, or ask staff'
    : 'It could not be made. Try again later, or ask for less'
