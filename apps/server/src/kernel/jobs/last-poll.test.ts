import { EventEmitter } from 'node:events'
import type { WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { wordsOfPart } from '../../health/health.ts'
import { startJobs, task } from './jobs.ts'
import { watchPolls } from './last-poll.ts'

test('a queue that is not polled while more could run, and jobs that hang, are said in words', () => {
  const events = new EventEmitter() as WorkerEvents
  let seconds = 0
  const why = watchPolls(events, 2, () => seconds * 1000)
  const emit = (name: 'worker:getJob:empty' | 'job:start' | 'job:complete') => events.emit(name, {} as never)
  seconds = 60
  expect(why()).toBeNull()
  seconds = 61
  expect(why()).toBe('The worker has not looked for jobs for 61 s')
  emit('worker:getJob:empty')
  expect(why()).toBeNull()
  // As many as may run at once are long: the queue is not polled, and that is right.
  emit('job:start')
  emit('job:start')
  seconds = 61 + 900
  expect(why()).toBeNull()
  seconds++
  expect(why()).toBe('The worker has had 2 jobs at once for 901 s and none of them ends')
  emit('job:complete')
  expect(why()).toBeNull()
  seconds += 61
  expect(why()).toBe('The worker has not looked for jobs for 61 s')
})

test('a worker that its table holds up turns readiness red in words, until it looks again', async () => {
  await using house = await openHouse()
  let ahead = 0
  const now = () => performance.now() + ahead
  const jobs = await startJobs({ ...house.app, log: pino({ level: 'silent' }) }, [task('idle', async () => {})], { now })
  const words = () => wordsOfPart('The worker', jobs)
  try {
    expect(words()).toBeNull()
    await house.db.transaction().execute(async (tx) => {
      await sql`lock table graphile_worker._private_jobs`.execute(tx)
      ahead = 61_000
      await expect.poll(words).toMatch(/^The worker has not looked for jobs for 6\d s$/)
    })
    await expect.poll(words, { timeout: 20_000 }).toBeNull()
  } finally {
    await jobs.stop()
  }
})
