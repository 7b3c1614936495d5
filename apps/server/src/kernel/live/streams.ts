import type { FastifyRequest } from 'fastify'
import type { Actor, App, Tx } from '../app.ts'
import type { Authenticate } from '../http/routes.ts'
import type { Ending } from './channel.ts'
import { publishEnd } from './publish.ts'

/**
 * Closes what a person has open, in every process, once `tx` commits: what they may do has changed, or their session is over. Their
 * consoles come back at once, and get what they may see now.
 */
export const endStreams = (tx: Tx, ending: Ending): Promise<void> => publishEnd(tx, ending)

export const isEnded = (actor: Actor, { person_id, account_id, session_id }: Ending) =>
  actor.person_id === person_id &&
  (account_id === undefined || actor.account_id === account_id) &&
  (session_id === undefined || actor.session_id === session_id)

/** What the answer of a stream of events says of itself: a proxy that compressed it, or kept any of it back, would hold events up. */
export const eventStream = { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' }

const rightsOf = ({ kind, person_id, account_id, permissions, tags, staff, lacks_factor }: Actor) =>
  JSON.stringify([kind, person_id, account_id, permissions, tags, staff, lacks_factor])

/** Asks whether the caller who opened a stream has just the rights that they had when they opened it. */
export function rightsCheck(app: App, request: FastifyRequest, authenticate: Authenticate, actor: Actor): () => Promise<boolean> {
  const before = rightsOf(actor)
  return async () => {
    // A key that ended is refused with words.
    const now = await authenticate(app, request).catch(() => null)
    return now !== null && rightsOf(now) === before
  }
}

/** Passes the pieces of an answer on as long as their reader may read them: it ends when a right is taken away, and the reader sees that it is not complete. */
export async function* whileAllowed<Piece>(pieces: AsyncIterable<Piece>, allowed: () => Promise<boolean>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (!(await allowed())) throw new Error('The reader of a stream may no longer read it')
    yield piece
  }
}
