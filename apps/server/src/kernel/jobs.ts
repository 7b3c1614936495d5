import { parseCronItems, run, runOnce, type Runner, type TaskList } from 'graphile-worker'
import { Logger as WorkerLogger } from 'graphile-worker'
import { sql } from 'kysely'
import type { App, Tx } from './app.ts'

/** Work done after a commit, retried with back-off until it succeeds. `cron` (UTC, graphile-worker's form) repeats it. */
export type Task = { name: string; run: (app: App, payload: never) => Promise<void>; cron?: string }

export const task = <Payload>(name: string, run: (app: App, payload: Payload) => Promise<void>, cron?: string): Task => ({
  name,
  run,
  ...(cron && { cron }),
})

/** Adds a job within a transaction: it exists exactly when the transaction commits. `key` makes a later call replace a waiting one. */
export async function addJob(
  tx: Tx,
  name: string,
  payload: Record<string, unknown>,
  { key, runAt, maxAttempts = 25 }: { key?: string; runAt?: Date; maxAttempts?: number } = {}
) {
  await sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, run_at => ${runAt ?? null}::timestamptz,
    max_attempts => ${maxAttempts}::int, job_key => ${key ?? null}::text)`.execute(tx)
}

function taskListOf(app: App, tasks: readonly Task[]): TaskList {
  return Object.fromEntries(
    tasks.map(({ name, run }) => [
      name,
      async (payload: unknown) => {
        try {
          await run(app, payload as never)
          app.metrics.jobs.inc({ task: name, outcome: 'done' })
        } catch (error) {
          app.metrics.jobs.inc({ task: name, outcome: 'failed' })
          app.log.warn({ err: error, task: name, payload }, 'a job failed and will be tried again')
          throw error
        }
      },
    ])
  )
}

const quiet = new WorkerLogger(() => () => {})

/** Runs jobs until stopped. */
export const startJobs = (app: App, tasks: readonly Task[]): Promise<Runner> =>
  run({
    pgPool: app.pool,
    taskList: taskListOf(app, tasks),
    parsedCronItems: parseCronItems(
      tasks.filter((each) => each.cron).map((each) => ({ task: each.name, match: each.cron!, options: { backfillPeriod: 0 } }))
    ),
    concurrency: 4,
    pollInterval: 2000,
    noHandleSignals: true,
    logger: quiet,
  })

/** Runs every waiting job, and the jobs those make (tests). */
export const runWaitingJobs = (app: App, tasks: readonly Task[]): Promise<void> =>
  runOnce({ pgPool: app.pool, taskList: taskListOf(app, tasks), logger: quiet, noHandleSignals: true })
