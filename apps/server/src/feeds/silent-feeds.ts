import { sql } from 'kysely'
import { formatDuration } from '@masthead/contract/kernel/time'
import type { App, Db } from '../kernel/app.ts'
import { raiseAlert, resolveAlert } from '../notifications/index.ts'

/** A folder that comes back so soon is nothing for anybody. */
const unreadFor = 5 * 60_000 // ms

type Concern = { id: string; cause: string; since: Date; title: string; words: string }

/**
 * Alerts whoever manages networks to feeds that have said nothing for longer than they may, or whose folder cannot be read, and ends that when it is over. Nobody is
 * blocked for it: usage that is not reported yet is not known to be any.
 */
export async function watchFeeds({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const concerns = [...(await silentFeeds(db, at)), ...(await unreadFolders(db, at))]
  const { rows: accounts } = await sql<{
    account_id: string
  }>`select distinct account_id from person where permissions @> '{backoffice,manage_networks}' order by 1`.execute(db)
  for (const { id, cause, since, title, words } of concerns)
    for (const { account_id } of accounts)
      await db
        .transaction()
        .execute((tx) =>
          raiseAlert(
            tx,
            { account_id, raised_by: `${id} ${since.toISOString()}`, at },
            { cause, severity: 'warn', source: 'network', title, words, lasting: true, audience: 'owner', link: '/masa/feeds' }
          )
        )
  const over = await db
    .selectFrom('alert')
    .select(['account_id', 'cause'])
    .where('resolved_at', 'is', null)
    .where(({ or, eb }) => or([eb('cause', 'like', 'feed:%'), eb('cause', 'like', 'feed\\_folder:%')]))
    .where('cause', 'not in', [...concerns.map(({ cause }) => cause), ''])
    .execute()
  for (const { account_id, cause } of over)
    await db.transaction().execute((tx) => resolveAlert(tx, account_id, cause, at, overWords(cause)))
}

const overWords = (cause: string) =>
  cause.startsWith('feed:') ? 'The feed reports again, or is switched off' : 'The folder can be read again, or is watched no longer'

async function silentFeeds(db: Db, at: Date): Promise<Concern[]> {
  const { rows } = await sql<{ id: string; name: string; heard_at: Date }>`select id, name, heard_at from feed
    where disabled_at is null and heard_at < ${at}::timestamptz - make_interval(mins => silent_after_minutes)`.execute(db)
  return rows.map(({ id, name, heard_at }) => ({
    id,
    cause: `feed:${id}`,
    since: heard_at,
    title: `The feed ${name} is silent`,
    words: `It last reported ${formatDuration((at.getTime() - heard_at.getTime()) / 1000)} ago. Usage that it brings is counted once it reports again.`,
  }))
}

async function unreadFolders(db: Db, at: Date): Promise<Concern[]> {
  const rows = await db
    .selectFrom('feed')
    .select(['id', 'name', 'folder_failure', 'folder_failed_at'])
    .where('disabled_at', 'is', null)
    .where('folder_failed_at', '<=', new Date(at.getTime() - unreadFor))
    .execute()
  return rows.map(({ id, name, folder_failure, folder_failed_at }) => ({
    id,
    cause: `feed_folder:${id}`,
    since: folder_failed_at!,
    title: `Files of the feed ${name} are not read`,
    words: `${folder_failure}. They are counted once they can be read: nothing of them is lost.`,
  }))
}
