import { createReadStream } from 'node:fs'
import { readdir, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { App, Tx } from '../../kernel/app.ts'
import { mostBytes, refuseFile, storeFile } from './store-file.ts'

/** A file that was written to within so long may go on. */
const settledAfter = 10_000 // ms
/** One that stops in the middle of a line most likely does: a number that is cut off there would be taken for another one. */
const cutSettledAfter = 10 * 60_000 // ms
const mostAtOnce = 200

type Feed = { id: string; folder: string }
type Found = { path: string; name: string; size: number; modified_at: Date }

/** Stores what is new in the folders of feeds below MASTHEAD_CDR_DIR. Files stay where they are: what did not change is not read again. */
export async function watchFolders(app: App): Promise<void> {
  const { db, config } = app
  if (!config.cdrDir) return
  const feeds = await db
    .selectFrom('feed')
    .select(['id', 'folder', 'folder_failure'])
    .where('folder', 'is not', null)
    .where('disabled_at', 'is', null)
    .execute()
  for (const { id, folder, folder_failure } of feeds) {
    const feed = { id, folder: folder! }
    const failure = await alone(app, feed.folder, () => watchFolder(app, feed, join(config.cdrDir!, feed.folder)))
    if (failure !== folder_failure) await noteFailure(app, feed, failure)
  }
}

/** Staff see it with the feed, and are alerted where it lasts. Whoever chose another folder meanwhile is told nothing of this one. */
const noteFailure = ({ db, clock }: App, { id, folder }: Feed, folder_failure: string | null) =>
  db.transaction().execute((tx) =>
    tx
      .updateTable('feed')
      .set({
        folder_failure,
        folder_failed_at: folder_failure === null ? null : sql<Date>`coalesce(folder_failed_at, ${clock.now()})`,
      })
      .where('id', '=', id)
      .where('folder', '=', folder)
      .execute()
  )

/** A folder or file that cannot be read holds up no other. Answers in words what could not be read and why; null: nothing. */
const alone = ({ log }: App, path: string, work: () => Promise<string | null>): Promise<string | null> =>
  work().catch((error: unknown) => {
    log.warn({ err: error, path }, 'CDR files could not be read')
    return `${path} cannot be read: ${whyNot(error)}`
  })

const fileErrors: Record<string, string> = {
  ENOENT: 'it is not there',
  EACCES: 'Masthead may not read it',
  EPERM: 'Masthead may not read it',
  ENOTDIR: 'it is not a folder',
}
function whyNot(error: unknown): string {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === undefined || code === undefined) return 'Masthead met an error, which is in the log of the worker'
  return fileErrors[code] ?? `the system says ${code}`
}

/** Answers what of its files could not be read. */
async function watchFolder(app: App, feed: Feed, directory: string): Promise<string | null> {
  const { db, clock } = app
  const known = await db
    .selectFrom('feed_folder_file')
    .select(['name', 'size_bytes', 'modified_at'])
    .where('feed_id', '=', feed.id)
    .execute()
  const seen = new Map(known.map(({ name, ...was }) => [name, was]))
  const isNew = ({ name, size, modified_at }: Found) => {
    const was = seen.get(name)
    return !was || was.size_bytes !== size || was.modified_at.getTime() !== modified_at.getTime()
  }
  const found = (await filesIn(directory)).filter(isNew)
  const restsFor = ({ modified_at }: Found) => clock.now().getTime() - modified_at.getTime()
  const settled = found.filter((file) => restsFor(file) >= settledAfter)
  const oldestFirst = settled.toSorted((a, b) => a.modified_at.getTime() - b.modified_at.getTime())
  let failure: string | null = null
  for (const file of oldestFirst.slice(0, mostAtOnce)) {
    const unread = await alone(app, `${feed.folder}/${file.name}`, async () => {
      if (restsFor(file) >= cutSettledAfter || (await endsWithLine(file))) await takeFile(app, feed, file)
      return null
    })
    failure ??= unread
  }
  return failure
}

async function endsWithLine({ path, size }: Found): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
  return buffer[0] === 10
}

/** Files themselves: no links, which may lead out of the folder. What was taken away meanwhile, or has a name that is no UTF-8, is not there. */
async function filesIn(directory: string): Promise<Found[]> {
  const found: Found[] = []
  for (const name of await readdir(directory)) {
    if (!/^[^.].*\.csv$/i.test(name)) continue
    const path = join(directory, name)
    const stats = await lstat(path).catch(() => null)
    if (stats?.isFile()) found.push({ path, name, size: stats.size, modified_at: new Date(Math.floor(stats.mtimeMs)) })
  }
  return found
}

async function takeFile({ db, clock }: App, feed: Feed, { path, name, size, modified_at }: Found): Promise<void> {
  const about = { feed_id: feed.id, name, source: 'folder' as const, added_by: null }
  const noteTaken = async (tx: Tx, file_id: string) => {
    const row = { feed_id: feed.id, name, size_bytes: size, modified_at, file_id }
    await tx
      .insertInto('feed_folder_file')
      .values(row)
      .onConflict((conflict) => conflict.columns(['feed_id', 'name']).doUpdateSet({ size_bytes: size, modified_at, file_id }))
      .execute()
  }
  // Staff see it among the files, and it is not stored again each minute.
  if (size > mostBytes) return db.transaction().execute(async (tx) => noteTaken(tx, await refuseFile(tx, about, size, clock.now())))
  const pieces = createReadStream(path, { highWaterMark: 256 * 1024 })
  await storeFile(db, about, pieces, clock.now(), (tx, { id }) => noteTaken(tx, id))
}
