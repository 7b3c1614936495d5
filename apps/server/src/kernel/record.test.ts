import { sql } from 'kysely'
import * as z from 'zod/mini'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountRegistered } from '@masthead/contract/auth/events'
import { createWebhook } from '@masthead/contract/developers/operations'
import { eventKinds } from '@masthead/contract/events'
import { event } from '@masthead/contract/kernel/event'
import { openHouse, type House } from '@masthead/testkit/house'
import { systemActor, type Actor } from './app.ts'
import { tasks } from '../tasks.ts'
import { earlierEffects, effect, type Effect } from './jobs/effects.ts'
import { addJob, runWaitingJobs } from './jobs/jobs.ts'
import { record, recordMany } from './record.ts'

let house: House
let account_id: string
beforeAll(async () => {
  house = await openHouse({ config: { webhookPrivate: true } })
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

/** An event with these effects. */
const kindWith = (...effects: string[]) =>
  event({
    name: 'tags.tag_created',
    refreshes: [],
    effects,
    detail: z.object({ words: z.string() }),
    sentence: '{words}',
  })
const happen = (kind: ReturnType<typeof kindWith>, words: string) =>
  house.db.transaction().execute((tx) => record(tx, actor(), kind, { words }))
const again = () => sql`update graphile_worker._private_jobs set run_at = now()`.execute(house.db)
const jobs = async () =>
  (
    await sql<{ task: string; priority: number; payload: object }>`select t.identifier as task, j.priority, j.payload
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by t.identifier`.execute(
      house.db
    )
  ).rows

test('each effect of an event has a job of its own: one that fails is tried again, and neither repeats nor holds up another', async () => {
  const kind = kindWith('test.first', 'test.second')
  const ran: string[] = []
  let away = true
  const effects = [
    effect('test.first', [kind], async (_app, { words }, { account_id: of }) => {
      ran.push(`first of ${of === account_id ? 'ours' : 'others'}: ${words}`)
      if (away) throw new Error('the outside is away')
    }),
    effect('test.second', [kind], async (_app, { words }) => void ran.push(`second: ${words}`)),
    effect('test.third', [kind], async () => void ran.push('never')),
  ]
  const event_id = await happen(kind, 'a')
  const payload = { account_id, event_id }
  expect(await jobs()).toEqual(['first', 'second'].map((name) => ({ task: `test.${name}`, priority: 0, payload })))
  expect(ran).toEqual([])
  await runWaitingJobs(house.app, effects)
  expect(ran.toSorted()).toEqual(['first of ours: a', 'second: a'])
  away = false
  await again()
  await runWaitingJobs(house.app, effects)
  await runWaitingJobs(house.app, effects)
  expect(ran.toSorted()).toEqual(['first of ours: a', 'first of ours: a', 'second: a'])
  await expect.poll(jobs).toEqual([])
})

test('what was to follow on an event that was erased with its account is over', async () => {
  const kind = kindWith('test.first')
  const ran: string[] = []
  const event_id = await happen(kind, 'a')
  await sql`set session_replication_role = replica; delete from event where id = '${sql.raw(event_id)}'; reset session_replication_role`.execute(
    house.db
  )
  await runWaitingJobs(house.app, [effect('test.first', [kind], async () => void ran.push('ran'))])
  await expect.poll(jobs).toEqual([])
  expect(ran).toEqual([])
})

test('of many events each has its jobs, which come after those of single ones', async () => {
  const kind = kindWith('test.first', 'test.second')
  await house.db.transaction().execute((tx) => recordMany(tx, actor(), kind, [{ words: 'a' }, { words: 'b' }, { words: 'c' }]))
  expect((await jobs()).map(({ task, priority }) => [task, priority])).toEqual(
    ['first', 'first', 'first', 'second', 'second', 'second'].map((name) => [`test.${name}`, 10])
  )
  await sql`delete from graphile_worker._private_jobs`.execute(house.db)
})

test('one event that is written as many are has the jobs of a single one, unless it is of a change of many', async () => {
  const kind = kindWith('test.first')
  const priorities = async (changes: Partial<Actor>) => {
    await house.db.transaction().execute((tx) => recordMany(tx, { ...actor(), ...changes }, kind, [{ words: 'a' }]))
    const added = (await jobs()).map(({ priority }) => priority)
    await sql`delete from graphile_worker._private_jobs`.execute(house.db)
    return added
  }
  expect(await priorities({})).toEqual([0])
  expect(await priorities({ bulk_id: 'bulk_1' })).toEqual([10])
})

test('where nobody listens there is no job; a webhook listens to what it is to hear, as long as it is enabled', async () => {
  const owner = await house.newOwner()
  const tell = async (name: 'tags.tag_created' | 'auth.tag_created') => {
    const kind = event({ ...kindWith(), name })
    await house.db.transaction().execute((tx) => record(tx, systemActor(owner.account_id, house.clock.now()), kind, { words: 'a' }))
    const added = (await jobs()).map(({ task }) => task)
    await sql`delete from graphile_worker._private_jobs`.execute(house.db)
    return added
  }
  expect(await tell('tags.tag_created')).toEqual([])
  for (const events of [['tags.*'], ['tags.tag_created'], ['*']]) {
    const body = { name: 'a', url: 'http://127.0.0.1:9/hook', events, tags: [] }
    const { status, body: webhook } = await owner.call(createWebhook, { body: body as never })
    expect(status).toBe(200)
    await sql`delete from graphile_worker._private_jobs`.execute(house.db)
    // Two webhooks that are sent the same are one listener.
    expect(await tell('tags.tag_created')).toEqual(['developers.tell_webhooks'])
    expect(await tell('auth.tag_created')).toEqual(events[0] === '*' ? ['developers.tell_webhooks'] : [])
    await house.db.updateTable('webhook').set({ disabled_at: house.clock.now() }).where('id', '=', webhook.id).execute()
    expect(await tell('tags.tag_created')).toEqual([])
  }
})

test('a job that an earlier version left for all effects of an event becomes one for each, also when it is done twice', async () => {
  const kind = kindWith('test.first', 'test.second')
  const ran: string[] = []
  const effects = ['test.first', 'test.second'].map((name) => effect(name, [kind], async () => void ran.push(name)))
  const event_id = await happen(kind, 'a')
  await sql`delete from graphile_worker._private_jobs`.execute(house.db)
  const earlier = earlierEffects(new Map([[kind.name, kind]]))
  const left = () => house.db.transaction().execute((tx) => addJob(tx, 'effects', { account_id, event_id }))
  await left()
  await left()
  // With the worker that only knows this job, so that what it adds can be seen.
  await runWaitingJobs(house.app, [earlier])
  await expect.poll(async () => (await jobs()).map(({ task }) => task)).toEqual(['test.first', 'test.second'])
  await runWaitingJobs(house.app, [earlier, ...effects])
  expect(ran.toSorted()).toEqual(['test.first', 'test.second'])
  await expect.poll(jobs).toEqual([])
})

test('every effect that an event declares is done by one job, for that event', () => {
  const effects = tasks.filter((each): each is Effect => 'events' in each)
  expect(new Set(effects.map(({ name }) => name)).size).toBe(effects.length)
  const declared = [...eventKinds.values()].flatMap((kind) => (kind.effects ?? []).map((name) => `${name} after ${kind.name}`))
  const anywhere = effects.filter(({ events }) => events === 'any').map(({ name }) => name)
  const heard = effects.flatMap(({ name, events }) => (events === 'any' ? [] : events.map((kind) => `${name} after ${kind.name}`)))
  expect(declared.filter((one) => !anywhere.includes(one.split(' ')[0]!)).toSorted()).toEqual(heard.toSorted())
  expect(declared.length).toBeGreaterThan(20)
})

test.each(["update event set detail = '{}'", 'delete from event', 'truncate event'])('what happened stays: %s', async (statement) => {
  await expect(sql.raw(statement).execute(house.db)).rejects.toThrow('event is append-only')
})
