/** What keeps the database from being changed, where it says so itself. `words` are for whoever runs the installation, `detail` for a caller. */
export type Trouble = { words: string; detail: string; retryAfter: number }

const unchanged = (cause: string) =>
  `${cause}, so nothing can be changed right now. What is there can be read as far as that goes; try again later`
const full: Trouble = {
  words: 'There is no room on the disk of the database',
  detail: unchanged('There is no room on the disk of the database'),
  retryAfter: 10,
}
const byCode: Record<string, Trouble> = {
  // A standby, default_transaction_read_only, an administrator.
  '25006': {
    words: 'The database is read-only and takes no writes',
    detail: unchanged('The database takes no writes'),
    retryAfter: 10,
  },
  '53100': full,
  '58030': {
    words: 'The disk of the database fails',
    detail: unchanged('The disk of the database fails'),
    retryAfter: 10,
  },
}

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code

/** Why the database refuses to change anything, read from one of its errors; undefined where it is something else. */
export const troubleOf = (error: unknown): Trouble | undefined => byCode[String(codeOf(error))]

/** Our own program wrote where it only reads. No trouble of the database: it refuses this also where it takes writes, so trying again is of no use. */
export class WroteWhileReading extends Error {
  readonly name = 'WroteWhileReading'
}

/** For errors of a session that is read-only because we said so. */
export const asOurMistake = (error: Error): Error =>
  codeOf(error) === '25006' ? new WroteWhileReading(error.message, { cause: error }) : error

/** For `catch`, of what is only noted beside a call: without it reading would end with writing. Throws what is not such trouble. */
export function leaveUnwritten(error: unknown): void {
  if (!troubleOf(error)) throw error
}
