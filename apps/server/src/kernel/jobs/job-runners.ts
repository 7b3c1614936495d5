import { sql } from 'kysely'
import type { App } from '../app.ts'
import { repeat } from './repeat.ts'

const beat = 5000 // ms
const silentFor = '20 seconds'
const longSinceBeat = 3 * beat
/** A job that ends each process that tries it is not tried for ever. */
const mostTries = 100

/** The flags of a job that is added with a key: they say that it had one when a later job has taken it. */
export const keyed = sql`array['keyed']`
/** Of a job: a later one has its key. One that has a queue of its own is a timed one, whose flags are not ours to set. */
const wasReplaced = sql`key is null and (job_queue_id is not null or flags ? 'keyed')`

/**
 * Renews the lease of the jobs begun by `id`, and unlocks those of runners that have not renewed theirs: they would
 * stay locked for four hours. Whoever has not reached the database for long does not judge others, which may not have either.
 */
export function holdJobs(app: App, id: string, every = beat): { stop: () => Promise<void> } {
  let last = -Infinity
  const held = repeat(
    app,
    'holding jobs',
    async () => {
      const seen = sql`insert into job_runner (id, seen_at) values (${id}, now()) on conflict (id) do update set seen_at = now()`
      await app.db.transaction().execute((tx) => seen.execute(tx))
      const before = last
      last = performance.now()
      if (last - before < longSinceBeat) await takeBack(app)
      return false
    },
    every
  )
  return {
    stop: async () => {
      await held.stop()
      const gone = sql`delete from job_runner where id = ${id}`
      await app.db
        .transaction()
        .execute((tx) => gone.execute(tx))
        .catch(() => {}) // then it falls silent
    },
  }
}

/** Unlocks the jobs of runners that are silent: they are tried again at once. One that has just begun may have no lease yet. */
export async function takeBack({ db }: Pick<App, 'db'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`delete from job_runner where seen_at < now() - ${silentFor}::interval`.execute(tx)
    const silent = sql`select distinct locked_by from graphile_worker._private_jobs
      where locked_at < now() - ${silentFor}::interval and not exists (select from job_runner where id = locked_by)`
    // A process that ended in the last of a job's tries could not say that the job was given up, so that whoever waits for it would wait for ever: that try is made again.
    await sql`update graphile_worker._private_jobs set max_attempts = attempts + 1
      where attempts >= max_attempts and attempts < ${mostTries} and not coalesce(${wasReplaced}, false) and locked_by in (${silent})`.execute(
      tx
    )
    await sql`select graphile_worker.force_unlock_workers(array(${silent}))`.execute(tx)
    // A job that was added or due again while it ran has left its key, and its tries, to the next one: where it then fails, or ends with its process, the next one is all there is to do.
    await sql`delete from graphile_worker._private_jobs where attempts >= max_attempts and ${wasReplaced} and locked_at is null`.execute(tx)
  })
}
