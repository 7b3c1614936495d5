import { sql } from 'kysely'
import type { App } from '../app.ts'

const every = 2000 // ms
const moved = 90_000 // ms: timed jobs are by the minute
const longestWait = '7 hours' // graphile-worker lets a failed job wait e^10 s at most

type Clocks = { now: () => number; passed: () => number }
const ofThisMachine: Clocks = { now: () => Date.now(), passed: () => performance.now() }

/** Resolves once the clock has gone on by another time than has passed: it was set, or the machine slept. */
export function watchClock({ now, passed }: Clocks = ofThisMachine): { isMoved: Promise<void>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = now() - passed()
  const timer = setInterval(() => {
    if (Math.abs(now() - passed() - before) < moved) return
    clearInterval(timer)
    resolve()
  }, every)
  return { isMoved: promise, stop: () => clearInterval(timer) }
}

/**
 * What was written by a clock that was ahead is dated from now: timed jobs would not be done again before it is caught up with, nor others
 * that failed meanwhile be tried again.
 */
export async function forgetTimesAhead({ db }: Pick<App, 'db'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ahead = sql`now() + interval '10 minutes'`
    await sql`update graphile_worker._private_known_crontabs set last_execution = null where last_execution > ${ahead}`.execute(tx)
    await sql`update graphile_worker._private_jobs set created_at = least(created_at, now()), updated_at = now(),
        run_at = case when attempts > 0 then now() else now() + greatest(run_at - updated_at, interval '0') end,
        locked_at = case when locked_at > now() then now() else locked_at end
      where updated_at > ${ahead} or (attempts > 0 and run_at > now() + ${longestWait}::interval)`.execute(tx)
  })
}
