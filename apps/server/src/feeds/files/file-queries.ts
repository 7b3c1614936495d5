import type { FeedFile, getFeedFile as getOp, listFeedFiles as listOp } from '@masthead/contract/backoffice/feed-file-operations'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import type { Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'

export const mostErrors = 1000

const columns = [
  'feed_file.id',
  'feed_file.feed_id',
  'feed.name as feed',
  'feed_file.name',
  'source',
  'size_bytes',
  'state',
  'lines_done',
  'counted',
  'compared',
  'duplicates',
  'quarantined',
  'wrong',
  'failure',
  'added_at',
  'added_by',
  'finished_at',
] as const

const files = (db: Db) => db.selectFrom('feed_file').innerJoin('feed', 'feed.id', 'feed_file.feed_id')

type Row = Omit<FeedFile, 'added_at' | 'finished_at'> & { added_at: Date; finished_at: Date | null }
const asFile = ({ added_at, finished_at, ...row }: Row): FeedFile => ({
  ...row,
  added_at: added_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
})

export function listFeedFiles(db: Db, query: Parsed<typeof listOp>['query']): Promise<Reply<typeof listOp>> {
  let all = files(db)
  if (query.feed) all = all.where('feed_file.feed_id', '=', query.feed)
  if (query.state) all = all.where('state', '=', query.state)
  return pageByKey(db, query, {
    name: 'feed-files',
    all,
    keys: [
      { of: sql.ref('feed_file.added_at'), is: 'time' },
      { of: sql.ref('feed_file.id'), is: 'text' },
    ],
    order: 'desc',
    rows: (page) => page.select(columns),
    items: (rows: Row[]) => rows.map(asFile),
  })
}

/** Throws not_found. */
export async function getFileRow(db: Db, id: string): Promise<FeedFile> {
  const row = await files(db).select(columns).where('feed_file.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asFile(row)
}

/** With its wrong lines. Throws not_found. */
export async function getFeedFile(db: Db, id: string): Promise<Reply<typeof getOp>> {
  const file = await getFileRow(db, id)
  const errors = await db
    .selectFrom('feed_file_error')
    .select(['line', 'words'])
    .where('file_id', '=', id)
    .orderBy('line')
    .limit(mostErrors)
    .execute()
  return { file, errors }
}
