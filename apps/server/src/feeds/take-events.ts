import { sql } from 'kysely'
import { addConnectionEvents } from '@masthead/contract/assets/feed-operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { FeedEvent } from '@masthead/contract/usage/feed-record'
import type { FastifyRequest } from 'fastify'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'
import { ensureDaysOfEvents, keepConnectionEvents, type ConnectionEvent } from '../metering/index.ts'
import { actorOf, feedOf, type KnownFeed } from './feed-key.ts'
import { findSims, type KnownSim } from './find-sims.ts'
import { noteRecords, withoutKnown } from './known-records.ts'
import { asErrors, readRows } from './take-call.ts'
import type { Placed, WrongRow } from './take-records.ts'

const mostAhead = 5 * 60_000 // ms: as for gateways

/** Takes the connection events of one call. Throws feed_key_unknown. */
export async function takeEvents(
  app: App,
  actor: Actor,
  request: FastifyRequest,
  rows: readonly Readonly<Record<string, unknown>>[]
): Promise<Reply<typeof addConnectionEvents>> {
  const feed = await feedOf(app.db, request)
  const { good, wrong } = readRows(FeedEvent, rows)
  const oldest = actor.at.getTime() - app.config.recordRetentionDays * 86_400_000
  const { fitting = [], odd = [] } = Object.groupBy(good, ({ row }) =>
    row.at > actor.at.getTime() + mostAhead || row.at < oldest ? 'odd' : 'fitting'
  )
  const untimely = odd.map(({ place, row }) => ({
    place,
    words: row.at < oldest ? 'It is older than what is kept' : 'It is in the future',
  }))
  if (fitting.length > 0)
    await ensureDaysOfEvents(
      app.db,
      fitting.map(({ row }) => row.at)
    )
  return app.db.transaction().execute((tx) =>
    once(tx, actorOf(feed, actor), request, addConnectionEvents, async () => {
      const { kept, duplicates, errors } = await keep(tx, feed, fitting, actor.at)
      return { kept, duplicates, errors: asErrors([...wrong, ...untimely, ...errors]) }
    })
  )
}

/** Each once, by its id. One of a SIM that nobody has is not kept, and may be sent again once somebody does. */
async function keep(tx: Tx, feed: KnownFeed, rows: readonly Placed<FeedEvent>[], at: Date) {
  await sql`select pg_advisory_xact_lock(hashtext('masthead.feeds'))`.execute(tx)
  const { fresh, duplicates } = await withoutKnown(tx, feed.id, 'event', rows)
  const simOf = await findSims(
    tx,
    fresh.map(({ row }) => row)
  )
  const errors: WrongRow[] = []
  const found = fresh.flatMap(({ place, row }) => {
    const sim = simOf(row)
    if (!sim) errors.push({ place, words: 'No SIM has this number' })
    return sim ? [{ row, sim }] : []
  })
  await keepConnectionEvents(
    tx,
    found.map(({ row, sim }) => eventOf(feed, row, sim))
  )
  await noteRecords(
    tx,
    feed.id,
    'event',
    found.map(({ row }) => ({ id: row.id, outcome: 'kept' as const })),
    at
  )
  return { kept: found.length, duplicates, errors }
}

function eventOf(feed: KnownFeed, event: FeedEvent, sim: KnownSim): ConnectionEvent {
  const { kind, at, imei, imei_before } = event
  const changed = kind === 'imei_changed'
  const words = event.reason ?? (kind === 'rejected' ? 'No reason reported' : null)
  const [mccmnc, rat] = [event.mccmnc ?? null, event.rat ?? null]
  return {
    account_id: sim.account_id,
    sim_id: sim.id,
    asset_id: sim.asset_id,
    kind,
    key: [feed.id, mccmnc, rat, ...(changed ? [imei_before, imei] : [words])].map((part) => part ?? '').join(' '),
    at,
    words,
    mccmnc,
    rat,
    gateway: feed.name,
    before: changed ? (imei_before ?? null) : null,
    after: changed ? imei! : null,
  }
}
