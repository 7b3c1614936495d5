import { openHouse } from '@masthead/testkit/house'
import { sql } from 'kysely'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { runWaitingJobs, task } from '../../jobs/jobs.ts'
import { openPool } from '../pool.ts'
import { migrate } from './migrate.ts'
import { listen, openTransaction } from './test-migrations.ts'

type Asked = { name?: string; text: string; values: unknown[] }

const isValid = async (pool: pg.Pool) =>
  (await pool.query(`select indisvalid from pg_index where indexrelid = to_regclass('graphile_worker.masthead_jobs_by_task')`)).rows

test('who looks for a job of its own tasks reads none of those that wait for another runner from the table', async () => {
  await using house = await openHouse()
  const pool = openPool(house.databaseUrl)
  const asked: Asked[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((what: Asked, ...rest: unknown[]) => {
      if (what.name?.startsWith('get_job')) asked.push(what)
      return query(what, ...rest)
    }) as unknown as typeof client.query
  })
  const addJobs = (name: string, count: number) =>
    sql`select graphile_worker.add_job(${name}::text) from generate_series(1, ${count}::int)`.execute(house.db)
  await addJobs('of_another', 1)
  await runWaitingJobs({ ...house.app, pool }, [task('own', async () => {})])
  const [{ text, values }] = asked as [Asked]
  await addJobs('of_another', 3000)
  await addJobs('own', 1)
  await sql`analyze graphile_worker._private_jobs`.execute(house.db)
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze) ${text}`, values)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('masthead_jobs_by_task')
  expect(plan).not.toContain('Rows Removed by Filter')
  const taken = await pool.query(`select from graphile_worker.jobs where task_identifier = 'own' and locked_by is not null`)
  expect(taken.rowCount, 'it is the statement by which a job is taken').toBe(1)
  await pool.end()
})

test('an index whose making was cut short is made again', async () => {
  await using house = await openHouse()
  const pool = openPool(house.databaseUrl)
  await pool.query('drop index graphile_worker.masthead_jobs_by_task')
  await sql`select graphile_worker.add_job('twice') from generate_series(1, 2)`.execute(house.db)
  const unique = 'create unique index concurrently masthead_jobs_by_task on graphile_worker._private_jobs (task_id)'
  await expect(pool.query(unique)).rejects.toThrow('could not create unique index')
  expect(await isValid(pool)).toEqual([{ indisvalid: false }])
  await migrate(pool)
  expect(await isValid(pool)).toEqual([{ indisvalid: true }])
  await pool.query('drop index graphile_worker.masthead_jobs_by_task')
  await migrate(pool)
  expect(await isValid(pool)).toEqual([{ indisvalid: true }])
  await pool.end()
})

test('while it waits for what was under way before, it says for whom, and whatever works goes on', async () => {
  await using house = await openHouse()
  const [pool, other] = [openPool(house.databaseUrl), openPool(house.databaseUrl, { name: 'the other' })]
  await pool.query('drop index graphile_worker.masthead_jobs_by_task')
  const writer = await openTransaction(other, `select graphile_worker.add_job('own')`)
  const log = listen()
  const migrating = migrate(pool, { log })
  await expect
    .poll(() => log.words.join('\n'), { timeout: 20_000 })
    .toMatch(/^Migration of the job queue waits for process \d+ of PostgreSQL \(the other, idle in transaction/m)
  await sql`select graphile_worker.add_job('meanwhile')`.execute(house.db)
  await writer.end()
  await migrating
  expect(await isValid(pool)).toEqual([{ indisvalid: true }])
  await Promise.all([pool.end(), other.end()])
})
