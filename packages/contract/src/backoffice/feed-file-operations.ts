import * as z from 'zod/mini'
import { Bytes, Name, Time } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { notFound, tooLarge } from '../kernel/problem.ts'
import { feedOff } from './problems.ts'

/** `arriving`: its upload is under way, or broke off. */
export const FeedFileState = z.enum(['arriving', 'waiting', 'reading', 'done', 'failed'])

/** A file of usage records, and what became of its lines so far. */
export const FeedFile = z.object({
  id: z.string(),
  feed_id: z.string(),
  feed: z.string(),
  name: z.string(),
  source: z.enum(['upload', 'folder']),
  size_bytes: Bytes,
  state: FeedFileState,
  lines_done: z.int(),
  counted: z.int(),
  compared: z.int(),
  duplicates: z.int(),
  quarantined: z.int(),
  wrong: z.int(),
  /** Why it could not be read, in words. */
  failure: z.nullable(z.string()),
  added_at: Time,
  /** Who uploaded it. */
  added_by: z.nullable(z.string()),
  finished_at: z.nullable(Time),
})
export type FeedFile = z.output<typeof FeedFile>

export const listFeedFiles = operation({
  name: 'backoffice.listFeedFiles',
  method: 'GET',
  path: '/backoffice/feed-files',
  summary: 'CDR files that were uploaded or found in a folder, the newest first',
  access: 'manage_networks',
  query: z.extend(PageQuery, {
    feed: z.optional(z.string().check(z.maxLength(64))),
    state: z.optional(FeedFileState),
  }),
  reply: page(FeedFile),
})

export const getFeedFile = operation({
  name: 'backoffice.getFeedFile',
  method: 'GET',
  path: '/backoffice/feed-files/{feed_file_id}',
  summary: 'A CDR file, with the first 1,000 lines that were wrong',
  access: 'manage_networks',
  reply: z.object({ file: FeedFile, errors: z.array(z.object({ line: z.int(), words: z.string() })) }),
  problems: [notFound],
})

/** Stored as it comes and read by a job. A file with the same content is known again, whatever its name. */
export const uploadFeedFile = operation({
  name: 'backoffice.uploadFeedFile',
  method: 'POST',
  path: '/backoffice/feeds/{feed_id}/files',
  summary:
    'Upload a CDR file for a feed, with the columns id, imsi, iccid, msisdn, started_at, ended_at, bytes_up, bytes_down, mccmnc, rat, imei, apn',
  access: 'manage_networks',
  query: z.object({ name: Name }),
  takes: 'csv',
  reply: z.object({
    file: FeedFile,
    /** Its content was there before: nothing is read again. */
    duplicate: z.boolean(),
  }),
  problems: [notFound, feedOff, tooLarge],
})

/** What a feed reported of one SIM, and what was counted for it on the same days. */
export const FeedDifference = z.object({
  account: z.string(),
  asset_id: z.nullable(z.string()),
  asset_name: z.nullable(z.string()),
  iccid: z.string(),
  records: z.int(),
  reported_bytes: Bytes,
  counted_bytes: Bytes,
})
export type FeedDifference = z.output<typeof FeedDifference>

export const listFeedDifferences = operation({
  name: 'backoffice.listFeedDifferences',
  method: 'GET',
  path: '/backoffice/feeds/{feed_id}/differences',
  summary: 'What a feed reported of SIMs for which another feed counts, beside what was counted: the 100 largest differences',
  access: 'manage_networks',
  query: z.object({
    /** Whole days in UTC that are over, back from yesterday. */
    days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(31)), 7),
  }),
  reply: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    sims: z.int(),
    reported_bytes: Bytes,
    counted_bytes: Bytes,
    items: z.array(FeedDifference),
  }),
  problems: [notFound],
})
