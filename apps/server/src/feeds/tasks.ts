import type { App } from '../kernel/app.ts'
import { type Task, task } from '../kernel/jobs/jobs.ts'
import { giveUpFile, readFile } from './files/read-file.ts'
import { watchFolders } from './files/watch-folders.ts'
import { forgetRecords } from './known-records.ts'
import { watchFeeds } from './silent-feeds.ts'

/** An upload that broke off so long ago is not coming back. */
const arrivingFor = 86_400_000 // ms

async function clearAway({ db, clock, config }: App): Promise<void> {
  const now = clock.now()
  await db.transaction().execute((tx) =>
    tx
      .deleteFrom('feed_file')
      .where('state', '=', 'arriving')
      .where('added_at', '<', new Date(now.getTime() - arrivingFor))
      .execute()
  )
  await forgetRecords(db, now, config.dataSessionRetentionDays)
}

export const feedTasks: readonly Task[] = [
  { ...task('feeds.read_file', readFile), gaveUp: giveUpFile },
  task('feeds.watch_folders', watchFolders, '* * * * *'),
  task('feeds.watch_silence', watchFeeds, '* * * * *'),
  task('feeds.clear_away', clearAway, '20 4 * * *'),
]
