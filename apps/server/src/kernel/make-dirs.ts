import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Makes a directory and those above it. One after the other, because Node's own `recursive` never ends where one cannot be made, as below /proc. */
export function makeDirs(dir: string, mode = 0o777): void {
  const path = resolve(dir)
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return
    throw Object.assign(new Error(`${path} is a file, not a directory`), { code: 'ENOTDIR' })
  }
  makeDirs(dirname(path), mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The same for what no other user of this machine may read. */
export const makeOwnDirs = (dir: string): void => makeDirs(dir, 0o700)

/** Brings to the disk that a file is there by its name. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}
