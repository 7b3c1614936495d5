import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor, App, Tx } from '../app.ts'
import type { Authenticate } from '../http/routes.ts'

/** The NOTIFY channel. A payload is `account_id area.what_happened`, with a person's id where it concerns them on whatever account, or what ends (streams.ts). */
export const liveChannel = 'masthead_live'

/** The word that begins a notification which ends streams; an account's or person's id begins all others. */
export const endWord = 'end'

/** Whose streams: of a person, where given on one account or of one session alone. */
export type Ending = { person_id: string; account_id?: string; session_id?: string }

/**
 * Closes what a person has open, in every process, once `tx` commits: what they may do has changed, or their session is over. Their
 * consoles come back at once, and get what they may see now.
 */
export async function endStreams(tx: Tx, ending: Ending): Promise<void> {
  await sql`select pg_notify(${liveChannel}, ${`${endWord} ${JSON.stringify(ending)}`})`.execute(tx)
}

export const isEnded = (actor: Actor, { person_id, account_id, session_id }: Ending) =>
  actor.person_id === person_id &&
  (account_id === undefined || actor.account_id === account_id) &&
  (session_id === undefined || actor.session_id === session_id)

const rightsOf = ({ kind, person_id, account_id, permissions, tags, staff, lacks_factor }: Actor) =>
  JSON.stringify([kind, person_id, account_id, permissions, tags, staff, lacks_factor])

/** Asks whether whoever opened a stream still may do just what they could when they opened it. */
export function rightsCheck(app: App, request: FastifyRequest, authenticate: Authenticate, actor: Actor): () => Promise<boolean> {
  const before = rightsOf(actor)
  return async () => {
    // A key that ended is refused with words.
    const now = await authenticate(app, request).catch(() => null)
    return now !== null && rightsOf(now) === before
  }
}

/** Hands on the pieces of an answer as long as whoever reads them may: rights taken away end it, and the reader is told that it is cut. */
export async function* whileAllowed(pieces: AsyncIterable<string>, allowed: () => Promise<boolean>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    if (!(await allowed())) throw new Error('The reader of a stream may no longer read it')
    yield piece
  }
}
