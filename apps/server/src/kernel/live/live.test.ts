import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { updatePerson } from '@masthead/contract/account/details-operations'
import { getAccount } from '@masthead/contract/account/operations'
import { createApiKey } from '@masthead/contract/developers/operations'
import { accountRegistered } from '@masthead/contract/auth/events'
import { apiKeyDeleted } from '@masthead/contract/developers/events'
import { tagCreated } from '@masthead/contract/tags/events'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { notifyStaff } from '../../backoffice/staff/staff-log.ts'
import { systemActor } from '../app.ts'
import { openProxy } from '../database/test-proxy.ts'
import { keyUsed, sessionChanged, usageCounted } from '@masthead/contract/signals'
import { liveChannel } from './channel.ts'
import { listen, LiveHub } from './live.ts'
import { publish } from './publish.ts'
import { record } from '../record.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
  await listening()
})
afterAll(() => house[Symbol.asyncDispose]())

/** The backend that listens; it is there once LISTEN was answered. */
const findListener = async () =>
  (
    await sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
      and application_name = 'masthead live' and state = 'idle' and query like 'listen%'`.execute(house.db)
  ).rows[0]?.pid
const listening = () => vi.waitFor(async () => expect(await findListener()).toBeDefined(), { timeout: 20_000 })

/** An open console: the names it received so far. */
async function watch(person: Person, path = '/v1/live', headers: Record<string, string> = {}) {
  const aborted = new AbortController()
  const answer = await fetch(address + path, { headers: { cookie: person.cookie, ...headers }, signal: aborted.signal })
  const heard: string[] = []
  const text: string[] = []
  const parser = createParser({ onEvent: ({ event = '' }: EventSourceMessage) => heard.push(event) })
  const reading = (async () => {
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text.push(piece)
      parser.feed(piece)
    }
  })().catch(() => {})
  // The first line is sent once the stream is open.
  if (answer.ok) await expect.poll(() => text.length).toBeGreaterThan(0)
  return { answer, heard, text, close: () => (aborted.abort(), reading) }
}

const happen = ({ account_id }: { account_id: string }, team_name = 'A') =>
  house.db
    .transaction()
    .execute((tx) => record(tx, systemActor(account_id, house.clock.now()), accountRegistered, { email: 'a@example.test', team_name }))

test('a console hears the names of what changed on its account, once each time, and nothing of others', async () => {
  const [owner, other] = [await house.newOwner(), await house.newOwner()]
  const member = await house.newMember(owner, ['profile.view'])
  const [mine, theirs, members] = [await watch(owner), await watch(other), await watch(member)]
  expect(mine.answer.headers.get('content-type')).toBe('text/event-stream')
  // A proxy that compresses answers holds nothing of it back.
  expect(mine.answer.headers.get('cache-control')).toBe('no-store, no-transform')
  expect(mine.answer.headers.get('x-request-id')).toMatch(/^req_/)
  const { account_id } = owner
  const name = accountRegistered.name
  await sql`select pg_notify(${liveChannel}, concat(${account_id}::text, ' ', ${name}::text, ' area', n)) from generate_series(1, 20) n`.execute(
    house.db
  )
  await happen(owner)
  await Promise.all([mine, members].map(({ heard }) => expect.poll(() => heard.length).toBeGreaterThan(0)))
  await happen(other, 'B')
  await expect.poll(() => theirs.heard).toEqual(['auth.account_registered'])
  // Twenty at once are gathered, and no data travels.
  expect(mine.heard.length).toBeLessThan(20)
  expect(new Set(mine.heard)).toEqual(new Set(['auth.account_registered']))
  expect(mine.text.join('')).not.toContain('example.test')
  await Promise.all([mine, theirs, members].map((each) => each.close()))
})

test('of what one may not read a console hears no more than that something has changed', async () => {
  const owner = await house.newOwner()
  const watched = await Promise.all(
    [[], ['assets.view'], ['assets.edit', 'developers.view'], ['profile.view', 'billing.view']].map(async (held) =>
      watch(await house.newMember(owner, held))
    )
  )
  const actor = systemActor(owner.account_id, house.clock.now())
  await house.db.transaction().execute(async (tx) => {
    await record(tx, actor, accountRegistered, { email: 'a@example.test', team_name: 'A' })
    await record(tx, actor, tagCreated, { tag_id: 'tag_1', tag_name: 'north' })
    await record(tx, actor, apiKeyDeleted, { api_key_id: 'key_1', api_key_name: 'ci' })
    // What is no event of its own goes by its area all the same.
    for (const signal of [keyUsed, usageCounted]) await publish(tx, owner.account_id, signal)
  })
  for (const { heard } of watched) await expect.poll(() => heard).toContain('usage.counted')
  expect(watched.map(({ heard }) => heard.toSorted())).toEqual([
    ['changed', 'usage.counted'],
    ['changed', 'tags.tag_created', 'usage.counted'],
    ['changed', 'developers.api_key_deleted', 'developers.key_used', 'usage.counted'],
    ['auth.account_registered', 'changed', 'usage.counted'],
  ])
  // Nor which areas show it: they are the same whatever it was.
  const [nothing] = watched
  expect(nothing!.text.join('')).toContain('event: changed\ndata: {"refreshes":["overview","activities","account","assets"]}')
  expect(nothing!.text.join('')).not.toMatch(/developers|tags|teams/)
  await Promise.all(watched.map((each) => each.close()))
})

test('what changed says which areas show it; what another version of the server says without them is handed on without', async () => {
  const owner = await house.newOwner()
  const mine = await watch(owner)
  await happen(owner)
  await sql`select pg_notify('masthead_live', ${`${owner.account_id} assets.sim_blocked`})`.execute(house.db)
  await expect.poll(() => mine.heard).toContain('assets.sim_blocked')
  const areas = '["auth","account","teams","activities","overview"]'
  await expect.poll(() => mine.text.join('')).toContain(`event: auth.account_registered\ndata: {"refreshes":${areas}}`)
  expect(mine.text.join('')).toContain('event: assets.sim_blocked\ndata: {}\n')
  await mine.close()
})

test('the new name of a person reaches the consoles of every team they work in', async () => {
  const [owner, other] = [await house.newOwner(), await house.newOwner()]
  const member = await house.newMember(owner, ['assets.view'])
  const [team, stranger] = [await watch(owner), await watch(other)]
  await member.call(updatePerson, { body: { name: 'Bo Quist' } })
  await happen(other)
  await expect.poll(() => team.heard).toEqual(['teams.people_changed'])
  await expect.poll(() => stranger.heard).toEqual(['auth.account_registered'])
  await Promise.all([team, stranger].map((each) => each.close()))
})

test('what staff do is heard by staff, and not by who works on the own account of one of them', async () => {
  const clerk = await house.newOwner('clerk', { staff: ['backoffice'] })
  const member = await house.newMember(clerk, ['profile.view'])
  const [staff, team] = [await watch(clerk), await watch(member)]
  await notifyStaff(house.db)
  await happen(clerk)
  await expect.poll(() => team.heard).toContain('auth.account_registered')
  await expect.poll(() => staff.heard).toContain('backoffice.staff_acted')
  expect(team.heard).toEqual(['auth.account_registered'])
  await Promise.all([staff, team].map((each) => each.close()))
})

test('the use of an API key is heard, at most once a minute', async () => {
  const owner = await house.newOwner()
  const body = { name: 'Night job', scopes: ['faq'], tags: [], addresses: [], expires_at: null, calls_per_minute: 600 } as never
  const { secret } = (await owner.call(createApiKey, { body })).body
  const open = await watch(owner)
  const use = () => house.anyone.call(getAccount, {}, { 'x-api-key': secret })
  for (let i = 0; i < 3; i++) expect((await use()).status).toBe(200)
  await expect.poll(() => open.heard.filter((name) => name === 'developers.key_used')).toHaveLength(1)
  await open.close()
})

test('without a session there is no stream', async () => {
  const { answer } = await watch({ cookie: '' } as Person)
  expect(answer.status).toBe(401)
})

test('a console that comes back is notified that it may have missed something', async () => {
  const owner = await house.newOwner()
  for (const again of [await watch(owner, '/v1/live?again'), await watch(owner, '/v1/live', { 'last-event-id': '1' })]) {
    await expect.poll(() => again.heard).toEqual(['missed'])
    await again.close()
  }
})

test('when the way to the database is cut, it listens again and says that something may be missed', async () => {
  const owner = await house.newOwner()
  const mine = await watch(owner)
  const pid = await findListener()
  await sql`select pg_terminate_backend(${pid})`.execute(house.db)
  await expect.poll(() => mine.heard, { timeout: 10_000 }).toEqual(['missed'])
  await happen(owner)
  await expect.poll(() => mine.heard, { timeout: 10_000 }).toEqual(['missed', 'auth.account_registered'])
  await mine.close()
})

test('a database that was silent for long, as one that is stopped, is listened to anew, and consoles ask for everything again', async () => {
  const proxy = await openProxy(house.databaseUrl)
  const hub = { end: vi.fn<LiveHub['end']>(), signal: vi.fn<LiveHub['signal']>(), missed: vi.fn<LiveHub['missed']>() }
  const stop = listen({ pool: { options: { connectionString: proxy.url } } as never }, hub, { every: 20, patience: 1000 })
  const owner = await house.newOwner()
  const isHeard = async () => {
    await happen(owner)
    expect(hub.signal).toHaveBeenCalled()
  }
  await vi.waitFor(isHeard, { timeout: 20_000 })
  proxy.freeze()
  hub.missed.mockClear()
  const opened = proxy.opened()
  await expect.poll(() => proxy.opened(), { timeout: 20_000 }).toBeGreaterThan(opened)
  proxy.thaw()
  await expect.poll(() => hub.missed.mock.calls.length, { timeout: 30_000 }).toBeGreaterThan(0)
  hub.signal.mockClear()
  await vi.waitFor(isHeard, { timeout: 20_000 })
  await stop()
  proxy.close()
})

test('a stream whose rights ended while it was being opened ends at once', async () => {
  let asked = 0
  const actor = { ...systemActor('acc_1', house.clock.now()), kind: 'member' as const, person_id: 'prs_1' }
  await using late = await openHouse({ authenticate: async () => (asked++ === 0 ? actor : null) })
  const at = await late.server.listen({ host: '127.0.0.1', port: 0 })
  expect(await (await fetch(`${at}/v1/live`)).text()).toContain('retry: 1000')
})

test('a stream that was ended, and waits for its reader, is sent nothing more: that would be an error nobody hears', async () => {
  const hub = new LiveHub({ gauge: { set: () => {} }, clock: house.clock, asReceived: (_, signal) => signal })
  const done = Promise.withResolvers<unknown[]>()
  const server = createServer((request, reply) => {
    const errors: unknown[] = []
    reply.on('error', (error) => errors.push(error))
    reply.write(':\n\n')
    hub.add(systemActor('acc_1', house.clock.now()), { raw: reply } as never, async () => true)
    request.socket.cork() // as a reader does that does not read
    hub.end({ person_id: '' })
    hub.signal('acc_1', sessionChanged)
    hub.close()
    setImmediate(() => {
      request.socket.uncork()
      done.resolve(errors)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(await done.promise).toEqual([])
  expect(await answer.text()).toBe(':\n\n')
  server.close()
})

test('words on the channel of the database that are none of ours end nothing', async () => {
  const owner = await house.newOwner()
  const mine = await watch(owner)
  await sql`select pg_notify('masthead_live', 'end of the world')`.execute(house.db)
  await expect.poll(() => mine.heard).toEqual(['missed'])
  await mine.close()
})

test('open streams are counted and let go', async () => {
  const gauge = async () => (await house.app.metrics.liveConnections.get()).values[0]!.value
  const owner = await house.newOwner()
  const before = await gauge()
  const streams = [await watch(owner), await watch(owner)]
  expect(await gauge()).toBe(before + 2)
  await Promise.all(streams.map((each) => each.close()))
  await expect.poll(gauge).toBe(before)
})

test('a server that stops ends its streams', async () => {
  const closing = await openHouse()
  const owner = await closing.newOwner()
  const at = await closing.server.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${at}/v1/live`, { headers: { cookie: owner.cookie } })
  const read = answer.text()
  await closing[Symbol.asyncDispose]()
  expect(await read).toContain('retry: 1000')
})
