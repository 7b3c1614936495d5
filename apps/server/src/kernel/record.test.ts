import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountRegistered } from '@masthead/contract/auth/events'
import { backofficeEntered } from '@masthead/contract/backoffice/events'
import { openHouse, type House } from '@masthead/testkit/house'
import { systemActor, type App } from './app.ts'
import { effectsTask, on } from './jobs/effects.ts'
import { runWaitingJobs } from './jobs/jobs.ts'
import { record } from './record.ts'

let house: House
let account_id: string
beforeAll(async () => {
  house = await openHouse()
  account_id = (await house.newOwner()).account_id
})
afterAll(() => house[Symbol.asyncDispose]())

const actor = () => systemActor(account_id, house.clock.now())
const waiting = async () => (await sql`select 1 from graphile_worker.jobs`.execute(house.db)).rows.length
const detail = { email: 'a@example.test', team_name: 'A' }

test('a rolled back transaction leaves no event and no job', async () => {
  const failed = house.db.transaction().execute(async (tx) => {
    await record(tx, actor(), accountRegistered, detail)
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await house.events(account_id)).toEqual([])
  expect(await waiting()).toBe(0)
})

test('a detail that is not the event’s is refused', async () => {
  const wrong = house.db.transaction().execute((tx) => record(tx, actor(), accountRegistered, { email: 'a@example.test' } as never))
  await expect(wrong).rejects.toThrow()
  expect(await house.events(account_id)).toEqual([])
})

test('each effect that waits for an event runs once it is committed, again after a failure, and others do not', async () => {
  const ran: string[] = []
  const effects = effectsTask([
    on(accountRegistered, async (_app: App, { team_name }, event) => {
      ran.push(`${team_name} of ${event.account_id === account_id ? 'ours' : 'others'}`)
      if (ran.length === 1) throw new Error('the outside is away')
    }),
    on(backofficeEntered, async () => void ran.push('never')),
  ])
  await house.db.transaction().execute((tx) => record(tx, actor(), accountRegistered, detail))
  expect(ran).toEqual([])
  await runWaitingJobs(house.app, [effects])
  expect(ran).toEqual(['A of ours'])
  await sql`update graphile_worker._private_jobs set run_at = now()`.execute(house.db)
  await runWaitingJobs(house.app, [effects])
  await runWaitingJobs(house.app, [effects])
  expect(ran).toEqual(['A of ours', 'A of ours'])
  expect(await waiting()).toBe(0)
})

test.each(["update event set detail = '{}'", 'delete from event', 'truncate event'])('what happened stays: %s', async (statement) => {
  await expect(sql.raw(statement).execute(house.db)).rejects.toThrow('event is append-only')
})
