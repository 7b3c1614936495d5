import { afterAll, beforeAll, expect, test } from 'vitest'
import { endOtherSessions, listSessions } from '@masthead/contract/account/security-operations'
import { getUserInfo } from '@masthead/contract/auth/operations'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { newKey, withKey } from '../../developers/test-keys.ts'
import { mostStreams } from '../../kernel/live/live.ts'
import { rightsCheck } from '../../kernel/live/streams.ts'
import { authenticate } from './authenticate.ts'
import { mostSessions } from './session.ts'
import { authTasks } from '../tasks.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse({ config: { sessionIdleHours: 24 } })
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const statusOf = async (person: Person) => (await person.call(getUserInfo)).status
const seenAt = async ({ email }: Person) =>
  (
    await house.db
      .selectFrom('session')
      .innerJoin('person', 'person.id', 'session.person_id')
      .select('seen_at')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).seen_at.toISOString()
const open = async ({ cookie }: Person) => {
  const stop = new AbortController()
  const answer = await fetch(`${address}/v1/live`, { headers: { cookie }, signal: stop.signal })
  return { status: answer.status, answer, close: () => stop.abort() }
}

test('a session that is used goes on, and one that is not for a day ends', async () => {
  const [used, unused] = [await house.newOwner(), await house.newOwner()]
  for (let day = 0; day < 3; day++) {
    house.clock.advance({ hours: 23 })
    expect(await statusOf(used)).toBe(200)
  }
  expect(await statusOf(unused)).toBe(401)
  house.clock.advance({ hours: 23, minutes: 59 })
  expect(await statusOf(used)).toBe(200)
  house.clock.advance({ hours: 24 })
  expect(await statusOf(used)).toBe(401)
})

test('one that ended so is shown no more, counts for nothing, and is forgotten', async () => {
  const person = await house.newOwner()
  const idle = await house.newVisit(person)
  house.clock.advance({ hours: 13 })
  await statusOf(person)
  house.clock.advance({ hours: 12 })
  expect((await person.call(listSessions)).body.items).toHaveLength(1)
  for (const task of authTasks) await task.run(house.app, {} as never)
  expect((await (await house.newVisit(person)).call(endOtherSessions)).body).toEqual({ ended: 1 })
  expect(await statusOf(idle)).toBe(401)
})

test('an open stream is no use of its session, and ends with it', async () => {
  const person = await house.newOwner()
  const before = await seenAt(person)
  house.clock.advance({ hours: 23 })
  const stream = await open(person)
  expect(stream.status).toBe(200)
  expect(await seenAt(person)).toBe(before)
  stream.close()
  // What an open one asks every minute.
  const secret = person.cookie.split('=')[1]!
  const request = { cookies: { masthead_session: secret }, headers: {}, id: 'a', routeOptions: { config: { operation: 'live' } } }
  const actor = (await authenticate(house.app, request as never))!
  const goesOn = rightsCheck(house.app, request as never, authenticate, actor)
  expect(await goesOn()).toBe(true)
  house.clock.advance({ hours: 1 })
  expect(await goesOn()).toBe(false)
  expect(await seenAt(person)).toBe(before)
  expect((await open(person)).status).toBe(401)
})

test('API keys go on however long they are not used', async () => {
  const owner = await house.newOwner()
  const { secret } = await newKey(house, owner, ['overview.view'])
  house.clock.advance({ days: 60 })
  expect(await withKey(house, secret).call(getUserInfo)).not.toMatchObject({ status: 401 })
})

test('a person has so many sessions: with another the one not used for the longest time ends', async () => {
  const person = await house.newOwner()
  house.clock.advance({ minutes: 2 })
  const second = await house.newVisit(person)
  // The oldest is used and stays.
  house.clock.advance({ minutes: 2 })
  await statusOf(person)
  for (let more = 2; more < mostSessions; more++) await house.newVisit(person)
  expect(await statusOf(second)).toBe(200)
  house.clock.advance({ minutes: 2 })
  for (let more = 2; more < mostSessions; more++) await house.newVisit(person)
  house.clock.advance({ minutes: 2 })
  const others = await Promise.all([house.newVisit(person), house.newVisit(person), house.newVisit(person)])
  expect((await others[0].call(listSessions)).body.items.length).toBeLessThanOrEqual(mostSessions)
  expect([await statusOf(second), await statusOf(others[2])]).toEqual([401, 200])
})

test('a clock that was set back does not end the session that has just begun', async () => {
  const person = await house.newOwner()
  for (let more = 1; more < mostSessions; more++) await house.newVisit(person)
  house.clock.advance({ minutes: -10 })
  expect(await statusOf(await house.newVisit(person))).toBe(200)
})

test('a session has so many streams, and whoever wants more is refused with the reason', async () => {
  const person = await house.newOwner()
  const other = await house.newVisit(person)
  const opened = await Promise.all(Array.from({ length: mostStreams.session }, () => open(person)))
  expect(opened.map(({ status }) => status)).toEqual(opened.map(() => 200))
  const refused = await open(person)
  expect(refused.status).toBe(429)
  expect(refused.answer.headers.get('retry-after')).toBe('30')
  expect(await refused.answer.json()).toMatchObject({ code: 'too_many_requests', detail: expect.stringContaining('Close some') })
  // Another browser is not held up, and a closed window makes room.
  const elsewhere = await open(other)
  expect(elsewhere.status).toBe(200)
  opened[0]!.close()
  await expect.poll(async () => (await open(person)).status).toBe(200)
  for (const { close } of [...opened, elsewhere]) close()
})

test('a person has so many streams over all sessions', async () => {
  const person = await house.newOwner()
  const opened = []
  for (let session = 0; session < mostStreams.person / mostStreams.session; session++) {
    const visit = await house.newVisit(person)
    opened.push(...(await Promise.all(Array.from({ length: mostStreams.session }, () => open(visit)))))
  }
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await open(person)).status).toBe(429)
  for (const { close } of opened) close()
})
