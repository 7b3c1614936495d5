import { createHash, type Hash } from 'node:crypto'
import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import { algorithmOf } from '../protocol/address.ts'
import { noteDamage } from './held.ts'

type Row = { digest: string; key: string; bytes: number; damaged_at: Date | null }
/** `repositories`: some that have it, with the account's slug. */
export type Wrong = { digest: string; why: string; repositories: string[] }
export type Checked = { blobs: number; bytes: number; manifests: number; wrong: Wrong[] }

const mostNamed = 5

/** As another digest is written, which is of what it should be. */
const digestOf = (like: string, hash: Hash) => `${algorithmOf(like)}:${hash.digest('hex')}`

/**
 * Reads every byte that is kept, and counts its digest anew. What is damaged is given to nobody from then on, so that whoever pushes it again replaces it; what
 * was restored is given again.
 */
export async function checkRegistry(app: Pick<App, 'db' | 'blobs' | 'clock'>): Promise<Checked> {
  const { db } = app
  const done: Checked = { blobs: 0, bytes: 0, manifests: 0, wrong: [] }
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('registry_blob')
      .select(['digest', 'key', 'bytes', 'damaged_at'])
      .where('digest', '>', after)
      .orderBy('digest')
      .limit(100)
      .execute()
    for (const row of rows) {
      const { size, why } = await checkBlob(app, row)
      done.blobs++
      done.bytes += size
      if (why !== null) done.wrong.push({ digest: row.digest, why, repositories: await repositoriesWith(app, 'registry_held', row.digest) })
    }
    if (rows.length < 100) break
    after = rows.at(-1)!.digest
  }
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('registry_manifest')
      .select(['digest', 'content'])
      .distinct()
      .where('digest', '>', after)
      .orderBy('digest')
      .limit(50)
      .execute()
    for (const { digest, content } of rows) {
      done.manifests++
      const found = digestOf(digest, createHash(algorithmOf(digest)).update(content))
      if (found !== digest)
        done.wrong.push({
          digest,
          why: `its row has the digest ${found}`,
          repositories: await repositoriesWith(app, 'registry_manifest', digest),
        })
    }
    if (rows.length < 50) break
    after = rows.at(-1)!.digest
  }
  return done
}

const checkedEvery = 7 * 86_400_000 // ms
/** How much a run reads, in bytes and in blobs. */
const [bytesAtOnce, blobsAtOnce] = [2_000_000_000, 2000]

/**
 * Reads again what was read longest ago, if that is a week: `most` bytes, and the blob with which they are full. Each says when it was read, so that the next run goes
 * on from there. What a bucket keeps is left to its store: reading it may cost money. Throws where a blob cannot be read.
 */
export async function checkOldest(app: Pick<App, 'config' | 'db' | 'blobs' | 'clock'>, most = bytesAtOnce): Promise<void> {
  const { config, db, clock } = app
  if (config.s3) return
  const readAt = sql<Date>`coalesce(checked_at, kept_at)`
  const rows = await db
    .selectFrom('registry_blob')
    .select(['digest', 'key', 'bytes', 'damaged_at'])
    .where(readAt, '<', new Date(clock.now().getTime() - checkedEvery))
    .orderBy(readAt)
    .limit(blobsAtOnce)
    .execute()
  let bytes = 0
  for (const row of rows) {
    if (bytes >= most) break
    const { size, why, damaged } = await checkBlob(app, row)
    bytes += size
    // Also where it could not be read: the others have their turn before it comes again.
    await db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('registry_blob')
          .set({ checked_at: clock.now() })
          .where('digest', '=', row.digest)
          .where('key', '=', row.key)
          .execute()
      )
    if (damaged === null) throw new Error(`A blob of the registry, ${row.digest}: ${why}`)
  }
}

/** Reads a blob, and notes what it finds. */
async function checkBlob(app: Pick<App, 'db' | 'blobs' | 'clock'>, row: Row) {
  const found = await readBlob(app, row)
  if (found.damaged !== null && found.damaged !== (row.damaged_at !== null))
    await noteDamage(app, row, found.damaged ? app.clock.now() : null)
  return found
}

/** `damaged` is null where that is not known: the store gives nothing at this time. */
async function readBlob({ blobs }: Pick<App, 'blobs'>, { digest, key, bytes }: Row) {
  const hash = createHash(algorithmOf(digest))
  let size = 0
  try {
    const content = await blobs.read(key)
    if (!content) return { size, damaged: true, why: `there is nothing at ${key}` }
    for await (const chunk of content) {
      hash.update(chunk as Uint8Array)
      size += (chunk as Uint8Array).byteLength
    }
  } catch (error) {
    return { size, damaged: null, why: `it could not be read at ${key}: ${(error as Error).message}` }
  }
  const found = digestOf(digest, hash)
  if (found === digest) return { size, damaged: false, why: null }
  return { size, damaged: true, why: `its ${size} of ${bytes} bytes at ${key} have the digest ${found}` }
}

const repositoriesWith = async (
  { db }: Pick<App, 'db'>,
  table: 'registry_held' | 'registry_manifest',
  digest: string
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select a.slug || '/' || r.name as name from ${sql.table(table)} m
    join registry_repository r on r.account_id = m.account_id and r.id = m.repository_id
    join registry_account a on a.account_id = m.account_id
    where m.digest = ${digest} order by 1 limit ${mostNamed}`.execute(db)
  return rows.map(({ name }) => name)
}
