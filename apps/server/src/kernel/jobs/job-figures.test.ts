import { openHouse } from '@masthead/testkit/house'
import { expect, test } from 'vitest'
import { addDatabaseFigures } from '../database-figures.ts'
import { createMetrics } from '../metrics.ts'
import { jobFigures } from './job-figures.ts'
import { addJob, runWaitingJobs, task } from './jobs.ts'

test('what waits, what is for later, what was given up, and for how long, by task', async () => {
  await using house = await openHouse()
  const app = { ...house.app, metrics: createMetrics() }
  addDatabaseFigures(app, jobFigures)
  const fails = task('test.fails', () => Promise.reject(new Error('not today')))
  const minuteAgo = new Date(Date.now() - 60_000)
  await app.db.transaction().execute(async (tx) => {
    await addJob(tx, 'test.due', {}, { runAt: minuteAgo })
    await addJob(tx, 'test.later', {}, { runAt: new Date(Date.now() + 3_600_000) })
    await addJob(tx, 'test.fails', {}, { maxAttempts: 1 })
  })
  await runWaitingJobs(app, [fails])
  const text = await app.metrics.registry.metrics()
  expect(text).toContain('masthead_jobs_queued{task="test.due",state="due"} 1')
  expect(text).toContain('masthead_jobs_queued{task="test.later",state="later"} 1')
  expect(text).toContain('masthead_jobs_queued{task="test.fails",state="given_up"} 1')
  const [, behind] = /^masthead_jobs_behind_seconds (\d+)/m.exec(text)!
  expect(Number(behind)).toBeGreaterThanOrEqual(60)
})
