import { constants } from 'node:fs'
import { rename, rm, stat, type FileHandle, type open as openFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeOwnDirs, syncDirectory } from '../make-dirs.ts'
import { BlobDiffers, checkKey, DraftGone, type Drafts } from './blobs.ts'

type Store = {
  /** Where what is no blob yet is; whatever is old there is cleared. */
  unfinished: string
  pathOf: (key: string) => string
  say: (error: unknown) => Error
  open: typeof openFile
}

/** So much is written at once: small pieces are gathered. */
const atOnce = 1024 * 1024
/** After so many bytes what came is brought to the disk while more comes: a whole layer at its end would hold up whoever else writes there, as the database. */
const syncedEach = 4 * 1024 * 1024

/** Drafts as files beside the blobs: each is renamed when it is kept, after it was brought to the disk. */
export function fileDrafts({ unfinished, pathOf, say, open }: Store): Drafts {
  const draftPath = (draft: string) => join(unfinished, checkKey(draft))

  /** The file with `from` bytes. */
  async function openAt(draft: string, from: number): Promise<FileHandle> {
    try {
      makeOwnDirs(unfinished)
      const file = await open(draftPath(draft), constants.O_RDWR | (from === 0 ? constants.O_CREAT : 0)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      })
      if (!file) throw new DraftGone('The draft is not there')
      const size = await cutTo(file, from).catch(async (error: unknown) => {
        await file.close()
        throw error
      })
      if (size >= from) return file
      await file.close()
    } catch (error) {
      throw error instanceof DraftGone ? error : say(error)
    }
    throw new DraftGone(`The draft has fewer than ${from} bytes`)
  }

  return {
    append: async (draft, from, bytes) => {
      const file = await openAt(draft, from)
      let size = from
      let source: { failed?: unknown } = {}
      let synced = from
      try {
        // While a part is written the next one comes.
        let written = Promise.resolve()
        let onDisk = Promise.resolve()
        const parts = gathered(bytes, (failed) => (source = { failed }))
        for await (const part of parts) {
          await written
          written = writeAll(file, part, size)
          written.catch(() => {})
          size += part.reduce((sum, { byteLength }) => sum + byteLength, 0)
          if (size - synced < syncedEach) continue
          synced = size
          await onDisk
          onDisk = written.then(() => file.datasync())
          onDisk.catch(() => {})
        }
        await written
        await onDisk
      } catch (error) {
        throw say(error)
      } finally {
        await file.close()
      }
      return { size, ...source }
    },
    read: async function* (draft, size) {
      const file = await open(draftPath(draft)).catch(() => {
        throw new DraftGone('The draft is not there')
      })
      let read = 0
      if (size > 0)
        for await (const chunk of file.createReadStream({ end: size - 1, highWaterMark: atOnce })) {
          read += (chunk as Uint8Array).byteLength
          yield chunk as Uint8Array
        }
      else await file.close()
      if (read !== size) throw new DraftGone(`The draft has ${read} of ${size} bytes`)
    },
    keep: async (draft, key, expected) => {
      const path = pathOf(key)
      const file = await open(draftPath(draft), 'r+').catch(() => {
        throw new DraftGone('The draft is not there')
      })
      try {
        const { size } = await file.stat()
        if (size !== expected.size) throw new BlobDiffers(`${size} bytes came, and ${expected.size} were announced`)
        await file.sync()
      } catch (error) {
        throw error instanceof BlobDiffers ? error : say(error)
      } finally {
        await file.close()
      }
      try {
        makeOwnDirs(dirname(path))
        await rename(draftPath(draft), path)
        await syncDirectory(dirname(path))
      } catch (error) {
        throw (await stat(draftPath(draft)).catch(() => null)) ? say(error) : new DraftGone('The draft is not there', { cause: error })
      }
    },
    cut: async (draft, size) => {
      if (size === 0) return rm(draftPath(draft), { force: true })
      // One that is not there has nothing to cut; of one that cannot be opened now nothing is lost.
      const file = await open(draftPath(draft), 'r+').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      })
      if (file) await cutTo(file, size).finally(() => file.close())
    },
    drop: (draft) => rm(draftPath(draft), { force: true }),
    size: async (draft) => (await stat(draftPath(draft)).catch(() => null))?.size ?? null,
  }
}

/** Cuts what is longer; the size before. */
async function cutTo(file: FileHandle, most: number): Promise<number> {
  const { size } = await file.stat()
  if (size > most) await file.truncate(most)
  return size
}

/** The same bytes in larger parts. A source that fails ends it: what came before is given. */
async function* gathered(bytes: AsyncIterable<Uint8Array>, fails: (error: unknown) => void): AsyncIterable<Uint8Array[]> {
  let part: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of bytes) {
      part.push(chunk)
      size += chunk.byteLength
      if (size < atOnce) continue
      yield part
      part = []
      size = 0
    }
  } catch (error) {
    fails(error)
  }
  if (size > 0) yield part
}

async function writeAll(file: FileHandle, part: Uint8Array[], at: number): Promise<void> {
  const whole = part.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const { bytesWritten } = await file.writev(part, at)
  if (bytesWritten === whole) return
  const rest = Buffer.concat(part).subarray(bytesWritten)
  for (let done = 0; done < rest.byteLength;)
    done += (await file.write(rest, done, rest.byteLength - done, at + bytesWritten + done)).bytesWritten
}
