import { EventEmitter } from 'node:events'
import { parseCronItems, run, runOnce, type JobHelpers, type TaskList, type WorkerEvents } from 'graphile-worker'
import { Logger as WorkerLogger } from 'graphile-worker'
import { sql } from 'kysely'
import type { App, Tx } from '../app.ts'
import { Restarts } from '../restarts.ts'
import { jobConnections } from './job-connections.ts'
import { noteFailure, noteSuccess } from './job-failures.ts'
import { holdJobs, keyed } from './job-runners.ts'
import { watchPolls } from './last-poll.ts'
import { forgetTimesAhead, watchClock } from './moved-clock.ts'

/**
 * Work done after a commit, retried with back-off until it succeeds. `cron` (UTC, graphile-worker's form) repeats it. `gaveUp` follows when
 * the last of its tries failed.
 */
export type Task = {
  name: string
  run: (app: App, payload: never) => Promise<void>
  cron?: string
  gaveUp?: (app: App, payload: never) => Promise<void>
}

export const task = <Payload>(name: string, run: (app: App, payload: Payload) => Promise<void>, cron?: string): Task => ({
  name,
  run,
  ...(cron && { cron }),
})

/** Adds a job within a transaction: it exists exactly when the transaction commits. `key` makes a later call replace a waiting one. Of a `queue` one runs at a time. */
export async function addJob(
  tx: Tx,
  name: string,
  payload: Record<string, unknown>,
  { key, queue, runAt, maxAttempts = 25 }: { key?: string; queue?: string; runAt?: Date; maxAttempts?: number } = {}
) {
  await sql`select graphile_worker.add_job(${name}, payload => ${JSON.stringify(payload)}::json, run_at => ${runAt ?? null}::timestamptz,
    max_attempts => ${maxAttempts}::int, job_key => ${key ?? null}::text, flags => ${key === undefined ? sql`null` : keyed}::text[], queue_name => ${queue ?? null}::text)`.execute(
    tx
  )
}

/** What of a payload may be logged: what it names, and nothing that is said of anybody, as an e-mail address. */
export const idsIn = (payload: unknown) => Object.fromEntries(Object.entries(payload ?? {}).filter(([name]) => /(^|_)ids?$/.test(name)))

/**
 * Whether a job of the same key was added while this one ran. The queue has then taken its key and the tries that were left: kept as failed, it would
 * seem to be given up, although the other one does what it was to do.
 */
async function wasReplaced({ db, log }: App, { id, key }: Pick<JobHelpers['job'], 'id' | 'key'>): Promise<boolean> {
  if (key === null) return false
  try {
    return (await sql`select from graphile_worker._private_jobs where id = ${id} and key is null`.execute(db)).rows.length > 0
  } catch (failed) {
    log.warn({ err: failed, job: String(id) }, 'whether a job was replaced could not be read')
    return false
  }
}

function taskListOf(app: App, tasks: readonly Task[]): TaskList {
  return Object.fromEntries(
    tasks.map(({ name, run, cron, gaveUp }) => [
      name,
      async (payload: unknown, { job }: JobHelpers) => {
        try {
          await run(app, payload as never)
          app.metrics.jobs.inc({ task: name, outcome: 'done' })
          if (cron) await noteSuccess(app, name)
        } catch (error) {
          app.metrics.jobs.inc({ task: name, outcome: 'failed' })
          if (cron) await noteFailure(app, name, error)
          const last = job.attempts >= job.max_attempts
          const what = { err: error, task: name, job: String(job.id), ...idsIn(payload) }
          if (await wasReplaced(app, job))
            return app.log.warn(what, 'a job failed and is tried again by the one that replaced it meanwhile')
          app.log.warn(what, last ? 'a job failed the last of its tries and was given up' : 'a job failed and will be tried again')
          if (last) await gaveUp?.(app, payload as never)
          throw error
        }
      },
    ])
  )
}

const usualConcurrency = 4

/** What the clock repeats never runs beside itself: one runs and one waits, however long either takes. */
export const onePerTask = ({ name }: Pick<Task, 'name'>) => ({ backfillPeriod: 0, queueName: name, jobKey: `cron:${name}` })
const quiet = new WorkerLogger(() => () => {})

/** Why a runner ended: what it makes by the clock would come for every minute of a jump, and not at all after one back. */
const clockWasSet = Symbol('the clock was set')

type Running = { concurrency: number; now?: (() => number) | undefined }

/** Runs jobs until it ends by itself, which `ended` says. */
async function startRunner(app: App, tasks: readonly Task[], { concurrency, now }: Running) {
  await forgetTimesAhead(app).catch((error: unknown) => app.log.warn({ err: error }, 'times of a clock that was ahead could not be mended'))
  const events = new EventEmitter() as WorkerEvents
  const whyIdle = watchPolls(events, concurrency, now)
  let id = ''
  events.on('pool:create', ({ workerPool }) => (id = workerPool.id))
  const connections = jobConnections(app.pool, app.log)
  const runner = await run({
    pgPool: connections.pool,
    events,
    taskList: taskListOf(app, tasks),
    parsedCronItems: parseCronItems(
      tasks.filter((each) => each.cron).map((each) => ({ task: each.name, match: each.cron!, options: onePerTask(each) }))
    ),
    concurrency,
    pollInterval: 2000,
    noHandleSignals: true,
    logger: quiet,
  })
  const held = holdJobs(app, id)
  const watch = watchClock()
  const ended = Promise.race([
    watch.isMoved.then(() => clockWasSet),
    runner.promise.then(
      () => undefined,
      (error: unknown) => error
    ),
  ])
  const stop = async () => {
    watch.stop()
    connections.stop()
    await runner.stop().catch(() => {}) // it ended before
    await ended
    await held.stop()
  }
  return { ended, stop, whyIdle }
}

export type Jobs = {
  isUp: () => boolean
  /** How often in a row it ended by itself, once that is too often; else 0. */
  tooOften: () => number
  /** Null while jobs are looked for, else why nothing is done, in words. */
  whyIdle: () => string | null
  stop: () => Promise<void>
}

/**
 * Runs jobs of these tasks until stopped, `concurrency` at a time. What runs them is started again when it ends by itself. Rejects when it cannot be
 * started the first time.
 */
export async function startJobs(
  app: App,
  tasks: readonly Task[],
  { start = startRunner, concurrency = usualConcurrency, now }: { start?: typeof startRunner } & Partial<Running> = {}
): Promise<Jobs> {
  const restarts = new Restarts()
  let stopped = false
  let runner: Awaited<ReturnType<typeof startRunner>> | undefined = await start(app, tasks, { concurrency, now })
  restarts.started()
  const stopping = Promise.withResolvers<void>()
  const pause = (ms: number) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    return Promise.race([promise, stopping.promise]).finally(() => clearTimeout(timer))
  }
  /** Undefined once stopped. */
  const startAgain = async (first: number) => {
    for (let wait = first; ; wait = restarts.ended()) {
      await pause(wait)
      if (stopped) return undefined
      try {
        const started = await start(app, tasks, { concurrency, now })
        restarts.started()
        app.log.info('the jobs go on')
        if (!stopped) return started
        await started.stop()
      } catch (error) {
        app.log.error({ err: error }, 'the jobs could not be started and are tried again')
      }
    }
  }
  const keep = async () => {
    while (runner) {
      const error = await runner.ended
      if (stopped) return
      if (error === clockWasSet) app.log.warn('the clock was set, and the jobs go on by its time')
      else app.log.error({ err: error }, 'the jobs ended unexpectedly and are started again')
      await runner.stop()
      runner = undefined
      runner = await startAgain(error === clockWasSet ? 0 : restarts.ended())
    }
  }
  const kept = keep()
  return {
    isUp: () => runner !== undefined,
    tooOften: () => restarts.tooOften(),
    whyIdle: () => runner?.whyIdle() ?? null,
    stop: async () => {
      stopped = true
      stopping.resolve()
      await runner?.stop()
      await kept
    },
  }
}

/** Runs every waiting job, and the jobs those make (tests). */
export const runWaitingJobs = (app: App, tasks: readonly Task[]): Promise<void> =>
  runOnce({ pgPool: app.pool, taskList: taskListOf(app, tasks), logger: quiet, noHandleSignals: true })
