import { Readable } from 'node:stream'
import { Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import type { Actor, App } from '../app.ts'
import { perApp } from '../per-app.ts'

/** Streams open at once, of a person or key, in this process. */
const mostStreams = 10
const openOf = perApp(() => new Map<string, number>())

/**
 * Counts a stream of whoever asks for as long as it is open; it is open from this call on, until what it is made into is closed: also where its reader has left
 * before the first piece. Throws too_many_requests.
 */
export function countStream({ db }: App, { person_id, key }: Actor): (pieces: AsyncIterable<string>) => Readable {
  const open = openOf(db)
  const who = key?.id ?? person_id
  const before = open.get(who) ?? 0
  if (before >= mostStreams) throw new Problem(tooManyRequests, `At most ${mostStreams} streams are open at once`, { retryAfter: 10 })
  open.set(who, before + 1)
  const done = () => {
    const now = open.get(who)! - 1
    if (now === 0) open.delete(who)
    else open.set(who, now)
  }
  return (pieces) => Readable.from(pieces).once('close', done)
}
