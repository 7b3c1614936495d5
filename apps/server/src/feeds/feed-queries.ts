import type { Feed } from '@masthead/contract/backoffice/feed-operations'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { Db } from '../kernel/app.ts'

const columns = ['id', 'name', 'key_prefix', 'folder', 'silent_after_minutes', 'created_at', 'disabled_at', 'heard_at'] as const
const inFull = (db: Db) => db.selectFrom('feed').select([...columns, 'folder_failure', 'folder_failed_at'])
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

/** Every feed, without keys. */
export async function listFeeds(db: Db, at: Date): Promise<Feed[]> {
  const rows = await inFull(db).orderBy('name').orderBy('id').execute()
  return rows.map((row) => asFeed(row, at))
}

/** Throws not_found. */
export async function getFeed(db: Db, at: Date, id: string): Promise<Feed> {
  const row = await inFull(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return asFeed(row, at)
}

function asFeed({ disabled_at, heard_at, created_at, folder_failure: words, folder_failed_at: since, ...row }: Row, at: Date): Feed {
  return {
    ...row,
    folder_failure: words && since && !disabled_at ? { words, since: since.toISOString() } : null,
    state: disabled_at ? 'disabled' : !heard_at ? 'never' : isSilent({ ...row, heard_at }, at) ? 'silent' : 'hearing',
    heard_at: heard_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  }
}

const isSilent = ({ silent_after_minutes, heard_at }: Pick<Row, 'silent_after_minutes'> & { heard_at: Date }, at: Date) =>
  silent_after_minutes !== null && at.getTime() - heard_at.getTime() > silent_after_minutes * 60_000
