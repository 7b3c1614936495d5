import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { addJob, runWaitingJobs } from './kernel/jobs/jobs.ts'
import { tasks } from './tasks.ts'

test('every job that is repeated by the clock can be done', async () => {
  await using house = await openHouse()
  const repeated = tasks.filter((each) => 'cron' in each && each.cron)
  expect(repeated.length).toBeGreaterThan(20)
  await house.db.transaction().execute(async (tx) => {
    for (const { name } of repeated) await addJob(tx, name, {})
  })
  await runWaitingJobs(house.app, tasks)
  const { rows } = await sql<{ task: string; last_error: string }>`select task_identifier as task, last_error from graphile_worker.jobs
    where last_error is not null`.execute(house.db)
  expect(rows).toEqual([])
})
