import type { FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import {
  exportDays,
  exportUnderWay,
  startExport as startOperation,
  type AccountExport,
} from '@masthead/contract/account/closing-operations'
import { accountExportAsked, accountExported, accountExportFailed } from '@masthead/contract/auth/events'
import type { Proof } from '@masthead/contract/auth/proof'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { requireFreshProof } from '../../auth/index.ts'
import { notifySecurity } from '../../factors/index.ts'
import { systemActor, type Actor, type App, type Db, type Tx } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { forgetRows } from '../../kernel/jobs/forget-rows.ts'
import { addJob, task } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { getClosing } from './close-account.ts'
import { exportedTables } from './exported-tables.ts'

const exportId = idKind('exp')
const day = 86_400_000 // ms
const rowsAtOnce = 500
/** About so many characters are in one part. */
const partSize = 256_000

type Row = {
  id: string
  asked_at: Date
  done_at: Date | null
  failed_at: Date | null
  expires_at: Date | null
  row_count: number
  bytes: number
}

const shown = ({ id, asked_at, done_at, failed_at, expires_at, row_count, bytes }: Row, at: Date): AccountExport => ({
  id,
  state: failed_at ? 'failed' : !done_at ? 'making' : expires_at! <= at ? 'expired' : 'ready',
  asked_at: asked_at.toISOString(),
  expires_at: expires_at?.toISOString() ?? null,
  rows: row_count,
  bytes,
})

/** The newest ten, the newest first. */
export async function listExports(db: Db, account_id: string, at: Date): Promise<AccountExport[]> {
  const rows = await db
    .selectFrom('account_export')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('id', 'desc')
    .limit(10)
    .execute()
  return rows.map((row) => shown(row, at))
}

/** Has everything of one's own account gathered, by a job. Throws export_under_way. */
export async function startExport({
  body: proof,
  ...visit
}: {
  app: App
  request: FastifyRequest
  actor: Actor
  body: Proof
}): Promise<AccountExport> {
  const { app, request, actor } = visit
  const spend = await requireFreshProof(visit, proof)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, startOperation, async () => {
      await spend(tx)
      const { account_id } = await getClosing(tx, actor)
      await tx.selectFrom('account').select('id').where('id', '=', account_id).forUpdate().execute()
      await failExports(tx, actor.at, sql<boolean>`account_id = ${account_id} and ${nobodyMakes}`)
      const making = await tx
        .selectFrom('account_export')
        .select('id')
        .where('account_id', '=', account_id)
        .where('done_at', 'is', null)
        .where('failed_at', 'is', null)
        .executeTakeFirst()
      if (making) throw new Problem(exportUnderWay)
      const id = newId(exportId, actor.at.getTime())
      const row = { account_id, id, asked_at: actor.at, done_at: null, failed_at: null, expires_at: null }
      await tx.insertInto('account_export').values(row).execute()
      await notifySecurity(tx, actor, accountExportAsked, {}, 'An export of everything of your account was asked for.')
      await addJob(tx, makeTask.name, { account_id, id }, { key: `${makeTask.name} ${id}`, maxAttempts: 5 })
      return shown({ ...row, row_count: 0, bytes: 0 }, actor.at)
    })
  )
}

/** Writes the parts. All tables are read as they are at one moment, some hundred rows at a time. A run that broke off begins anew. */
async function makeExport(app: App, { account_id, id }: { account_id: string; id: string }): Promise<void> {
  const mine = <Query extends { where: (column: never, is: '=', value: never) => Query }>(query: Query) =>
    query.where('account_id' as never, '=', account_id as never)
  const there = await mine(app.db.selectFrom('account_export').select(['done_at', 'failed_at']))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!there || there.done_at || there.failed_at) return
  await app.db.transaction().execute((tx) => mine(tx.deleteFrom('account_export_part')).where('export_id', '=', id).execute())
  let [rows, bytes, number, lines] = [0, 0, 0, '']
  const flush = async () => {
    if (lines === '') return
    const part = { account_id, export_id: id, number: ++number, lines }
    await app.db.transaction().execute((tx) => tx.insertInto('account_export_part').values(part).execute())
    bytes += Buffer.byteLength(lines)
    lines = ''
  }
  await app.db.snapshot(async (db) => {
    for (const { table, where, without } of exportedTables) {
      await sql`declare export_rows no scroll cursor for select to_jsonb(t) - ${[...without]}::text[] as row from ${sql.table(table)} t
        where ${where(account_id)}`.execute(db)
      for (let more = true; more;) {
        const { rows: found } = await sql<{ row: unknown }>`fetch ${sql.lit(rowsAtOnce)} from export_rows`.execute(db)
        for (const { row } of found) {
          lines += `${JSON.stringify({ table, row })}\n`
          if (lines.length > partSize) await flush()
        }
        rows += found.length
        more = found.length === rowsAtOnce
      }
      await sql`close export_rows`.execute(db)
    }
  })
  await flush()
  const done_at = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    const end = { done_at, expires_at: new Date(done_at.getTime() + exportDays * day), row_count: rows, bytes }
    const ending = mine(tx.updateTable('account_export').set(end)).where('id', '=', id).where('failed_at', 'is', null)
    const { numUpdatedRows } = await ending.executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) await record(tx, systemActor(account_id, done_at), accountExported, { rows })
  })
}

const makeTask = {
  ...task('account.make_export', makeExport),
  gaveUp: ({ db, clock }: App, { account_id, id }: { account_id: string; id: string }) =>
    db.transaction().execute((tx) => failExports(tx, clock.now(), sql<boolean>`account_id = ${account_id} and id = ${id}`)),
}

/** No job has a try left for an export, and none is at its last: whatever ran it ended in the middle. */
const nobodyMakes = sql<boolean>`not exists (select from graphile_worker.jobs where key = 'account.make_export ' || account_export.id
  and (locked_at is not null or attempts < max_attempts))`

/** Says of exports that are not made that they will not be, and forgets what was gathered. */
async function failExports(tx: Tx, at: Date, which: RawBuilder<boolean>): Promise<void> {
  const failed = await tx
    .updateTable('account_export')
    .set({ failed_at: at })
    .where('done_at', 'is', null)
    .where('failed_at', 'is', null)
    .where(which)
    .returning(['account_id', 'id'])
    .execute()
  for (const { account_id, id } of failed) {
    await tx.deleteFrom('account_export_part').where('account_id', '=', account_id).where('export_id', '=', id).execute()
    await record(tx, systemActor(account_id, at), accountExportFailed, {})
  }
}

/** The lines of an export of one's own account, while it can be downloaded. Throws not_found. */
export async function* getExportLines(db: Db, actor: Actor, id: string): AsyncGenerator<string> {
  const { account_id } = await getClosing(db, actor)
  for (let number = 0, more = true; more;) {
    const part = await db
      .selectFrom('account_export_part')
      .select(['number', 'lines'])
      .where('account_id', '=', account_id)
      .where('export_id', '=', id)
      .where('number', '>', number)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst()
    more = part !== undefined
    if (part) {
      number = part.number
      yield part.lines
    }
  }
}

/** Throws not_found where there is nothing to download. */
export async function needExport(db: Db, actor: Actor, id: string): Promise<void> {
  const { account_id } = await getClosing(db, actor)
  const there = await db
    .selectFrom('account_export')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('expires_at', '>', actor.at)
    .executeTakeFirst()
  if (!there) throw new Problem(notFound, 'There is no such export, or its time is over: ask for another')
}

/** Parts go when their time is over; that there was one stays. One that nobody makes any more has failed. */
const forgetExports = task(
  'account.forget_exports',
  async (app: App) => {
    const now = app.clock.now()
    await app.db.transaction().execute((tx) => failExports(tx, now, nobodyMakes))
    await forgetRows(app, 'account_export_part', sql`export_id in (select id from account_export where expires_at <= ${now})`, 100)
  },
  '51 * * * *'
)

export const exportTasks = [makeTask, forgetExports]
