import { randomUUID } from 'node:crypto'
import { open as openFile, opendir, rename, rm, stat, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { wordsOfRefusedWrites } from '../database/refused-writes.ts'
import { makeOwnDirs, syncDirectory } from '../make-dirs.ts'
import { fileDrafts } from './file-drafts.ts'
import { BlobsNotWritten, checkKey, Measure, type Blobs } from './blobs.ts'

const isAbsent = (error: unknown) => ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code))

/**
 * Blobs as files below a directory. One is written under a name of its own in `.new`, brought to the disk and then renamed, so that a cut in the
 * middle, of the power too, leaves nothing but a file in `.new`.
 */
export function fileBlobs(root: string, open: typeof openFile = openFile): Blobs {
  const unfinished = join(root, '.new')
  const pathOf = (key: string) => join(root, ...checkKey(key).split('/'))
  const say = (error: unknown): Error => {
    const words = wordsOfRefusedWrites(error, { dataDir: root, databaseUrl: undefined })
    return new BlobsNotWritten(words ?? `Nothing can be written to ${root}: ${(error as Error).message}`, { cause: error })
  }

  const put: Blobs['put'] = async (key, bytes, expected) => {
    const path = pathOf(key)
    const own = join(unfinished, randomUUID())
    const measure = new Measure(expected)
    try {
      makeOwnDirs(unfinished)
      const file = await open(own, 'wx')
      await write(file, measure.of(bytes))
      makeOwnDirs(dirname(path))
      await rename(own, path)
      await syncDirectory(dirname(path))
      return measure.kept!
    } catch (error) {
      await rm(own, { force: true }).catch(() => {}) // then it is cleared later
      // What its source says is not the store's to mend.
      throw measure.failed ?? say(error)
    }
  }

  const find: Blobs['find'] = async (key) => {
    const found = await stat(pathOf(key)).catch((error: unknown) => {
      if (isAbsent(error)) return null
      throw error
    })
    return found?.isFile() ? { key, size: found.size, changed_at: found.mtime } : null
  }

  return {
    place: root,
    link: () => null,
    drafts: fileDrafts({ unfinished, pathOf, say, open }),
    put,
    find,
    read: async (key, range) => {
      // Opened here, so that what is removed meanwhile can be read to its end.
      const file = await open(pathOf(key)).catch((error: unknown) => {
        if (isAbsent(error)) return null
        throw error
      })
      return file && file.createReadStream({ ...range, highWaterMark: 1024 * 1024 })
    },
    remove: async (key) => {
      await unlink(pathOf(key)).catch((error: unknown) => {
        if (!isAbsent(error)) throw error
      })
    },
    list: async function* (prefix) {
      // The directory that is named whole, and what is in it.
      const top = prefix.slice(0, prefix.lastIndexOf('/') + 1)
      for await (const path of filesBelow(join(root, top))) {
        const key = relative(root, path).split(sep).join('/')
        if (!key.startsWith(prefix) || key.startsWith('.new/')) continue
        const found = await find(key)
        if (found) yield found
      }
    },
    clear: async (before) => {
      let cleared = 0
      for await (const path of filesBelow(unfinished)) {
        const there = await stat(path).catch(() => null)
        if (!there || there.mtime >= before) continue
        await rm(path, { force: true })
        cleared++
      }
      return cleared
    },
    room: async () => {
      makeOwnDirs(root)
      // Of a usual user: what is kept back for root is not counted.
      const { bavail, blocks, bsize } = await statfs(root)
      return { free: bavail * bsize, all: blocks * bsize }
    },
    whyNotWritten: async () => {
      const own = join(unfinished, randomUUID())
      try {
        makeOwnDirs(unfinished)
        const file = await open(own, 'wx')
        await write(file, [Buffer.alloc(4096, 1)])
        return null
      } catch (error) {
        return say(error).message
      } finally {
        await rm(own, { force: true }).catch(() => {})
      }
    },
  }
}

async function write(file: FileHandle, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  try {
    for await (const chunk of bytes) for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten
    await file.sync()
  } finally {
    await file.close()
  }
}

async function* filesBelow(path: string): AsyncIterable<string> {
  const directory = await opendir(path).catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
  if (!directory) return
  for await (const entry of directory) {
    if (entry.isDirectory()) yield* filesBelow(join(path, entry.name))
    else yield join(path, entry.name)
  }
}
