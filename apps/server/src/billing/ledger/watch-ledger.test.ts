import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHouse, type House } from '@masthead/testkit/house'
import { proveLedger } from './prove.ts'
import { newAccount } from './test-ledger.ts'
import { askForProof, findProofCheck, lastProof, watchLedger } from './watch-ledger.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

test('of each account some differences are kept and all are counted: one account does not hide another', async () => {
  const [many, few] = [await newAccount(house, 'many'), await newAccount(house, 'few')].toSorted()
  // Fees that are in no ledger, in no sum, and in no price list.
  const put = (account_id: string, fees: number) =>
    sql`insert into sim_fee (account_id, month, kind, sim_id, micros, charged_at)
      select ${account_id}, date '2026-10-01', 'sim_active', 'sim_' || i, 5, now() from generate_series(1, ${fees}) i`.execute(house.db)
  await put(many!, 150)
  await put(few!, 1)
  const proof = await watchLedger(house.app)
  expect(proof.found).toBe(304)
  const kept = (of: string) => proof.differences.filter(({ account_id }) => account_id === of).length
  expect([kept(many!), kept(few!)]).toEqual([10, 3])
  expect((await lastProof(house.app.db))!.found).toBe(304)
  // As a program from before kept it.
  await sql`update ledger_proof set found = null`.execute(house.db)
  expect((await lastProof(house.app.db))!.found).toBe(13)
  await sql`delete from sim_fee`.execute(house.db)
})

test('a comparison that is asked for waits, runs, and fails or is done; until then there is one', async () => {
  const ask = () => house.app.db.transaction().execute((tx) => askForProof(tx))
  const state = async () => (await findProofCheck(house.app.db))?.state ?? null
  const jobs = async () =>
    (
      await sql`select id from graphile_worker.jobs where task_identifier = 'billing.watch_ledger'
      and (locked_at is not null or attempts < max_attempts)`.execute(house.db)
    ).rows.length
  const setJob = (locked_at: string | null, attempts: number) =>
    sql`update graphile_worker._private_jobs set locked_at = ${locked_at}::timestamptz, locked_by = ${locked_at && 'worker'}, attempts = ${attempts}
      where key = 'billing.watch_ledger asked'`.execute(house.db)
  await sql`delete from ledger_proof`.execute(house.db)
  expect(await state()).toBeNull()
  expect((await ask()).state).toBe('waiting')
  // Behind the one of the night, where that runs.
  const { rows } = await sql`select queue_name from graphile_worker.jobs where key = 'billing.watch_ledger asked'`.execute(house.db)
  expect(rows).toEqual([{ queue_name: 'billing.watch_ledger' }])
  await setJob('2026-11-20T12:00:00Z', 1)
  expect(await ask()).toEqual({ state: 'running', since: new Date('2026-11-20T12:00:00Z') })
  expect(await jobs()).toBe(1)
  await setJob(null, 1)
  expect(await state()).toBe('failed')
  expect((await ask()).state).toBe('waiting')
  expect(await jobs()).toBe(1)
  // Each night one is made besides, which says that the failed one is over.
  await setJob(null, 1)
  await sql`update graphile_worker._private_jobs set updated_at = '2020-01-01' where key = 'billing.watch_ledger asked'`.execute(house.db)
  await watchLedger(house.app)
  expect(await state()).toBeNull()
  expect((await ask()).state).toBe('waiting')
  await house.settle()
  expect([await state(), await jobs()]).toEqual([null, 0])
  expect((await lastProof(house.app.db))!.differences).toEqual([])
})

test('no query of a comparison takes longer than it may', async () => {
  await house.app.db.transaction().execute(async (tx) => {
    const db = Object.assign(Object.create(tx), { snapshot: (read: (db: typeof tx) => unknown) => read(tx) })
    await proveLedger({ ...house.app, db }, { longest: '1h' })
    expect((await sql`show statement_timeout`.execute(tx)).rows).toEqual([{ statement_timeout: '1h' }])
  })
})
