import { connect } from 'node:net'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { updateAsset } from '@masthead/contract/assets/operations'
import { logout } from '@masthead/contract/auth/operations'
import { createTag } from '@masthead/contract/tags/operations'
import * as ops from '@masthead/contract/terminal/tunnel-operations'
import type { Person } from '@masthead/testkit/house'
import { openTerminalHouse, soon, type TerminalHouse } from '../test-terminal.ts'
import { openEcho } from './test-echo.ts'
import { nameOf } from './tunnel-hub.ts'
import { portsOfOthers } from './tunnel-rows.ts'

let house: TerminalHouse
let echo: Awaited<ReturnType<typeof openEcho>>
beforeAll(async () => {
  house = await openTerminalHouse()
  echo = await openEcho()
})
afterAll(async () => {
  echo[Symbol.dispose]()
  await house[Symbol.asyncDispose]()
})

const fields = (more = {}) => ({ port: echo.port, address: null, sources: ['127.0.0.1/32'], minutes: 15, ...more })
const open = (more = {}, person: Person = house.owner) =>
  person.call(ops.openTunnel, { params: { asset_id: house.asset_id }, body: fields(more) })
const check = async (id: string) => (await house.owner.call(ops.getTunnel, { params: { tunnel_id: id } })).body
const revoke = (id: string) => house.owner.call(ops.revokeTunnel, { params: { tunnel_id: id } })
const connections = async (id: string) => (await house.owner.call(ops.listTunnelConnections, { params: { tunnel_id: id } })).body.items

/** Where it is reached, once the device has come for it. */
const reached = (id: string) =>
  vi.waitFor(
    async () => {
      const { reached_at } = await check(id)
      expect(reached_at).toMatch(/^127\.0\.0\.1:\d+$/)
      return Number(reached_at!.split(':')[1])
    },
    { timeout: 30_000, interval: 50 }
  )

async function dial(to: number) {
  const socket = connect({ host: '127.0.0.1', port: to, allowHalfOpen: true })
  const chunks: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // It may still send, so that its own end stays open after the other has closed.
  const closed = new Promise<void>((resolve) => void socket.once('end', resolve).once('close', () => resolve()))
  const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()))
  await new Promise<void>((resolve) => void socket.once('connect', resolve).once('close', () => resolve()))
  return { socket, bytes: () => Buffer.concat(chunks), closed, ended }
}

test('bytes go to a port of the device and back as they were, each connection is in the log, and it is revoked at once', async () => {
  const { body, status } = await open()
  expect([status, body.state]).toEqual([200, 'waiting'])
  const at = await reached(body.id)
  const one = await dial(at)
  const sent = randomBytes(3_000_000)
  one.socket.end(sent)
  await one.ended
  expect(one.bytes().equals(sent)).toBe(true)
  one.socket.destroy()
  const many = await Promise.all(Array.from({ length: 8 }, () => dial(at)))
  await Promise.all(
    many.map(async ({ socket, bytes }, nth) => {
      socket.write(`hello ${nth}`)
      await vi.waitFor(() => expect(bytes().toString()).toBe(`hello ${nth}`), 20_000)
    })
  )
  await vi.waitFor(async () => expect(await check(body.id)).toMatchObject({ state: 'open', connections: 9, connections_now: 8 }), 20_000)
  expect((await revoke(body.id)).body).toMatchObject({ state: 'ended', end_reason: 'revoked', reached_at: null })
  await Promise.all(many.map(({ closed }) => closed))
  expect((await dial(at)).socket.destroyed).toBe(true)
  await vi.waitFor(async () => expect(echo.open.size).toBe(0), 20_000)
  await vi.waitFor(async () => {
    const all = await connections(body.id)
    expect(all.filter(({ result }) => result === 'cut')).toHaveLength(8)
    expect(all.at(-1)).toMatchObject({ from: '127.0.0.1', result: 'closed', bytes_in: 3_000_000, bytes_out: 3_000_000 })
    expect(await check(body.id)).toMatchObject({ bytes_in: 3_000_056, bytes_out: 3_000_056, connections: 9, connections_now: 0 })
  }, 20_000)
  await vi.waitFor(() => expect(house.agent.tunnels.size()).toBe(0), 20_000)
  expect(await revoke(body.id)).toMatchObject({ status: 409, body: { code: 'tunnel_over' } })
  const names = (await house.events(house.owner.account_id)).map(({ name }) => name)
  expect(names.filter((name) => name.startsWith('terminal.tunnel'))).toEqual(['terminal.tunnel_opened', 'terminal.tunnel_ended'])
}, 90_000)

test('who does not read holds up who writes, through all of it', async () => {
  const { body } = await open()
  const { socket } = await dial(await reached(body.id))
  socket.pause()
  const piece = Buffer.alloc(64 * 1024)
  let written = 0
  const pump = () => {
    do written += piece.length
    while (socket.write(piece))
    socket.once('drain', pump)
  }
  pump()
  let before = -1
  await vi.waitUntil(() => before === (before = written) && written > 0, { timeout: 60_000, interval: 1000 })
  // What the system keeps of each TCP connection, and our windows.
  expect(written).toBeLessThan(60_000_000)
  expect(process.memoryUsage().rss).toBeLessThan(3e9)
  socket.destroy()
  await revoke(body.id)
}, 120_000)

test('another address is refused and written down; so is what the device has no service for, and one connection too many', async () => {
  const elsewhere = await open({ sources: ['203.0.113.0/24', '2001:db8::/32'] })
  const refused = await dial(await reached(elsewhere.body.id))
  await refused.closed
  await vi.waitFor(async () => {
    expect((await connections(elsewhere.body.id))[0]).toMatchObject({ from: '127.0.0.1', result: 'source' })
    expect(await check(elsewhere.body.id)).toMatchObject({ refused: 1, connections: 0 })
  }, 20_000)
  await revoke(elsewhere.body.id)

  const nobody = await open({ port: 1 })
  const none = await dial(await reached(nobody.body.id))
  await none.closed
  await vi.waitFor(async () => {
    const [first] = await connections(nobody.body.id)
    expect(first).toMatchObject({ result: 'device' })
    expect(first!.words).toContain('ECONNREFUSED')
  }, 20_000)
  await revoke(nobody.body.id)

  const full = await open()
  const at = await reached(full.body.id)
  const all = await Promise.all(Array.from({ length: 32 }, () => dial(at)))
  await (
    await dial(at)
  ).closed
  await vi.waitFor(async () => expect((await connections(full.body.id)).map(({ result }) => result)).toContain('too_many'), 20_000)
  for (const { socket } of all) socket.destroy()
  await revoke(full.body.id)
}, 90_000)

test('a broken way is made again at the same port; it waits while the device is away', async () => {
  const { body } = await open()
  const at = await reached(body.id)
  const one = await dial(at)
  one.socket.write('before')
  await vi.waitFor(() => expect(one.bytes().toString()).toBe('before'), 20_000)
  house.agent.tunnels.breakOff()
  await one.closed
  await vi.waitFor(async () => expect(await check(body.id)).toMatchObject({ state: 'waiting', reached_at: null }), {
    timeout: 30_000,
    interval: 5,
  })
  // Its port is kept for it, whoever asks for one meanwhile.
  const kept = await house.db.selectFrom('tunnel').select('own_port').where('id', '=', body.id).executeTakeFirstOrThrow()
  expect([kept.own_port, [...(await portsOfOthers(house.db, { account_id: house.owner.account_id, id: 'another' }))]]).toEqual([at, [at]])
  await vi.waitFor(async () => {
    expect(await reached(body.id)).toBe(at)
    const again = await dial(at)
    again.socket.write('after')
    await vi.waitFor(() => expect(again.bytes().toString()).toBe('after'), 1000)
    again.socket.destroy()
  }, 30_000)
  await revoke(body.id)
}, 60_000)

test('where the database does not answer whether a tunnel may go on, nothing goes through after a minute, and it opens again with an answer', async () => {
  const { body } = await open()
  const { socket, closed } = await dial(await reached(body.id))
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table account in access exclusive mode`.execute(tx)
    const timer = setInterval(() => house.clock.advance({ seconds: 4 }), 200)
    await soon('The end without an answer', closed).finally(() => clearInterval(timer))
  })
  socket.destroy()
  await vi.waitFor(async () => {
    const again = await dial(await reached(body.id))
    again.socket.write('after')
    await vi.waitFor(() => expect(again.bytes().toString()).toBe('after'), 1000)
    again.socket.destroy()
  }, 60_000)
  await revoke(body.id)
}, 90_000)

test('who may: neither beside the device nor too many; and it ends within 2 s with the permission, the account, the rule, and with its time', async () => {
  const { owner } = house
  expect(await open({ address: '192.168.1.50' })).toMatchObject({ status: 409, body: { code: 'tunnel_beside' } })
  const never = '8.8.8.8 localhost 169.254.169.254 127.0.0.2 0.0.0.0 ::1 ::ffff:192.168.1.50 fe80::1 100.64.0.1'
  for (const address of never.split(' ')) expect(await open({ address })).toMatchObject({ status: 400 })
  for (const address of ['10.1', '0xa000001', '172.32.0.1', '192.168.1.50:80', '192.168.1.050', 'router.local', ''])
    expect([address, (await open({ address })).status]).toEqual([address, 400])
  for (const more of [{ minutes: 14 }, { minutes: 1441 }, { sources: [] }, { sources: ['203.0.113.0/33'] }, { port: 0 }])
    expect((await open(more)).status).toBe(400)
  // What has the shape of an address and is none would keep the tunnel from ever opening.
  for (const source of [':', '1:2', '1::2::3', '12345::/64', '203.0.113.09', '010.0.0.0/8', '2001:db8::/129'])
    expect([source, (await open({ sources: [source] })).status]).toEqual([source, 400])
  const seer = await house.newMember(owner, ['assets.view'])
  expect((await open({}, seer)).status).toBe(403)
  const limited = await house.newMember(owner, ['assets.view', 'tunnels.open'], ['north'])
  expect((await open({}, limited)).status).toBe(404)
  expect((await open({}, await house.newOwner())).status).toBe(404)

  const ends = async (id: string, because: string, change: () => Promise<unknown>) => {
    const { socket, closed } = await dial(await reached(id))
    await change()
    await soon(`The end of a tunnel (${because})`, closed)
    socket.destroy()
    await vi.waitFor(async () => expect(await check(id)).toMatchObject({ state: 'ended', end_reason: because }), 20_000)
  }
  const member = await house.newMember(owner, ['assets.view', 'tunnels.open'])
  await ends((await open({}, member)).body.id, 'not_allowed', () =>
    house.db
      .updateTable('membership')
      .set({ permissions: ['assets.view'] })
      .where('account_id', '=', owner.account_id)
      .execute()
  )
  const tag = (await owner.call(createTag, { body: { name: 'north' } })).body.id
  const tagged = (tags: string[]) => owner.call(updateAsset, { params: { asset_id: house.asset_id }, body: { tags } })
  expect((await tagged([tag])).status).toBe(200)
  const sighted = await house.newMember(owner, ['assets.view', 'tunnels.open'], [tag])
  await ends((await open({}, sighted)).body.id, 'not_allowed', () => tagged([]))
  const away = await house.newMember(owner, ['assets.view', 'tunnels.open'])
  await ends((await open({}, away)).body.id, 'signed_out', () => away.call(logout))
  const idle = await house.newMember(owner, ['assets.view', 'tunnels.open'])
  await ends((await open({}, idle)).body.id, 'signed_out', () =>
    house.db
      .updateTable('session')
      .set({ seen_at: new Date(house.clock.now().getTime() - house.app.config.sessionIdleHours * 3_600_000) })
      .where('person_id', 'in', house.db.selectFrom('person').select('id').where('email', '=', idle.email))
      .execute()
  )
  const suspend = (suspended_at: Date | null) =>
    house.db.updateTable('account').set({ suspended_at }).where('id', '=', owner.account_id).execute()
  await ends((await open()).body.id, 'account_suspended', () => suspend(house.clock.now()))
  expect(await open()).toMatchObject({ status: 409, body: { code: 'account_suspended' } })
  await suspend(null)

  const rule = (beside: boolean) => owner.call(ops.updateTunnelRules, { body: { beside } })
  const atSome = await house.newMember(owner, ['tunnels.open', 'profile.edit'], ['north'])
  expect((await atSome.call(ops.updateTunnelRules, { body: { beside: true } })).status).toBe(403)
  expect((await atSome.call(ops.getTunnelRules)).body).toEqual({ beside: false, limited: true, certificate: false })
  await rule(true)
  const beside = await open({ address: '192.168.1.50' })
  expect(beside.status).toBe(200)
  await rule(false)
  expect(await check(beside.body.id)).toMatchObject({ state: 'ended', end_reason: 'beside_not_allowed' })

  const late = (await open()).body.id
  await reached(late)
  const all = [late]
  for (let nth = 1; nth < 5; nth++) all.push((await open()).body.id)
  expect(await open()).toMatchObject({ status: 409, body: { code: 'too_many_tunnels' } })
  await ends(late, 'time_over', async () => house.clock.advance({ minutes: 15 }))
  await vi.waitFor(
    async () => expect((await Promise.all(all.map(check))).map(({ state }) => state)).toEqual(all.map(() => 'ended')),
    30_000
  )
}, 120_000)

test('one that cannot be ended keeps no other one open', async () => {
  await sql`create function never_ends() returns trigger language plpgsql as $$ begin
    if new.id = 'tun_late_b' and new.state = 'ended' then raise exception 'it cannot be ended'; end if;
    return new; end $$`.execute(house.db)
  await sql`create trigger never_ends before update on tunnel for each row execute function never_ends()`.execute(house.db)
  const { account_id, email } = house.owner
  const { id: person_id } = await house.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const at = house.clock.now()
  const by = { account_id, asset_id: house.asset_id, asset_name: 'A', device_id: house.device_id, person_id, opened_by: email }
  const late = { ...by, port: 22, address: null, sources: ['203.0.113.0/24'], minutes: 15, opened_at: at, until: at }
  // In whichever order they are found, one stands behind the one in the middle.
  const ids = ['tun_late_a', 'tun_late_b', 'tun_late_c']
  await house.db
    .insertInto('tunnel')
    .values(ids.map((id) => ({ ...late, id })))
    .execute()
  const states = async () => (await Promise.all(ids.map(check))).map(({ state }) => state)
  await vi.waitFor(async () => expect(await states()).toEqual(['ended', 'waiting', 'ended']), 30_000)
  await sql`drop trigger never_ends on tunnel`.execute(house.db)
  await vi.waitFor(async () => expect(await states()).toEqual(['ended', 'ended', 'ended']), 30_000)
}, 90_000)

test('an address of IPv6 stands in brackets before a port', () => {
  const named = (host: string, publicUrl: string | undefined) =>
    nameOf({ config: { ...house.app.config, tunnels: { ...house.app.config.tunnels, host }, publicUrl } })
  expect([
    named('::1', 'https://m.example'),
    named('2001:db8::7', undefined),
    named('::', 'https://m.example'),
    named('127.0.0.1', undefined),
  ]).toEqual(['[::1]', '[2001:db8::7]', 'm.example', '127.0.0.1'])
})
