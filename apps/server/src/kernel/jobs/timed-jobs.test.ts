import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { listGivenUp } from './given-up.ts'
import { addJob, onePerTask, runWaitingJobs, startJobs, task } from './jobs.ts'

test('a timed job that takes longer than its interval does not run beside itself, and one of it waits', async () => {
  await using house = await openHouse()
  const goOn = Promise.withResolvers<void>()
  let [begun, ended, others] = [0, 0, 0]
  const slow = async () => {
    begun++
    await goOn.promise
    ended++
  }
  const other = async () => void others++
  const jobs = await startJobs({ ...house.app, log: pino({ level: 'silent' }) }, [task('slow', slow), task('other', other)])
  const { queueName, jobKey } = onePerTask({ name: 'slow' })
  /** As the clock adds it. */
  const due = () => sql`select graphile_worker.add_job('slow', queue_name => ${queueName}, job_key => ${jobKey})`.execute(house.db)
  const left = async () =>
    (await sql`select from graphile_worker.jobs where task_identifier = 'slow' and attempts < max_attempts`.execute(house.db)).rows.length
  try {
    await due()
    await expect.poll(() => begun, { timeout: 10_000 }).toBe(1)
    for (let i = 0; i < 3; i++) await due()
    // Added later, so it is taken once the queue has passed what waits before it.
    await sql`select graphile_worker.add_job('other')`.execute(house.db)
    await expect.poll(() => others, { timeout: 10_000 }).toBe(1)
    expect([begun, await left()]).toEqual([1, 1])
    goOn.resolve()
    await expect.poll(() => ended, { timeout: 10_000 }).toBe(2)
    await expect.poll(left).toBe(0)
  } finally {
    goOn.resolve()
    await jobs.stop()
  }
})

test('a timed job that fails is noted until it is done again; another job is not', async () => {
  await using house = await openHouse()
  let fails = true
  const run = async () => {
    if (fails) throw new Error('no room on the disk')
  }
  const tasks = [task('nightly', run, '0 3 * * *'), task('once', run)]
  const app = { ...house.app, log: pino({ level: 'silent' }) }
  const tryIt = async () => {
    for (const { name } of tasks) await sql`select graphile_worker.add_job(${name}, job_key => ${`cron:${name}`})`.execute(house.db)
    await runWaitingJobs(app, tasks)
  }
  const noted = () => house.db.selectFrom('job_failure').select(['task', 'failures', 'words']).execute()
  await tryIt()
  await tryIt()
  expect(await noted()).toEqual([{ task: 'nightly', failures: 2, words: 'no room on the disk' }])
  fails = false
  await tryIt()
  expect(await noted()).toEqual([])
})

test('a job that fails after another took its place while it ran is not given up: the other does what is left', async () => {
  await using house = await openHouse()
  const key = 'cut_session:one'
  const gaveUp = vi.fn(async () => {})
  const add = (later: number) =>
    house.db.transaction().execute((tx) => addJob(tx, 'cut', { id: 'one' }, { key, runAt: new Date(Date.now() + later) }))
  const run = async () => {
    await add(3_600_000)
    throw new Error('No answer')
  }
  await add(-1000)
  await runWaitingJobs({ ...house.app, log: pino({ level: 'silent' }) }, [{ name: 'cut', run, gaveUp }])
  const left = async () => (await sql`select key, attempts from graphile_worker._private_jobs`.execute(house.db)).rows
  // The queue takes away what is done by itself, and nobody waits for it.
  await expect.poll(left).toEqual([{ key, attempts: 0 }])
  expect([await listGivenUp(house.db), gaveUp.mock.calls]).toEqual([[], []])
})
