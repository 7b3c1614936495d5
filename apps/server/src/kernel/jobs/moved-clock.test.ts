import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { addJob, runWaitingJobs, task } from './jobs.ts'
import { forgetTimesAhead, watchClock } from './moved-clock.ts'

test.each([40 * 86_400_000, -40 * 86_400_000, 120_000])(
  'a clock that is set by %i ms is noticed, and one that goes on is not',
  async (by) => {
    vi.useFakeTimers()
    try {
      let [now, passed] = [1_000_000, 5000]
      const watch = watchClock({ now: () => now, passed: () => passed })
      const noticed = vi.fn()
      void watch.isMoved.then(noticed)
      const wait = async (ms: number) => {
        now += ms
        passed += ms
        await vi.advanceTimersByTimeAsync(2000)
      }
      await wait(2000)
      await wait(3_600_000) // a process that stood still is not the clock
      now += 1500 // as it is kept right
      await wait(2000)
      expect(noticed).not.toHaveBeenCalled()
      now += by
      await wait(2000)
      expect(noticed).toHaveBeenCalledTimes(1)
      watch.stop()
    } finally {
      vi.useRealTimers()
    }
  }
)

test('after a clock that was ahead timed jobs are done again, and what failed meanwhile is tried', async () => {
  await using house = await openHouse()
  const done = vi.fn(async () => {})
  const write = (text: string) => sql.raw(text).execute(house.db)
  await house.db.transaction().execute(async (tx) => {
    await addJob(tx, 'failed', { id: 'ahead' })
    await addJob(tx, 'failed', { id: 'failed ahead' })
    await addJob(tx, 'failed', { id: 'next month' }, { runAt: new Date(Date.now() + 30 * 86_400_000) })
  })
  await write(`update graphile_worker._private_jobs set created_at = now() + interval '40 days', updated_at = now() + interval '40 days',
    run_at = now() + interval '40 days' where payload->>'id' = 'ahead'`)
  await write(
    `update graphile_worker._private_jobs set attempts = 3, run_at = now() + interval '40 days' where payload->>'id' = 'failed ahead'`
  )
  await write(`insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('ahead', now(), now() + interval '40 days'), ('right', now(), date_trunc('minute', now()))`)
  await forgetTimesAhead(house)
  await runWaitingJobs(house.app, [task('failed', done)])
  expect(done.mock.calls.map(([, payload]: unknown[]) => payload)).toEqual([{ id: 'ahead' }, { id: 'failed ahead' }])
  const { rows } = await sql<{ identifier: string; known: boolean }>`select identifier, last_execution is not null as known
    from graphile_worker._private_known_crontabs order by 1`.execute(house.db)
  expect(rows).toEqual([
    { identifier: 'ahead', known: false },
    { identifier: 'right', known: true },
  ])
})
