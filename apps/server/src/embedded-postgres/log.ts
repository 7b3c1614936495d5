import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresUser } from './home.ts'

const fileSize = 16 * 2 ** 20 // bytes, as initdb makes them

/** How many files of its log a server with these settings keeps for use again. */
export function logFilesKept({ min_wal_size }: Record<string, string | number>): number {
  const [, size, unit] = /^(\d+)(MB|GB)$/.exec(String(min_wal_size)) ?? []
  return Math.floor((Number(size ?? 0) * (unit === 'GB' ? 2 ** 30 : 2 ** 20)) / fileSize)
}

/** The log's file after `n` others, in its first timeline. */
const nameOf = (n: number) => [1, Math.floor(n / 256), n % 256].map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('')

/**
 * Gives a cluster that was just made the next files of its log, `count` at most and no more than a tenth of the room: a commit that needs one which
 * is not there waits until it is made. PostgreSQL takes what it finds under the name, as it does what a checkpoint has renamed for it.
 * What cannot be made is the server's to make.
 */
export async function makeLogFiles(dir: string, count: number, user: PostgresUser | undefined): Promise<void> {
  const made: string[] = []
  try {
    const { bavail, bsize } = await statfs(dir)
    const zeros = Buffer.alloc(fileSize)
    const room = Math.floor((bavail * bsize) / 10 / fileSize)
    for (let n = 2; n < 2 + Math.min(count, room); n++) {
      const path = join(dir, nameOf(n))
      await using file = await open(path, 'wx', 0o600)
      made.push(path)
      await file.writeFile(zeros)
      await file.sync()
      if (user) await file.chown(user.uid, user.gid)
    }
  } catch {
    for (const path of made) await rm(path, { force: true })
  }
}
