import { sql } from 'kysely'
import { formatDuration } from '@masthead/contract/kernel/time'
import type { App } from '../../kernel/app.ts'
import { raiseAlert, resolveAlert } from '../raise-alert.ts'

/** A job of the clock that failed so often in a row, and for so long (ms), does so for a reason that stays. */
const failsFrom = { tries: 3, time: 10 * 60_000 }
/** Jobs that are due wait for so long (ms) when they are not done as fast as they come. */
const behindFrom = 10 * 60_000

type Failing = { cause: string; raised_by: string; title: string; words: string }

/** Notifies staff of jobs of the clock that keep failing, and of a queue that is behind, and ends that when they are done again. */
export async function watchJobs({ db, clock }: App): Promise<void> {
  const at = clock.now()
  const failing = [...(await listFailing(db, at)), ...(await findBehind(db, at))]
  const { rows: staff } = await sql<{
    account_id: string
  }>`select account_id from person where permissions @> '{backoffice}' order by 1`.execute(db)
  for (const { raised_by, ...cause } of failing)
    for (const { account_id } of staff)
      await db
        .transaction()
        .execute((tx) =>
          raiseAlert(
            tx,
            { account_id, raised_by, at },
            { ...cause, severity: 'critical', source: 'policy', lasting: true, audience: 'owner', link: '/masa' }
          )
        )
  const over = await db
    .selectFrom('alert')
    .select(['account_id', 'cause'])
    .where('resolved_at', 'is', null)
    .where('cause', 'like', 'jobs:%')
    .where('cause', 'not in', [...failing.map(({ cause }) => cause), ''])
    .execute()
  for (const { account_id, cause } of over)
    await db.transaction().execute((tx) => resolveAlert(tx, account_id, cause, at, 'It is done again'))
}

async function listFailing(db: App['db'], at: Date): Promise<Failing[]> {
  const rows = await db
    .selectFrom('job_failure')
    .selectAll()
    .where('failures', '>=', failsFrom.tries)
    .where('since', '<=', new Date(at.getTime() - failsFrom.time))
    .orderBy('task')
    .execute()
  return rows.map(({ task, failures, since, words }) => ({
    cause: `jobs:${task}`,
    raised_by: `${task} ${since.toISOString()}`,
    title: `The background job ${task} keeps failing`,
    words: `It failed ${failures} times in a row, for ${formatDuration((at.getTime() - since.getTime()) / 1000)}: ${words}. It is tried again and again; the log has more.`,
  }))
}

/** By the clock of the database, which the queue goes by. */
async function findBehind(db: App['db'], at: Date): Promise<Failing[]> {
  const { rows } = await sql<{
    seconds: number
    waiting: number
  }>`select extract(epoch from now() - min(run_at))::float8 as seconds, count(*)::int as waiting
    from graphile_worker._private_jobs where locked_at is null and attempts < max_attempts and run_at <= now()`.execute(db)
  const { seconds, waiting } = rows[0]!
  if (seconds === null || seconds * 1000 < behindFrom) return []
  return [
    {
      cause: 'jobs:behind',
      // Once for each time that they fell behind, however often it is checked.
      raised_by: `jobs ${new Date(Math.floor((at.getTime() - seconds * 1000) / 60_000) * 60_000).toISOString()}`,
      title: 'Background jobs are behind',
      words: `${waiting} ${waiting === 1 ? 'waits' : 'wait'}, the oldest for ${formatDuration(seconds)}. What is done in the background comes late: notifications, webhooks, reports, invoices.`,
    },
  ]
}
