import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { encodeRequest, replyFault } from '@masthead/radius/authenticator'
import { dictionary } from '@masthead/radius/dictionary'
import type { Attributes } from '@masthead/radius/dictionary'
import { codes, decode, find } from '@masthead/radius/packet'
import { Agenda, standingClock } from './agenda.ts'
import { openGateway } from './gateway.ts'
import { seededRandom } from './random.ts'
import type { Device } from './session.ts'
import { openAnswerer, until } from './test-answerer.ts'

const secret = Buffer.from('s3cret')
const start = 1_760_000_000_000
const closing: { close(): void }[] = []
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

const device: Device = {
  imsi: '204080000000001',
  msisdn: '31600000001',
  imei: '353490069873319',
  apn: 'iot.example',
  home: '204-08',
  visited: { mccmnc: '310-410', rat: 'LTE-M' },
  area: 4660,
  cell: 99,
}
const grant = { interim_interval: 300, session_timeout: null, framed_ip: '10.0.0.2', class: [] }

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.2')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

async function setUp(decide?: Parameters<typeof openAnswerer>[1]) {
  const answerer = await openAnswerer('s3cret', decide)
  const clock = standingClock(start)
  const coa_port = await freePort()
  const options = { name: 'pgw-1', address: '127.0.0.2', secret: 's3cret', coa_port, server: answerer.server, random: seededRandom(1) }
  const gateway = await openGateway({ ...options, agenda: new Agenda(clock) })
  const asker = createSocket('udp4').bind(0, '127.0.0.1')
  await once(asker, 'listening')
  closing.push(gateway, answerer, asker)
  const send = (code: 40 | 43, attributes: Attributes, { identifier = 1, key = secret } = {}) => {
    const bytes = encodeRequest({ code, identifier, attributes }, key)
    asker.send(bytes, coa_port, '127.0.0.2')
    return bytes
  }
  const ask = async (code: 40 | 43, attributes: Attributes) => {
    const asked = send(code, attributes)
    const [bytes] = (await once(asker, 'message')) as [Buffer]
    const reply = decode(bytes)
    if (typeof reply === 'string') throw new Error(reply)
    expect(replyFault(reply, asked.subarray(4, 20), secret)).toBeNull()
    return { code: reply.code, error_cause: find(reply, dictionary.error_cause), bytes }
  }
  return { answerer, clock, gateway, ask, send, asker }
}

test('an Accept is taken with all that it grants', async () => {
  const attributes = { acct_interim_interval: 60, session_timeout: 3600, framed_ip: '10.7.7.7', class: Buffer.from('c') }
  const { answerer, gateway } = await setUp(({ packet }) => (packet.code === codes.access_request ? { attributes } : {}))
  const answer = await gateway.authorise(device, '10.0.0.2')
  expect(answer).toEqual({
    kind: 'accepted',
    grant: { interim_interval: 60, session_timeout: 3600, framed_ip: '10.7.7.7', class: [Buffer.from('c')] },
  })
  expect(answerer.of('access')[0]!.record).toMatchObject({
    nas_identifier: 'pgw-1',
    nas_ip: '127.0.0.2',
    imsi: device.imsi,
    msisdn: device.msisdn,
    imei: device.imei,
    called_station_id: 'iot.example',
    visited_mccmnc: '310-410',
    home_mccmnc: '204-08',
    rat: 'LTE-M',
    user_location: { type: 'tai_ecgi', mcc: '310', mnc: '410', area: 4660, cell: 99 },
  })
})

test('a Reject comes with its words', async () => {
  const { gateway } = await setUp(() => ({ code: 3, attributes: { reply_message: 'Data limit reached' } }))
  expect(await gateway.authorise(device, '10.0.0.2')).toEqual({ kind: 'rejected', words: 'Data limit reached' })
})

test('a session from Start to Stop, its counters cumulative and above 32 bits', async () => {
  const { answerer, clock, gateway } = await setUp()
  const total = { input: 0, output: 0 }
  const session = gateway.open(device, { ...grant, class: [Buffer.from('c')] }, { total })
  await until(() => gateway.inFlight() === 0)
  session.count({ up: 1000, down: 5e9 })
  clock.advance(61_000)
  expect(await session.report()).toBe(true)
  session.count({ up: 1, down: 2 })
  expect(await session.stop('User-Request')).toBe(true)
  const told = answerer.received.map(
    ({ record: { status_type, session_time, event_timestamp, input_octets, output_octets, terminate_cause } }) => [
      status_type,
      session_time,
      event_timestamp! - start / 1000,
      input_octets,
      output_octets,
      terminate_cause,
    ]
  )
  expect(told).toEqual([
    ['start', 0, 0, null, null, null],
    ['interim', 61, 61, 1000, 5e9, null],
    ['stop', 62, 61, 1001, 5e9 + 2, 'User-Request'],
  ])
  expect(new Set(answerer.received.map(({ record }) => record.session_id))).toEqual(new Set([session.id]))
  expect(session.acknowledged).toEqual({ input: 1001, output: 5e9 + 2 })
  expect(total).toEqual(session.acknowledged)
  expect(gateway.sessions.size).toBe(0)
  expect(find(answerer.received[2]!.packet, dictionary.class)).toEqual(Buffer.from('c'))
})

test('a Stop is repeated until somebody answers it, and what was never answered is not acknowledged', async () => {
  const { answerer, clock, gateway } = await setUp((_, before) => (before.length < 12 ? 'silence' : {}))
  const session = gateway.open(device, grant)
  session.count({ up: 10, down: 20 })
  const stopped = session.stop('Lost-Carrier')
  expect(session.acknowledged).toEqual({ input: 0, output: 0 })
  let isReceived = false
  void stopped.then(() => (isReceived = true))
  await until(() => {
    clock.advance(500)
    return isReceived
  })
  expect(session.acknowledged).toEqual({ input: 10, output: 20 })
  expect(answerer.of('stop').length).toBeGreaterThan(6)
})

test('On and Off', async () => {
  const { answerer, gateway } = await setUp()
  expect([await gateway.announce('on'), await gateway.announce('off')]).toEqual([true, true])
  expect(answerer.received.map(({ record }) => [record.status_type, record.nas_identifier])).toEqual([
    ['on', 'pgw-1'],
    ['off', 'pgw-1'],
  ])
})

describe('a Disconnect-Request', () => {
  test.each<[string, (id: string) => Attributes]>([
    ['by session', (id) => ({ acct_session_id: id })],
    ['by IMSI', () => ({ imsi: device.imsi })],
    ['by APN and address', () => ({ called_station_id: 'iot.example', framed_ip: '10.0.0.2' })],
    ['by everything', (id) => ({ nas_identifier: 'pgw-1', nas_ip: '127.0.0.2', acct_session_id: id, imsi: device.imsi })],
  ])('%s is acknowledged, and the session stops with Admin-Reset', async (_, keys) => {
    const { answerer, gateway, ask } = await setUp()
    const session = gateway.open(device, grant)
    session.count({ up: 3, down: 4 })
    expect(await ask(40, keys(session.id))).toMatchObject({ code: 41, error_cause: null })
    await until(() => answerer.of('stop').length === 1)
    expect(answerer.of('stop')[0]!.record).toMatchObject({ terminate_cause: 'Admin-Reset', input_octets: 3, output_octets: 4 })
  })

  test.each<[string, number, (id: string) => Attributes]>([
    ['for a session nobody has', 503, () => ({ acct_session_id: 'gone' })],
    ['whose keys do not fit together', 503, (id) => ({ acct_session_id: id, imsi: '204080000000009' })],
    ['without any key', 402, () => ({})],
    ['for another gateway', 403, (id) => ({ nas_identifier: 'pgw-2', acct_session_id: id })],
  ])('%s is refused with %i', async (_, error_cause, keys) => {
    const { gateway, ask } = await setUp()
    const session = gateway.open(device, grant)
    expect(await ask(40, keys(session.id))).toMatchObject({ code: 42, error_cause })
    expect(gateway.sessions.size).toBe(1)
  })

  test('that fits two sessions is refused with 508', async () => {
    const { gateway, ask } = await setUp()
    gateway.open(device, grant)
    gateway.open(device, grant)
    expect(await ask(40, { imsi: device.imsi })).toMatchObject({ code: 42, error_cause: 508 })
  })

  test('sent twice is answered twice alike and done once', async () => {
    const { gateway, ask } = await setUp()
    let cuts = 0
    const session = gateway.open(device, grant, { onCut: () => cuts++ })
    const first = await ask(40, { acct_session_id: session.id })
    void session.stop('Admin-Reset')
    const second = await ask(40, { acct_session_id: session.id })
    expect(second.bytes).toEqual(first.bytes)
    expect(cuts).toBe(1)
  })

  test('with the wrong secret is met with silence', async () => {
    const { gateway, ask, send } = await setUp()
    const session = gateway.open(device, grant)
    send(40, { acct_session_id: session.id }, { identifier: 77, key: Buffer.from('wrong') })
    // The next one is answered first: the other was left unanswered, or this answer would be to it.
    expect(await ask(40, { acct_session_id: 'gone' })).toMatchObject({ code: 42, error_cause: 503 })
    expect(gateway.sessions.size).toBe(1)
  })
})

test('a CoA-Request changes the interim interval, and nothing else can be changed', async () => {
  const { gateway, ask } = await setUp()
  const session = gateway.open(device, grant)
  expect(await ask(43, { acct_session_id: session.id, acct_interim_interval: 60 })).toMatchObject({ code: 44 })
  expect(session.interim_interval).toBe(60)
  expect(await ask(43, { acct_session_id: session.id, filter_id: 'slow' })).toMatchObject({ code: 45, error_cause: 401 })
})

test('a taken port is refused and leaves nothing open', async () => {
  const port = await freePort()
  const taker = createSocket('udp4').bind(port, '127.0.0.2')
  await once(taker, 'listening')
  closing.push(taker)
  const options = {
    name: 'x',
    address: '127.0.0.2',
    secret: 'x',
    coa_port: port,
    random: seededRandom(1),
    agenda: new Agenda(standingClock(0)),
  }
  await expect(openGateway({ ...options, server: { host: '127.0.0.1', auth_port: 1, acct_port: 2 } })).rejects.toThrow('EADDRINUSE')
})
