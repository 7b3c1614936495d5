import { createHash } from 'node:crypto'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { Problem, tooLarge } from '@masthead/contract/kernel/problem'
import type { AppDb, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'

const fileId = idKind('cdr')
const partBytes = 1024 * 1024
export const mostBytes = 1024 * 1024 * 1024
const tooLargeWords = `A file has at most ${formatBytes(mostBytes)}. Split it: records that were sent before are not counted twice`

type About = { feed_id: string; name: string; source: 'upload' | 'folder'; added_by: string | null }
export type Stored = { id: string; size_bytes: number; duplicate: boolean }

/**
 * Stores a file in pieces as it comes, and has a job read it; in the database, so that any machine may go on with it. With a content that the feed had before, nothing
 * is kept and the earlier file is answered. What broke off is cleared away; where this process ended meanwhile, it stays as `arriving` until later. `finish` runs in the
 * transaction that makes it known. Throws too_large, or what the pieces throw.
 */
export async function storeFile(
  db: AppDb,
  about: About,
  pieces: AsyncIterable<Uint8Array | string>,
  at: Date,
  finish: (tx: Tx, stored: Stored) => Promise<void> = async () => {}
): Promise<Stored> {
  const id = newId(fileId, at.getTime())
  const begin = { id, ...about, content: null, state: 'arriving' as const, added_at: at }
  await db.transaction().execute((tx) => tx.insertInto('feed_file').values(begin).execute())
  const { content, size } = await storeParts(db, id, pieces).catch(async (error: unknown) => {
    await db.transaction().execute((tx) => tx.deleteFrom('feed_file').where('id', '=', id).execute())
    throw error
  })
  return db.transaction().execute(async (tx) => {
    // Two files with one content come one after the other.
    await tx.selectFrom('feed').select('id').where('id', '=', about.feed_id).forUpdate().execute()
    const earlier = await tx
      .selectFrom('feed_file')
      .select(['id', 'size_bytes'])
      .where('feed_id', '=', about.feed_id)
      .where('content', '=', content)
      .executeTakeFirst()
    if (earlier) await tx.deleteFrom('feed_file').where('id', '=', id).execute()
    else {
      await tx.updateTable('feed_file').set({ content, size_bytes: size, state: 'waiting' }).where('id', '=', id).execute()
      await addJob(tx, 'feeds.read_file', { file_id: id }, { key: `feed_file ${id}` })
    }
    const stored = { ...(earlier ?? { id, size_bytes: size }), duplicate: earlier !== undefined }
    await finish(tx, stored)
    return stored
  })
}

/** Keeps that a file is too large, which nobody has to look for. */
export async function refuseFile(tx: Tx, about: About, size_bytes: number, at: Date): Promise<string> {
  const id = newId(fileId, at.getTime())
  const end = { content: null, size_bytes, state: 'failed' as const, failure: tooLargeWords, added_at: at, finished_at: at }
  await tx
    .insertInto('feed_file')
    .values({ id, ...about, ...end })
    .execute()
  return id
}

async function storeParts(db: AppDb, file_id: string, pieces: AsyncIterable<Uint8Array | string>) {
  const hash = createHash('sha256')
  let [size, part] = [0, 0]
  for await (const content of inParts(pieces)) {
    size += content.length
    if (size > mostBytes) throw new Problem(tooLarge, tooLargeWords)
    hash.update(content)
    const row = { file_id, part: part++, content }
    await db.transaction().execute((tx) => tx.insertInto('feed_file_part').values(row).execute())
  }
  return { content: hash.digest(), size }
}

/** The same bytes in pieces of one size, so that a file that comes in drops is no table of drops. */
async function* inParts(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    for (let rest = Buffer.from(piece); rest.length > 0;) {
      const fits = rest.subarray(0, partBytes - bytes)
      waiting.push(fits)
      bytes += fits.length
      rest = rest.subarray(fits.length)
      if (bytes < partBytes) continue
      yield Buffer.concat(waiting)
      waiting = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}
