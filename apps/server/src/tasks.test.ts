import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { addJob, runWaitingJobs } from './kernel/jobs/jobs.ts'
import { openMeteredHouse, readingOf } from './metering/test-network.ts'
import { addBlocks } from './assets/service/index.ts'
import { reconcileLater } from './assets/service/reconcile.ts'
import { startTasks, tasks } from './tasks.ts'

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

test('what waits for gateways that do not answer holds up nothing else', async () => {
  await using house = await openMeteredHouse()
  const { account_id } = house.owner
  const sims = await Promise.all(Array.from({ length: 40 }, () => house.newSim()))
  await house.meter.ingest.addAll(sims.map((sim, i) => readingOf(house, sim, { acct_session_id: `s${i}` })))
  await house.db.updateTable('gateway_address').set({ coa_port: 9 }).execute() // where nobody listens
  const block = {
    code: 'staff',
    since: house.clock.now().toISOString(),
    by: 'staff',
    words: 'Fraud',
    clears: 'When staff lift it',
  } as const
  await house.db.transaction().execute((tx) =>
    addBlocks(
      tx,
      sims.map((sim) => ({ account_id, sim_id: sim.id, block }))
    )
  )
  const jobs = async (where: string) => (await sql`select from graphile_worker.jobs where ${sql.raw(where)}`.execute(house.db)).rows.length
  const running = await startTasks(house.app)
  try {
    await expect.poll(() => jobs(`task_identifier = 'cut_session' and locked_at is not null`), { timeout: 10_000 }).toBeGreaterThan(3)
    await house.db.transaction().execute((tx) => addJob(tx, 'notify_limits', {}))
    await expect.poll(() => jobs(`task_identifier = 'notify_limits'`), { timeout: 60_000, interval: 20 }).toBe(0)
    await house.db.transaction().execute((tx) => reconcileLater(tx, [{ account_id, sim_id: sims[0]!.id }]))
    await expect.poll(() => jobs(`task_identifier = 'reconcile_service' and run_at <= now()`), { timeout: 60_000, interval: 20 }).toBe(0)
    expect(await jobs(`task_identifier = 'cut_session' and attempts = 0`), 'not one after the other').toBeGreaterThan(0)
    await expect.poll(() => jobs(`task_identifier = 'cut_session' and attempts = 0`), { timeout: 20_000 }).toBe(0)
  } finally {
    await running.stop()
  }
})
