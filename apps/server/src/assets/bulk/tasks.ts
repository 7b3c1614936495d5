import { sql } from 'kysely'
import type { App } from '../../kernel/app.ts'
import { forgetRows } from '../../kernel/jobs/forget-rows.ts'
import { task, type Task } from '../../kernel/jobs/jobs.ts'
import { changePart, giveUpPart, type Part } from './change-part.ts'

/** So long what a change did to each asset can be looked up. */
const keptFor = 30 * 86_400_000

export const bulkTasks: Task[] = [
  {
    ...task('change_assets', ({ db, clock }, part: Part) => db.transaction().execute((tx) => changePart(tx, clock.now(), part))),
    gaveUp: ({ db, clock }: App, part: Part) => db.transaction().execute((tx) => giveUpPart(tx, clock.now(), part)),
  },
  task(
    'forget_bulk_changes',
    // Each takes its parts with it.
    (app) => forgetRows(app, 'bulk_change', sql`started_at < ${new Date(app.clock.now().getTime() - keptFor)}`, 100),
    '50 3 * * *'
  ),
]
