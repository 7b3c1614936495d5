import type { FastifyRequest } from 'fastify'
import { addConnectionEvents } from '@masthead/contract/assets/feed-operations'
import * as files from '@masthead/contract/backoffice/feed-file-operations'
import * as staff from '@masthead/contract/backoffice/feed-operations'
import { Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import { addFeedRecords } from '@masthead/contract/usage/feed-operations'
import { asLongAs, logged } from '../backoffice/index.ts'
import { limitConcurrency } from '../kernel/http/concurrency.ts'
import { reach, read, streamOf, write, type Route } from '../kernel/http/routes.ts'
import type { App } from '../kernel/app.ts'
import { addFeed, rotateFeedKey, updateFeed } from './change-feed.ts'
import { feedOf } from './feed-key.ts'
import { getFeed, listFeeds } from './feed-queries.ts'
import { listFeedDifferences } from './differences.ts'
import { getFeedFile, listFeedFiles } from './files/file-queries.ts'
import { uploadFeedFile } from './files/upload-file.ts'
import { takeCall } from './take-call.ts'
import { takeEvents } from './take-events.ts'

const staffRoutes: Route[] = [
  reach(staff.listFeeds, async ({ app, actor }) => ({ items: await listFeeds(app.db, actor.at), directory: app.config.cdrDir ?? null })),
  write(staff.addFeed, async ({ db, actor, body }) => {
    const { id, key } = await addFeed(db, actor, body)
    return { feed: await getFeed(db, actor.at, id), key }
  }),
  write(staff.updateFeed, async ({ db, actor, params, body }) => {
    await updateFeed(db, actor, params.feed_id, body)
    return getFeed(db, actor.at, params.feed_id)
  }),
  write(staff.rotateFeedKey, async ({ db, actor, params }) => {
    const key = await rotateFeedKey(db, actor, params.feed_id)
    return { feed: await getFeed(db, actor.at, params.feed_id), key }
  }),
  read(files.listFeedFiles, ({ db, query }) => listFeedFiles(db, query)),
  read(files.getFeedFile, ({ db, params }) => getFeedFile(db, params.feed_file_id)),
  reach(files.uploadFeedFile, ({ app, actor, request, params, query, stillAllowed }) =>
    uploadFeedFile(app, actor, { feed_id: params.feed_id, name: query.name }, asLongAs(stillAllowed, streamOf(request.body)))
  ),
  read(files.listFeedDifferences, ({ db, actor, params, query }) => listFeedDifferences(db, actor.at, params.feed_id, query.days)),
]

/** Feeds are counted one call after the other, and no more of them hold a connection to the database. */
const limited = limitConcurrency({
  concurrency: 1,
  maxQueued: 32,
  refusal: () => new Problem(tooManyRequests, 'Other calls of feeds are being counted. Send this one again', { retryAfter: 2 }),
})

/** Who has no key takes no place among those who wait. Throws feed_key_unknown. */
const inTurnOf = async <T>(app: App, request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
  await feedOf(app.db, request)
  return limited(work)
}

export const feedRoutes: Route[] = [
  ...staffRoutes.map(logged),
  reach(addFeedRecords, ({ app, actor, request, body }) => inTurnOf(app, request, () => takeCall(app, actor, request, body.records))),
  reach(addConnectionEvents, ({ app, actor, request, body }) => inTurnOf(app, request, () => takeEvents(app, actor, request, body.events))),
]
