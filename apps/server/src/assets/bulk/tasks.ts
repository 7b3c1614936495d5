import { task, type Task } from '../../kernel/jobs/jobs.ts'
import { changePart, type Part } from './change-part.ts'

/** So long what a change did to each asset can be looked up. */
const keptFor = 30 * 86_400_000

export const bulkTasks: Task[] = [
  task('change_assets', ({ db, clock }, part: Part) => db.transaction().execute((tx) => changePart(tx, clock.now(), part))),
  task(
    'forget_bulk_changes',
    async ({ db, clock }) => {
      const before = new Date(clock.now().getTime() - keptFor)
      await db.transaction().execute((tx) => tx.deleteFrom('bulk_change').where('started_at', '<', before).execute())
    },
    '50 3 * * *'
  ),
]
