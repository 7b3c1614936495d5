import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openHouse } from '@masthead/testkit/house'
import { proveActivities } from '../activities/index.ts'
import { proveLedger } from '../billing/ledger/index.ts'
import { chainEvents } from '../activities/chain-events.ts'
import { loadNetworks } from '../networks/index.ts'
import { makeNextReport } from '../reports/make-report.ts'
import { runNextSchedule } from '../reports/schedules/run-schedules.ts'
import { prepareDemo } from './index.ts'
import { startDemoReceiver } from './webhook-receiver.ts'

test('a fresh demo: its balance was never below zero, and its activities are all as they were written, with everything that starts with it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-demo-'))
  await using house = await openHouse({ config: { demo: true, dataDir } })
  const { app } = house
  await loadNetworks(house.db)
  expect(await prepareDemo(app)).not.toBeNull()
  // Chained as it comes, like in the product: what is written later and says it is older stands out.
  await chainEvents(app)
  const receiver = await startDemoReceiver(app)
  try {
    await chainEvents(app)
    await house.settle()
    while (await runNextSchedule(app));
    while (await makeNextReport(app));
    await chainEvents(app)
    // What is due is asked for, and each holds rows.
    const reports = await house.db.selectFrom('report').select(['name', 'state', 'rows']).orderBy('name').execute()
    expect(reports).toEqual([
      { name: 'Cold chain, usage of the week', state: 'complete', rows: expect.toSatisfy((rows: number) => rows > 5) },
      { name: 'Costs of the month', state: 'complete', rows: expect.toSatisfy((rows: number) => rows > 5) },
      { name: 'SIM inventory', state: 'complete', rows: expect.toSatisfy((rows: number) => rows > 100) },
    ])
    const ledger = () => house.db.selectFrom('ledger_transaction').select(['posted_at', 'description', 'balance_after_micros'])
    expect((await ledger().execute()).length).toBeGreaterThan(20)
    // Whoever minds their devices buys credits before theirs are used up.
    expect(await ledger().where('balance_after_micros', '<', 0).execute()).toEqual([])
    expect((await proveLedger(app)).differences).toEqual([])
    // No SIM says that it waits for credits, which the account has.
    const waiting = await house.db
      .selectFrom('sim')
      .select('iccid')
      .where(sql<boolean>`blocks @> '[{"code":"balance"}]'`)
      .execute()
    expect(waiting).toEqual([])
    const { lines, whole } = await proveActivities(app, {})
    expect(lines.filter((line) => !line.includes('all as they were written'))).toEqual([])
    expect(whole).toBe(true)
    expect(lines.join()).toMatch(/owner@demo\.test: \d{3} activities in the chain, all as they were written/)
    const { url } = await house.db.selectFrom('webhook').select('url').executeTakeFirstOrThrow()
    expect(url).not.toContain(':9/')
    // The carrier's file was read by the job that reads every file, and counted nothing twice.
    const file = await house.db.selectFrom('feed_file').selectAll().executeTakeFirstOrThrow()
    expect(file).toMatchObject({ state: 'done', counted: 0, quarantined: 0, wrong: 0 })
    expect(file.compared).toBeGreaterThan(0)
  } finally {
    await receiver.stop()
    rmSync(dataDir, { recursive: true })
  }
})
