import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import type { FileEnd } from '@masthead/contract/terminal/file'

/** Why something is not done with a file. */
export class FileTrouble extends Error {
  readonly end: FileEnd
  constructor(end: FileEnd, words: string) {
    super(words)
    this.end = end
  }
}

const ends: Partial<Record<string, FileEnd>> = {
  EEXIST: 'exists',
  ENOSPC: 'no_space',
  EDQUOT: 'no_space',
  EACCES: 'no_right',
  EPERM: 'no_right',
  EROFS: 'no_right',
  ENOENT: 'not_there',
  ENOTDIR: 'not_there',
  EISDIR: 'not_a_file',
}

/** What the system says of it, as one of the ends that have words. */
export function troubleOf(error: unknown, path: string): FileTrouble {
  if (error instanceof FileTrouble) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  return new FileTrouble(ends[code] ?? 'device', code in ends ? path : `${path}: ${message}`)
}

/** The path that somebody typed, from where their shell is. */
export function pathFrom(typed: string, folder: string): string {
  if (typed === '~' || typed.startsWith('~/')) return join(homedir(), typed.slice(1))
  // A slash at its end says that it is a folder, and is kept.
  return isAbsolute(typed) ? join(typed) : join(folder, typed)
}

const found = (path: string) =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })

/** Where a file of this name is to be written, and the rights that one which is there already has. Throws FileTrouble, and what the system says. */
export async function placeFor(path: string, name: string, replace: boolean): Promise<{ path: string; mode: number | null }> {
  const isFolder = path.endsWith('/') || (await found(path))?.isDirectory()
  const to = isFolder ? join(path, basename(name)) : path
  const there = await found(to)
  if (!there) return { path: to, mode: null }
  if (!there.isFile()) throw new FileTrouble('not_a_file', to)
  if (!replace) throw new FileTrouble('exists', to)
  // What a link leads to is replaced, and the link stays.
  return { path: await realpath(to), mode: there.mode & 0o777 }
}
