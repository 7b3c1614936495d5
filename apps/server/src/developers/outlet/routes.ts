import { setTimeout as pause } from 'node:timers/promises'
import { getStream } from '@masthead/contract/developers/stream-operations'
import { heartbeatEvery } from '@masthead/contract/kernel/live'
import { readerOf } from '../../activities/index.ts'
import { actorMay, type Actor, type App } from '../../kernel/app.ts'
import type { Route } from '../../kernel/http/routes.ts'
import { countStream } from '../../kernel/live/open-streams.ts'
import { eventStream, whileAllowed } from '../../kernel/live/streams.ts'
import { hearingScope } from '../webhooks/index.ts'
import { readActivities, readGap, readUsage } from './read-stream.ts'
import { needReached, placeNow, placeText, readPlace, type StreamPlace } from './stream-place.ts'

const lookEvery = 1000 // ms

/** What happens from a place on, for some seconds; then the client comes again. */
async function* follow({ db }: App, actor: Actor, from: StreamPlace, seconds: number): AsyncGenerator<string> {
  // A client that has received nothing yet has a place to come back to, too.
  yield `retry: 2000\nid: ${placeText(from)}\n:\n\n`
  const until = performance.now() + seconds * 1000
  let place = from
  // Of who is behind alone records may be dropped before they are read.
  let [isBehind, said]: [boolean, string | null] = [true, null]
  for (let saidAt = performance.now(); ;) {
    const usage = await readUsage(db, actor, place)
    const gap = isBehind ? await readGap(db, place) : null
    if (gap && gap !== said) yield gap
    said = gap ?? said
    if (usage.text) yield usage.text
    place = usage.next
    isBehind = usage.isBehind
    if (actorMay(actor, hearingScope)) {
      const activities = await readActivities(db, readerOf(actor), place)
      if (activities.text) yield activities.text
      place = activities.next
      isBehind ||= activities.isBehind
      if (activities.text) saidAt = performance.now()
    }
    if (usage.text) saidAt = performance.now()
    const isOver = !isBehind && performance.now() >= until
    // What was passed without a word need not be read again; and of a client that has left nothing is noticed but by a word.
    if (isBehind || isOver || performance.now() - saidAt >= heartbeatEvery) {
      yield `id: ${placeText(place)}\n:\n\n`
      saidAt = performance.now()
    }
    if (isOver) return
    if (!isBehind) await pause(lookEvery)
  }
}

export const outletRoutes: Route[] = [
  {
    op: getStream,
    answer: async ({ app, request, reply, stillAllowed }, call: { actor: Actor; query: { after?: string; wait: number } }) => {
      const { actor, query } = call
      const given = query.after ?? request.headers['last-event-id']
      const place = typeof given === 'string' ? readPlace(given) : await placeNow(app.db, actor.account_id)
      await needReached(app.db, actor.account_id, place)
      const counted = countStream(app, actor)
      void reply.headers(eventStream)
      return counted(whileAllowed(follow(app, actor, place, query.wait), stillAllowed))
    },
  },
]
