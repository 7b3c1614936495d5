import { sql } from 'kysely'
import type { App } from '../app.ts'

/** Of an error's message, so much. */
const longest = 200

/** Notes that a try of a timed job failed. An error of the database, which may be why, is left to the log. */
export async function noteFailure({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>, task: string, error: unknown): Promise<void> {
  const at = clock.now()
  const words = (error instanceof Error ? error.message : String(error)).slice(0, longest)
  const noted = sql`insert into job_failure as f (task, failures, since, last_at, words) values (${task}, 1, ${at}, ${at}, ${words})
    on conflict (task) do update set failures = f.failures + 1, last_at = excluded.last_at, words = excluded.words`
  await db
    .transaction()
    .execute((tx) => noted.execute(tx))
    .catch((failed: unknown) => log.warn({ err: failed, task }, 'that a job failed could not be noted'))
}

/** It works (again). */
export async function noteSuccess({ db, log }: Pick<App, 'db' | 'log'>, task: string): Promise<void> {
  try {
    const failure = await db.selectFrom('job_failure').select('task').where('task', '=', task).executeTakeFirst()
    if (failure) await db.transaction().execute((tx) => tx.deleteFrom('job_failure').where('task', '=', task).execute())
  } catch (failed) {
    log.warn({ err: failed, task }, 'that a job works again could not be noted')
  }
}
