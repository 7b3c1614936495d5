import { once } from 'node:events'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as ops from '@masthead/contract/terminal/operations'
import { openTunnel } from '@masthead/contract/terminal/tunnel-operations'
import { onTheWay } from '@masthead/contract/terminal/wire'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { enrolDevice } from '../devices/index.ts'
import { hashSecret } from '../kernel/secrets/presented-secret.ts'
import { recordingDraft } from './recording/recording-key.ts'
import { endLeft } from './tasks.ts'
import { putTestDevice } from './test-device.ts'
import { openWindow, soon } from './test-terminal.ts'

let house: House
let address: string
beforeAll(async () => {
  house = await openHouse()
  address = await house.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => house[Symbol.asyncDispose]())

const newDevice = () => putTestDevice(house, address)
const ended = (person: Person, id: string) =>
  vi.waitFor(async () => {
    const { body } = await person.call(ops.getTerminal, { params: { terminal_id: id } })
    expect(body.state).toBe('ended')
    return body
  }, 20_000)

test('a paste of any size waits where it comes from while the device does not take it, and arrives whole', async () => {
  const { owner, open } = await newDevice()
  const { id, window, device } = await open()
  device.socket.pause()
  const piece = Buffer.alloc(128 * 1024, 'x')
  const pieces = 512
  for (let i = 0; i < pieces; i++) window.socket.send(piece)
  // Said every five seconds: how much of it the server has taken.
  const taken = async () => (await owner.call(ops.getTerminal, { params: { terminal_id: id } })).body.bytes_in
  let seen = 0
  const held = await vi.waitUntil(
    async () => {
      const [before, now] = [seen, (seen = await taken())]
      return before === now && now > 0 && now
    },
    { timeout: 60_000, interval: 6000 }
  )
  expect(held).toBeLessThan((pieces * piece.byteLength) / 4)
  device.socket.resume()
  await vi.waitFor(() => expect(device.got.reduce((sum, { length }) => sum + length, 0)).toBe(pieces * piece.byteLength), 60_000)
  device.say({ t: 'exit', code: 0 })
  await window.message('ended')
}, 120_000)

test('a shell that takes nothing: so much is on its way and no more, and what the window says beside it is heard', async () => {
  const { owner, open } = await newDevice()
  const { id, window, device } = await open()
  const beside = await openWindow(address, owner, id, { client: 'beside' })
  device.say({ t: 'took', n: 0 })
  // Answered, so that what the device said before it has been received.
  device.socket.send(Buffer.from('ready'))
  await window.shows('ready')
  const piece = Buffer.alloc(16 * 1024, 'x')
  const got = () => device.got.reduce((sum, { length }) => sum + length, 0)
  const tookAll = () => window.words.reduce((sum, said) => sum + (said.t === 'took' ? said.n : 0), 0)
  // As the console does: all that may be on its way.
  const sent = onTheWay / piece.byteLength
  for (let i = 0; i < sent; i++) window.socket.send(piece)
  await vi.waitFor(() => expect(got()).toBe(onTheWay), 20_000)
  window.say({ t: 'ping', n: 7 })
  await window.message('pong')
  expect(tookAll()).toBe(0)
  // One that does not keep to it is not read.
  for (let i = 0; i < 400; i++) window.socket.send(piece)
  await vi.waitFor(() => expect(got()).toBeGreaterThan(onTheWay), 20_000)
  // The server has read from its connections so many times since that it would have all of it.
  for (let n = 1; n <= 500; n++) {
    beside.say({ t: 'ping', n })
    await beside.message('pong', (said) => said.n === n)
  }
  expect(got()).toBeLessThan(512 * 1024)
  const timer = setInterval(() => device.say({ t: 'took', n: 64 * 1024 }), 5)
  await vi.waitFor(() => expect(got()).toBe((sent + 400) * piece.byteLength), 30_000)
  await vi.waitFor(() => expect(tookAll()).toBe((sent + 400) * piece.byteLength), 30_000)
  clearInterval(timer)
  window.say({ t: 'end' })
  await window.message('ended')
}, 90_000)

test('one person has ten terminals open at once and ten tunnels, and the others of the account still have theirs', async () => {
  const { owner, asset_id, device_id } = await newDevice()
  const { account_id, email } = owner
  const { id: person_id } = await house.db.selectFrom('person').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const by = { account_id, asset_id, asset_name: 'A', device_id, person_id, opened_by: email }
  const at = house.clock.now()
  const numbers = Array.from({ length: 10 }, (_, n) => n)
  await house.db
    .insertInto('terminal_session')
    .values(numbers.map((n) => ({ ...by, id: `trm_own${n}`, kind: 'agent', client_ip: null, cols: 80, rows: 24, requested_at: at })))
    .execute()
  const tunnel = { ...by, port: 22, address: null, sources: ['203.0.113.0/24'], minutes: 60, opened_at: at, until: at }
  await house.db
    .insertInto('tunnel')
    .values(numbers.map((n) => ({ ...tunnel, id: `tun_own${n}`, device_id: `dev_${n}` })))
    .execute()
  const member = await house.newMember(owner, ['assets.view', 'terminal.open', 'tunnels.open'])
  const opens = (person: Person) => person.call(ops.openTerminal, { params: { asset_id }, body: { cols: 80, rows: 24 } })
  expect(await opens(owner)).toMatchObject({ status: 409, body: { code: 'too_many_own_terminals' } })
  expect((await opens(member)).status).toBe(200)
  const body = { port: 22, address: null, sources: ['203.0.113.0/24'], minutes: 60 }
  const leads = (person: Person) => person.call(openTunnel, { params: { asset_id }, body })
  expect(await leads(owner)).toMatchObject({ status: 409, body: { code: 'too_many_tunnels' } })
  expect((await leads(member)).status).toBe(200)
}, 30_000)

test('other credentials of a device end what came with those of before, within 2 s', async () => {
  const { owner, asset_id, open } = await newDevice()
  const { window, device } = await open()
  const { account_id } = owner
  await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind: 'agent', at: house.clock.now() }))
  await soon('The end of the connection with the credentials of before', once(device.socket, 'close'))
  expect(await window.message('device')).toMatchObject({ here: false })
  window.type('secret\r')
  window.say({ t: 'end' })
  await window.message('ended')
  expect(Buffer.concat(device.got).toString()).toBe('')
}, 30_000)

test('where the database does not answer whether somebody may go on, a terminal is over after a minute, in words', async () => {
  const { owner, open } = await newDevice()
  const { id, window, device } = await open()
  await house.db.transaction().execute(async (tx) => {
    await sql`lock table account in access exclusive mode`.execute(tx)
    const timer = setInterval(() => house.clock.advance({ seconds: 4 }), 200)
    await Promise.all([
      soon('The end without an answer', window.message('ended')).then((said) => expect(said).toMatchObject({ reason: 'not_asked' })),
      once(device.socket, 'close'),
    ]).finally(() => clearInterval(timer))
  })
  expect((await ended(owner, id)).end_reason).toBe('not_asked')
}, 60_000)

test('another secret of the session, as after a proof in another tab, ends no terminal: the window comes again with it', async () => {
  const { owner, open } = await newDevice()
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const { id, window, device } = await open(member)
  const replaced_at = new Date(house.clock.now().getTime() - 31_000)
  const { account_id } = owner
  const { id_hash } = await house.db.selectFrom('session').select('id_hash').where('acting_as', '=', account_id).executeTakeFirstOrThrow()
  await house.db
    .updateTable('session')
    .set({ id_hash: hashSecret('another'), replaced_hash: id_hash, replaced_at })
    .where('acting_as', '=', account_id)
    .execute()
  const closed = once(window.socket, 'close')
  expect((await soon('The end of the window', closed))[0]).toBe(4002)
  expect(window.words.map(({ t }) => t)).not.toContain('ended')
  // With the one before nobody gets in.
  expect((await openWindow(address, member, id)).status()).toBe(401)
  const cookie = member.cookie.replace(/(masthead_session=)[^;]*/, '$1another')
  const again = await openWindow(address, { cookie }, id, { from: window.place() })
  again.type('echo')
  await vi.waitFor(() => expect(Buffer.concat(device.got).toString()).toBe('echo'), 20_000)
  // It ends with the session all the same.
  await house.db.deleteFrom('session').where('acting_as', '=', account_id).execute()
  expect(await soon('The end with the session', again.message('ended'))).toMatchObject({ reason: 'not_allowed' })
}, 60_000)

test('a window that came with the new secret stays, also where another one of its session is still there with the secret before', async () => {
  const { owner, open } = await newDevice()
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const { id, window } = await open(member)
  const { account_id } = owner
  const { id_hash } = await house.db.selectFrom('session').select('id_hash').where('acting_as', '=', account_id).executeTakeFirstOrThrow()
  // For half a minute either counts.
  await house.db
    .updateTable('session')
    .set({ id_hash: hashSecret('next'), replaced_hash: id_hash, replaced_at: house.clock.now() })
    .where('acting_as', '=', account_id)
    .execute()
  const cookie = member.cookie.replace(/(masthead_session=)[^;]*/, '$1next')
  const second = await openWindow(address, { cookie }, id, { client: 'two' })
  await second.message('step', ({ step }) => step === 'shell')
  const closed = once(window.socket, 'close')
  house.clock.advance({ seconds: 31 })
  expect((await soon('The end of the window with the secret before', closed))[0]).toBe(4002)
  second.say({ t: 'ping', n: 5 })
  expect(await second.message('pong')).toMatchObject({ n: 5 })
  second.socket.close()
}, 60_000)

test('a device that connects twice is heard on its last connection alone', async () => {
  const { open, connect } = await newDevice()
  const { id, window, device } = await open()
  device.socket.send(Buffer.from('first'))
  await window.shows('first')
  // As a connection that breaks: nothing of it is said.
  device.socket.pause()
  const again = await connect(id)
  again.say({ t: 'started', user: 'root' })
  again.socket.send(Buffer.from(' second'))
  await window.shows('second')
  device.socket.send(Buffer.from(' ghost'))
  again.socket.send(Buffer.from(' third'))
  await window.shows('third')
  expect(window.text()).toBe('first second third')
  window.say({ t: 'end' })
  await window.message('ended')
}, 30_000)

test('what a device says of its failure is kept, whatever letters it has', async () => {
  const { owner, asset_id, connect } = await newDevice()
  const { body } = await owner.call(ops.openTerminal, { params: { asset_id }, body: { cols: 80, rows: 24 } })
  const window = await openWindow(address, owner, body.id)
  const device = await connect(body.id)
  device.say({ t: 'failed', words: 'no\0shell \ud800' })
  await window.message('ended')
  expect(await ended(owner, body.id)).toMatchObject({ end_reason: 'not_supported', words: 'noshell �' })
}, 30_000)

test('another permission ends no terminal; another account’s window, device and keys reach none', async () => {
  const { owner, open, device_id } = await newDevice()
  const member = await house.newMember(owner, ['assets.view', 'terminal.open'])
  const { id, window } = await open(member)
  await house.db
    .updateTable('membership')
    .set({ permissions: ['assets.view', 'terminal.open', 'usage.view'] })
    .where('account_id', '=', owner.account_id)
    .execute()
  const other = await newDevice()
  const stranger = await openWindow(address, other.owner, id)
  expect(stranger.status()).toBe(404)
  await expect(other.connect(id)).rejects.toThrow(/404/)
  await expect(other.connect(id, `${device_id}:guessed`)).rejects.toThrow(/403/)
  expect((await other.owner.call(ops.endTerminal, { params: { terminal_id: id } })).status).toBe(404)
  expect((await other.owner.call(ops.exportRecording, { params: { terminal_id: id } })).status).toBe(404)
  // Rights are asked in the rounds in which terminals are ended that somebody ended elsewhere, and one round is over before the next begins.
  for (let round = 0; round < 2; round++) {
    const beside = await other.open()
    await other.owner.call(ops.endTerminal, { params: { terminal_id: beside.id } })
    await beside.window.message('ended')
  }
  expect(window.socket.readyState).toBe(WebSocket.OPEN)
  window.say({ t: 'end' })
  await window.message('ended')
}, 30_000)

test('a recording that cannot be kept holds up no other session that nobody holds', async () => {
  const { owner, open } = await newDevice()
  const { id, window } = await open()
  window.say({ t: 'end' })
  await window.message('ended')
  await ended(owner, id)
  const row = await house.db.selectFrom('terminal_session').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const [bad, good] = ['a', 'b'].map((letter) => `trm_${letter.repeat(25)}z`) as [string, string]
  for (const each of [bad, good])
    await house.db
      .insertInto('terminal_session')
      .values({
        ...row,
        id: each,
        state: 'open',
        ended_at: null,
        end_reason: null,
        recording: 'writing',
        recording_until: null,
        held_by: 'gone',
        held_until: new Date(house.clock.now().getTime() - 1000),
      })
      .execute()
  const { drafts } = house.app.blobs
  const failing = {
    ...drafts,
    size: (draft: string) => (draft === recordingDraft({ id: bad }) ? Promise.reject(new Error('The disk')) : drafts.size(draft)),
  }
  await endLeft({ ...house.app, blobs: { ...house.app.blobs, drafts: failing } } as typeof house.app, 0)
  for (const each of [bad, good]) expect((await ended(owner, each)).end_reason).toBe('server_stopped')
}, 30_000)

test('a recording is kept for as many days as the operator says', async () => {
  const { owner, open } = await newDevice()
  const { id, window } = await open()
  window.say({ t: 'end' })
  await window.message('ended')
  await ended(owner, id)
  const kept = () =>
    house.db.selectFrom('terminal_session').select(['recording', 'recording_until']).where('id', '=', id).executeTakeFirstOrThrow()
  await vi.waitFor(async () => expect((await kept()).recording).toBe('kept'), 20_000)
  const inDays = (days: number) => new Date(house.clock.now().getTime() + days * 86_400_000)
  expect((await kept()).recording_until).toEqual(inDays(90))
  // As after a server that was killed before it had written that down.
  const before = new Date(house.clock.now().getTime() - 1000)
  await house.db.updateTable('terminal_session').set({ recording: 'writing', held_until: before }).where('id', '=', id).execute()
  await endLeft({ ...house.app, config: { ...house.app.config, recordingDays: 7 } }, 0)
  expect(await kept()).toEqual({ recording: 'kept', recording_until: inDays(7) })
}, 30_000)
