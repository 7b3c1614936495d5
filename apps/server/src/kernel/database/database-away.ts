import type { Config } from '../config.ts'

/** The database, or the network to it, is not available: refused, lost, not let in, too many connections, shutting down, starting up, done with who is idle, memory full. */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '28000',
  '28P01',
  '3D000',
  '53200',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
])
// The second is what pgbouncer says when it has lost its server, or waits for one (its code is that of a broken protocol).
const says = /Connection terminated|not queryable|timeout exceeded when trying to connect|not currently accepting connections/
const poolerSays =
  /^(server conn crashed|query_wait_timeout|server login (failed|has been failing)|pgbouncer cannot connect|no more connections allowed|server_lifetime|pgbouncer is shutting down)/

/** Whether an error of asking the database says that it cannot be reached. */
export const isAway = ({ code = '', message }: Error & { code?: string }): boolean =>
  codes.has(code) || says.test(message) || poolerSays.test(message)

/** That the database cannot be reached, and what to do, for whoever starts us or gives a command; undefined where an error (or its cause) says something else. */
export function wordsOfAway(error: unknown, { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): string | undefined {
  if (!(error instanceof Error)) return undefined
  // A file of ours that is not there has an error of the same name.
  if (!isAway(error) || (error as NodeJS.ErrnoException).syscall === 'open') return wordsOfAway(error.cause, { dataDir, databaseUrl })
  const why = messageOf(error)
  return databaseUrl
    ? `The database at DATABASE_URL cannot be reached (${why}). See that it runs and lets us in, then try again.`
    : `The database in ${dataDir} cannot be reached (${why}). Where Masthead runs there its log says why; try again once it is back.`
}

/** A name with several addresses fails with the errors of each, and no words of its own. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError && error.message === '' ? String((error.errors[0] as Error | undefined)?.message) : error.message
