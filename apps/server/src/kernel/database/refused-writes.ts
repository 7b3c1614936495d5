import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../config.ts'

type Where = Pick<Config, 'dataDir' | 'databaseUrl'>
type Refusal = { codes: readonly string[]; says: RegExp; words: (where: Where) => string }

const kept = 'What was there is kept.'
/** PostgreSQL's codes and the system's, and what PostgreSQL's programs write where they end before they could give one. */
const refusals: readonly Refusal[] = [
  {
    codes: ['ENOSPC', 'EDQUOT', '53100'],
    says: /no space left on device|disk quota exceeded/i,
    words: ({ dataDir, databaseUrl }) =>
      databaseUrl
        ? `There is no room on the disk of the database at DATABASE_URL. ${kept} Make room there, then try again.`
        : `There is no room on the disk of ${dataDir}. ${kept} Make room, or set MASTHEAD_DATA_DIR to a directory on a larger disk, then try again.`,
  },
  {
    codes: ['EROFS', '25006'],
    says: /read-only file system/i,
    words: ({ dataDir, databaseUrl }) =>
      databaseUrl
        ? 'The database at DATABASE_URL is read-only: a standby, or default_transaction_read_only is on. Name one that takes writes.'
        : `The disk of ${dataDir} is read-only. Mount it for writing, or set MASTHEAD_DATA_DIR to a directory elsewhere.`,
  },
  {
    codes: ['EIO', '58030'],
    says: /input\/output error/i,
    words: ({ dataDir, databaseUrl }) =>
      `The disk of ${databaseUrl ? 'the database at DATABASE_URL' : dataDir} fails (input/output error). Look at what the system says of it; restore a back-up elsewhere where it is broken.`,
  },
]

/** Why nothing can be written there, and what to do, for whoever starts us; undefined where an error (or its cause) says something else. */
export function wordsOfRefusedWrites(error: unknown, where: Where): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = String((error as NodeJS.ErrnoException).code)
  const refusal = refusals.find(({ codes, says }) => codes.includes(code) || says.test(error.message))
  return refusal ? refusal.words(where) : wordsOfRefusedWrites(error.cause, where)
}

/** The error of making a directory: Node calls a read-only disk "no such file or directory", so the nearest one that is there is asked. */
export function whyNotMade(dir: string, error: Error): Error {
  let there = resolve(dir)
  while (!existsSync(there)) there = dirname(there)
  try {
    accessSync(there, constants.W_OK)
    return error
  } catch (refused) {
    return refused as Error
  }
}
