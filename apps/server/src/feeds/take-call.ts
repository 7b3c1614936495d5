import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Reply } from '@masthead/contract/kernel/operation'
import { FeedRecord, readRow } from '@masthead/contract/usage/feed-record'
import { addFeedRecords } from '@masthead/contract/usage/feed-operations'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { once } from '../kernel/http/idempotency.ts'
import { openCounting } from '../metering/index.ts'
import { callsFollowMinutes } from '../usage/index.ts'
import { actorOf, feedOf, type KnownFeed } from './feed-key.ts'
import { takeRecords, type Placed, type WrongRow } from './take-records.ts'

type Row = Readonly<Record<string, unknown>>

/** The rows of a call that can be read, and what is wrong with the others. */
export function readRows<Schema extends Parameters<typeof readRow>[0]>(schema: Schema, rows: readonly Row[]) {
  const [good, wrong]: [Placed<Extract<ReturnType<typeof readRow<Schema>>, { ok: unknown }>['ok']>[], WrongRow[]] = [[], []]
  for (const [place, row] of rows.entries()) {
    const read = readRow(schema, row)
    if ('ok' in read) good.push({ place, row: read.ok })
    else wrong.push({ place, words: read.wrong })
  }
  return { good, wrong }
}

export const asErrors = (errors: readonly WrongRow[]) =>
  errors.toSorted((a, b) => a.place - b.place).map(({ place, words }) => ({ index: place, words }))

/** What a feed brings at night comes in many calls, one after the other. */
const noteCall = (tx: Tx, { id }: KnownFeed, at: Date) =>
  sql`update feed set called_at = ${at}, calls_since = case when called_at >= ${at}::timestamptz - make_interval(mins => ${callsFollowMinutes}::int)
    then calls_since else ${at} end where id = ${id}`.execute(tx)

/** Takes the records of one call. Throws feed_key_unknown. */
export async function takeCall(
  app: App,
  actor: Actor,
  request: FastifyRequest,
  rows: readonly Row[]
): Promise<Reply<typeof addFeedRecords>> {
  const feed = await feedOf(app.db, request)
  const { good, wrong } = readRows(FeedRecord, rows)
  const counting = openCounting(app)
  try {
    return await app.db.transaction().execute((tx) =>
      once(tx, actorOf(feed, actor), request, addFeedRecords, async () => {
        const { errors, ...taken } = await takeRecords({ app, counting, at: actor.at }, tx, feed, good)
        await noteCall(tx, feed, actor.at)
        return { ...taken, errors: asErrors([...wrong, ...errors]) }
      })
    )
  } finally {
    await counting.stop()
  }
}
