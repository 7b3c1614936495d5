import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes a directory and those above it. One after the other, because Node's own `recursive` never ends where one cannot be made, as below /proc. */
export function makeDirs(dir: string): void {
  const path = resolve(dir)
  if (existsSync(path)) return
  makeDirs(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
