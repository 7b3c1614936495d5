import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import type { App } from '../app.ts'
import { openDatabase } from '../database/open-database.ts'
import { breakWhenFrozen } from '../database/frozen-database.ts'
import { takeBack } from './job-runners.ts'
import { addJob, runWaitingJobs, startJobs, task } from './jobs.ts'
import { openPool } from '../database/pool.ts'
import { openProxy } from '../database/test-proxy.ts'

type JobRow = { attempts: number; locked_by: string | null; last_error: string | null }
const jobsOf = async ({ db }: Pick<House, 'db'>, name: string) =>
  (
    await sql<JobRow>`select attempts, locked_by, last_error from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = ${name} order by j.id`.execute(db)
  ).rows
const add = ({ db }: Pick<House, 'db'>, name: string) => db.transaction().execute((tx) => addJob(tx, name, {}))

test('a job that fails, and one that is done, while the database is frozen: no rejection goes unhandled, and both are settled afterwards', async () => {
  await using house = await openHouse()
  const proxy = await openProxy(house.databaseUrl)
  const pool = openPool(proxy.url, { max: 8 })
  breakWhenFrozen(pool, { every: 20, patience: 300 })
  const app: App = { ...house.app, pool, db: openDatabase(pool), log: pino({ level: 'silent' }) }
  const told = vi.spyOn(app.log, 'warn')
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  const begun = Promise.withResolvers<void>()
  const frozen = Promise.withResolvers<void>()
  let running = 0
  const atOnce = async () => {
    if (++running === 2) begun.resolve()
    await frozen.promise
  }
  const jobs = await startJobs(app, [
    task('fails', async () => {
      await atOnce()
      throw new Error('The gateway does not answer')
    }),
    task('succeeds', atOnce),
  ])
  try {
    await add(house, 'fails')
    await add(house, 'succeeds')
    await begun.promise
    const runner = async () => (await sql<{ id: string }>`select id from job_runner`.execute(house.db)).rows.map(({ id }) => id)
    await expect.poll(runner).toEqual([(await jobsOf(house, 'fails'))[0]!.locked_by])
    pool.options.connectionTimeoutMillis = 300 // what is opened while it is frozen stays so
    proxy.freeze()
    frozen.resolve()
    const kept = () => told.mock.calls.filter(([, words]) => /what became of a job could not be kept/.test(String(words))).length
    await expect.poll(() => kept() + unhandled.length, { timeout: 20_000 }).toBe(2)
    expect(unhandled).toEqual([])
    proxy.thaw()
    await expect.poll(() => jobsOf(house, 'succeeds'), { timeout: 20_000 }).toEqual([])
    const failed = [{ attempts: 1, locked_by: null, last_error: 'The gateway does not answer' }]
    await expect.poll(() => jobsOf(house, 'fails'), { timeout: 20_000 }).toEqual(failed)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
    proxy.thaw()
    await jobs.stop()
    proxy.close()
    await pool.end()
  }
})

test('jobs are begun also where what runs them had no connection when it asked which there are', async () => {
  await using house = await openHouse()
  const query = pg.Client.prototype.query as (...asked: unknown[]) => unknown
  let failures = 0
  const asked = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first, ...rest] = given
    const text = typeof first === 'string' ? first : ((first as { text?: string }).text ?? '')
    if (!text.includes('_private_tasks as tasks') || failures === 2) return query.apply(this, given)
    failures++
    const error = new Error('timeout exceeded when trying to connect')
    const done = rest.at(-1)
    return typeof done === 'function' ? process.nextTick(done as (error: Error) => void, error) : Promise.reject(error)
  } as never)
  const done = vi.fn(async () => {})
  const jobs = await startJobs({ ...house.app, log: pino({ level: 'silent' }) }, [task('begun', done)])
  try {
    await add(house, 'begun')
    await expect.poll(() => done.mock.calls.length, { timeout: 15_000 }).toBe(1)
    expect(failures).toBe(2)
  } finally {
    asked.mockRestore()
    await jobs.stop()
  }
})

test('stopped while a job is asked for, and the database goes away: no worker writes to the terminal by itself', async () => {
  await using house = await openHouse()
  const pool = openPool(house.databaseUrl, { max: 8, name: 'asks for jobs' })
  const [traced, complained] = [vi.spyOn(console, 'trace'), vi.spyOn(console, 'error')]
  const jobs = await startJobs({ ...house.app, pool, db: openDatabase(pool) }, [task('idle', async () => {})])
  const asking = async (then: 'pid' | 'pg_terminate_backend(pid)') =>
    (
      await sql`select ${sql.raw(then)} from pg_stat_activity
        where application_name = 'asks for jobs' and wait_event_type = 'Lock' and query like '%skip locked%'`.execute(house.db)
    ).rows.length
  try {
    const stopped = await house.db.transaction().execute(async (tx) => {
      await sql`lock table graphile_worker._private_jobs`.execute(tx)
      await expect.poll(() => asking('pid'), { timeout: 20_000 }).toBeGreaterThan(0)
      const all = jobs.stop()
      await asking('pg_terminate_backend(pid)')
      return { all }
    })
    await stopped.all // it wants the table, too
    expect([traced.mock.calls, complained.mock.calls]).toEqual([[], []])
  } finally {
    traced.mockRestore()
    complained.mockRestore()
    await pool.end()
  }
})

test('what runs the jobs is started again when it ends by itself, also where the first try fails', async () => {
  const app = { log: pino({ level: 'silent' }) } as unknown as App
  const error = vi.spyOn(app.log, 'error')
  const ends: (() => void)[] = []
  let starts = 0
  const start = async () => {
    if (++starts === 2) throw new Error('away')
    const { promise, resolve } = Promise.withResolvers<unknown>()
    ends.push(() => resolve(new Error('gone')))
    return { ended: promise, stop: async () => resolve(undefined), whyIdle: () => null }
  }
  const jobs = await startJobs(app, [], { start })
  expect(jobs.isUp()).toBe(true)
  ends[0]!()
  await expect.poll(() => error.mock.calls.map(([, words]) => words)).toContain('the jobs ended unexpectedly and are started again')
  expect(jobs.isUp()).toBe(false)
  await expect.poll(() => starts, { timeout: 10_000 }).toBe(3)
  await expect.poll(() => jobs.isUp()).toBe(true)
  await jobs.stop()
  expect(starts).toBe(3)
})

test('a job that fails is logged by its ids alone; the last of its tries is said to its task', async () => {
  await using house = await openHouse()
  const app: App = { ...house.app, log: pino({ level: 'silent' }) }
  const warn = vi.spyOn(app.log, 'warn')
  const gaveUp = vi.fn(async () => {})
  const fails = task('fails', async () => {
    throw new Error('The gateway does not answer')
  })
  const payload = { id: 'one', asset_ids: ['a', 'b'], email: 'ann@example.test', words: 'Ann is invited' }
  await house.db.transaction().execute((tx) => addJob(tx, 'fails', payload, { maxAttempts: 2 }))
  const again = async () => {
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(house.db)
    await runWaitingJobs(app, [{ ...fails, gaveUp }])
  }
  const tries = async () => {
    await again()
    return warn.mock.calls.length
  }
  await expect.poll(tries).toBe(1)
  expect(gaveUp).not.toHaveBeenCalled()
  await expect.poll(tries).toBe(2)
  expect(await tries()).toBe(2)
  expect(gaveUp.mock.calls).toEqual([[app, payload]])
  const named = { err: expect.any(Error) as Error, task: 'fails', job: expect.any(String) as string, id: 'one', asset_ids: ['a', 'b'] }
  expect(warn.mock.calls).toEqual([
    [named, 'a job failed and will be tried again'],
    [named, 'a job failed the last of its tries and was given up'],
  ])
})

test('jobs of a runner that is no longer seen are taken back; those of one that is are left', async () => {
  await using house = await openHouse()
  for (const name of ['dead', 'silent', 'alive', 'begins', 'nobodys']) await add(house, name)
  await sql`insert into job_runner values ('pool-silent', now() - interval '21 s'), ('pool-alive', now() - interval '10 s')`.execute(
    house.db
  )
  const lock = (name: string, ago: number) =>
    sql`update graphile_worker._private_jobs j set locked_at = now() - make_interval(secs => ${ago}), locked_by = ${`pool-${name}`}
    from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = ${name}`.execute(house.db)
  for (const name of ['dead', 'silent', 'alive']) await lock(name, 21)
  await lock('begins', 1)
  await takeBack(house)
  const locked = async (name: string) => (await jobsOf(house, name)).map((row) => row.locked_by)
  expect([await locked('dead'), await locked('silent'), await locked('nobodys')]).toEqual([[null], [null], [null]])
  expect([await locked('alive'), await locked('begins')]).toEqual([['pool-alive'], ['pool-begins']])
})

test('a job whose process ended in the last of its tries is tried once more, and given up in words', async () => {
  await using house = await openHouse()
  await house.db.transaction().execute((tx) => addJob(tx, 'top_up', { id: 'one' }, { maxAttempts: 3 }))
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, locked_at = now() - interval '21 seconds', locked_by = 'gone'`.execute(
    house.db
  )
  await takeBack(house)
  const gaveUp = vi.fn(async () => {})
  const fails = async () => {
    throw new Error('declined')
  }
  await runWaitingJobs(house.app, [{ name: 'top_up', run: fails, gaveUp }])
  expect(gaveUp.mock.calls).toEqual([[house.app, { id: 'one' }]])
  expect(await jobsOf(house, 'top_up')).toMatchObject([{ attempts: 4, locked_by: null }])
  await takeBack(house)
  await runWaitingJobs(house.app, [{ name: 'top_up', run: fails, gaveUp }])
  expect(gaveUp).toHaveBeenCalledTimes(1)
})

test('a job that was replaced while it ran, and whose process ended, is left to the one that replaced it', async () => {
  await using house = await openHouse()
  const ask = (name: string) => house.db.transaction().execute((tx) => addJob(tx, name, {}, { key: name }))
  for (const name of ['replaced', 'alone']) await ask(name)
  await sql`update graphile_worker._private_jobs set attempts = 1, locked_at = now() - interval '21 seconds', locked_by = 'gone'`.execute(
    house.db
  )
  await ask('replaced')
  expect(await jobsOf(house, 'replaced')).toHaveLength(2)
  await takeBack(house)
  expect(await jobsOf(house, 'replaced')).toMatchObject([{ attempts: 0, locked_by: null }])
  expect(await jobsOf(house, 'alone')).toMatchObject([{ attempts: 1, locked_by: null }])
})

test('jobs that the database itself adds with a key say that they have one', async () => {
  await using house = await openHouse()
  const { rows } = await sql`select proname from pg_proc
    where pronamespace = 'public'::regnamespace and prosrc like '%job_key%' and prosrc not like '%''keyed''%'`.execute(house.db)
  expect(rows).toEqual([])
  await house.db.transaction().execute((tx) => sql`select pools_changed('acc_1')`.execute(tx))
  const { rows: jobs } = await sql`select flags from graphile_worker.jobs where key = 'follow_pools:acc_1'`.execute(house.db)
  expect(jobs).toEqual([{ flags: { keyed: true } }])
})
