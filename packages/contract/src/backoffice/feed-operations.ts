import * as z from 'zod/mini'
import { Name, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { notFound } from '../kernel/problem.ts'
import { feedFolderTaken } from './problems.ts'

export const FeedState = z.enum(['hearing', 'silent', 'never', 'disabled'])

/** A source of usage and connection events beside RADIUS. */
export const Feed = z.object({
  id: z.string(),
  name: z.string(),
  state: FeedState,
  /** The beginning of its key, to know it by. */
  key_prefix: z.string(),
  /** The folder below MASTHEAD_CDR_DIR whose CSV files are its own. */
  folder: z.nullable(z.string()),
  /** What of it could not be read when it was last looked at, as "north cannot be read: it is not there"; null: nothing. */
  folder_failure: z.nullable(z.object({ words: z.string(), since: Time })),
  silent_after_minutes: z.nullable(z.int()),
  heard_at: z.nullable(Time),
  created_at: Time,
})
export type Feed = z.output<typeof Feed>

const folderWords = 'A folder is 1 to 60 lower-case letters, digits and dashes'
const settings = {
  folder: z.nullable(z.string({ error: folderWords }).check(z.regex(/^[a-z0-9][a-z0-9-]{0,59}$/, folderWords))),
  silent_after_minutes: z.nullable(z.int().check(z.minimum(5, 'At least 5 minutes'), z.maximum(44_640, 'At most 31 days'))),
}
const Shown = z.object({
  feed: Feed,
  /** Shown this once. */
  key: z.string(),
})

/** All of them: there are some dozens at most. */
export const listFeeds = operation({
  name: 'backoffice.listFeeds',
  method: 'GET',
  path: '/backoffice/feeds',
  summary: 'The sources of usage beside RADIUS: programs that send records, and folders of CDR files',
  access: 'manage_networks',
  reply: z.object({
    items: z.array(Feed),
    /** Where folders are watched; null: MASTHEAD_CDR_DIR is not set. */
    directory: z.nullable(z.string()),
  }),
})

export const addFeed = operation({
  name: 'backoffice.addFeed',
  method: 'POST',
  path: '/backoffice/feeds',
  summary: 'Let a program or a folder report usage, by a key of its own',
  access: 'manage_networks',
  body: z.object({
    name: Name,
    folder: z._default(settings.folder, null),
    silent_after_minutes: z._default(settings.silent_after_minutes, null),
  }),
  reply: Shown,
  problems: [feedFolderTaken],
  encryptsReply: true,
})

export const updateFeed = operation({
  name: 'backoffice.updateFeed',
  method: 'PATCH',
  path: '/backoffice/feeds/{feed_id}',
  summary: 'Change a feed, or switch it on and off',
  access: 'manage_networks',
  body: z.object({
    name: z.optional(Name),
    folder: z.optional(settings.folder),
    silent_after_minutes: z.optional(settings.silent_after_minutes),
    disabled: z.optional(z.boolean()),
  }),
  reply: Feed,
  problems: [notFound, feedFolderTaken],
})

export const rotateFeedKey = operation({
  name: 'backoffice.rotateFeedKey',
  method: 'POST',
  path: '/backoffice/feeds/{feed_id}/key',
  summary: 'Give a feed a new key; the one before is refused from now on',
  access: 'manage_networks',
  reply: Shown,
  problems: [notFound],
  encryptsReply: true,
})
