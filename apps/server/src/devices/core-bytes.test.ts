import { setImmediate as turn } from 'node:timers/promises'
import { configureDevice, getDevice, updateDevice } from '@masthead/contract/devices/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrokerHouse, type BrokerHouse } from './test-broker.ts'

// What a CORE device of today and its broker say, as it stands on the wire: packets are written by hand from MQTT 3.1.1 and domain §6.1 to §6.5, and by no library.

let house: BrokerHouse
beforeAll(async () => {
  house = await openBrokerHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** §1.5.3: a text with its length before it. */
const text = (words: string) => Buffer.concat([Buffer.from([words.length >> 8, words.length & 0xff]), Buffer.from(words)])
const number = (id: number) => Buffer.from([id >> 8, id & 0xff])
/** §2.2: its first byte and its length before what it says. */
function packet(first: number, ...parts: readonly Buffer[]): Buffer {
  const rest = Buffer.concat(parts)
  const length = []
  for (let left = rest.length; length.length === 0 || left > 0; left >>= 7) length.push((left & 127) | (left > 127 ? 128 : 0))
  return Buffer.concat([Buffer.from([first, ...length]), rest])
}
/** As Python's `json.dumps` writes it. */
const python = (value: unknown): string =>
  JSON.stringify(value, undefined, 1)
    .replaceAll(/\n */g, ' ')
    .replaceAll(/([[{]) | ([\]}])/g, '$1$2')

/** A first packet of what was received, with what is behind it; undefined: it is not whole yet. */
function cut(bytes: Buffer): { whole: Buffer; rest: Buffer } | undefined {
  let [length, at] = [0, 1]
  for (let shift = 0; ; shift += 7, at++) {
    const byte = bytes[at]
    if (byte === undefined) return undefined
    length |= (byte & 127) << shift
    if (byte < 128) break
  }
  const end = at + 1 + length
  return bytes.length < end ? undefined : { whole: bytes.subarray(0, end), rest: bytes.subarray(end) }
}

type Device = Awaited<ReturnType<BrokerHouse['newDevice']>>

/** One connection of a device. */
async function open({ username }: Pick<Device, 'username'>) {
  const socket = await house.raw()
  socket.setNoDelay(true)
  let taken = 0
  const next = async () => {
    const ready = () => cut(socket.received().subarray(taken))
    await expect.poll(() => ready() !== undefined).toBe(true)
    const { whole } = ready()!
    taken += whole.length
    return whole
  }
  const own = `device/${username}`
  return {
    own,
    socket,
    next,
    /** A byte at a time, as a slow line may bring it. */
    async say(bytes: Buffer) {
      for (const byte of bytes) {
        socket.write(Buffer.of(byte))
        await turn()
      }
    },
    /** QoS 0, not retained. */
    hive: (body: unknown) => packet(0x30, text(`${own}/hive`), Buffer.from(python(body))),
    /** What comes by QoS 1, and what acknowledges it. */
    async directive() {
      const whole = await next()
      const topic = text(`${own}/directives`)
      const at = whole.indexOf(topic) + topic.length
      expect([whole[0], at]).toEqual([0x32, topic.length + (whole.length > 129 ? 3 : 2)])
      const body = JSON.parse(whole.subarray(at + 2).toString()) as { command: string; data: Record<string, unknown> }
      return { body, ack: packet(0x40, whole.subarray(at, at + 2)) }
    },
    nothingElse: () => expect(socket.received().length).toBe(taken),
  }
}

/** §3.1 and domain §6.1: user name, password, a retained will of QoS 2, a session that lasts, 60 s. */
const connect = (username: string, life: { seq: number; ts: number }, keepAlive = 60) =>
  packet(
    0x10,
    text('MQTT'),
    Buffer.from([4, 0b1111_0100, 0, keepAlive]),
    text(`device/${username}`),
    text(`device/${username}/death`),
    text(python(life)),
    text(username),
    text('sixfab')
  )
const bytes = (...all: number[]) => Buffer.from(all)
const sorted = (packets: readonly Buffer[]) => packets.toSorted((one, other) => one.compare(other))

test('a CORE device as its bytes are: it signs in, is born, reports, is configured and updated, and dies by its will', async () => {
  const device = await house.newDevice()
  const { username, asset_id, device_id } = device
  await house.db.updateTable('asset').set({ type: 'core' }).where('id', '=', asset_id).execute()
  const params = { asset_id }
  const check = async () => (await house.owner.call(getDevice, { params })).body.device!
  const life = { seq: 0, ts: 1_701_000_000 }
  const line = await open(device)

  await line.say(connect(username, life))
  expect(await line.next()).toEqual(bytes(0x20, 2, 0, 0))
  await line.say(packet(0x82, number(1), text(`${line.own}/directives`), bytes(1)))
  await line.say(packet(0x82, number(2), text(`signaling/${username}/request`), bytes(1)))
  await line.say(packet(0x35, text(`${line.own}/birth`), number(3), Buffer.from(python({ ...life, fresh: true }))))
  expect(sorted([await line.next(), await line.next(), await line.next()])).toEqual([
    bytes(0x50, 2, 0, 3),
    bytes(0x90, 3, 0, 1, 1),
    bytes(0x90, 3, 0, 2, 1),
  ])
  await line.say(bytes(0x62, 2, 0, 3))
  expect(await line.next()).toEqual(bytes(0x70, 2, 0, 3))
  await expect.poll(async () => (await check()).presence).toBe('online')

  // Bare words, half of JSON and what is no message of its own are left without an answer; the connection stays.
  await line.say(packet(0x30, text(`signaling/${username}/response`), Buffer.from('platform_not_supported')))
  await line.say(packet(0x30, text(`${line.own}/hive`), Buffer.from('{"type": "data_sys')))
  await line.say(line.hive({ type: 'data_system', data: { agent_version: '1.8.3', imei: null, board: 'Unknown' }, mid: 'a1b2' }))
  const ack = (data: string) => packet(0x30, text(`${line.own}/directives`), Buffer.from(JSON.stringify({ command: 'ack', data })))
  expect(await line.next()).toEqual(ack('a1b2'))
  // As agents of before 1.8 send it.
  const diagnostic = { diagnostic: 333, incident_id: 1 }
  await line.say(line.hive({ type: 'data_diagnostic', data: diagnostic, mid: 'c3d4' }))
  expect(await line.next()).toEqual(ack('c3d4'))
  expect((await check()).reported).toEqual({ system: { agent_version: '1.8.3', imei: null, board: 'Unknown' }, diagnostic })

  const { body: change } = await house.owner.call(configureDevice, { params, body: { apn: 'super', ping_timeout: 5 } })
  const wanted = await line.directive()
  expect(wanted.body).toMatchObject({ command: 'config', data: { id: change.id, configs: { apn: 'super', ping_timeout: 5 } } })
  expect(Number.isInteger(wanted.body.data.ts)).toBe(true)
  await line.say(wanted.ack)
  const status = (word: string) => line.hive({ type: 'config', data: { id: change.id, status: word } })
  await line.say(status('sent'))
  await expect.poll(async () => (await check()).configs[0]!.state).toBe('sent')
  // It asks again until it is acknowledged.
  for (let time = 0; time < 2; time++) {
    await line.say(status('received'))
    const done = await line.directive()
    expect(done.body).toEqual({ command: 'ack', data: change.id })
    await line.say(done.ack)
  }
  expect((await check()).configs[0]!.state).toBe('acked')

  await house.owner.call(updateDevice, { params, body: { update: ['agent'] } })
  const update = await line.directive()
  expect(update.body).toEqual({ command: 'maintenance', data: { update: ['agent'], restart: [], beta: false } })
  await line.say(update.ack)
  await line.say(line.hive({ type: 'update_status', status: 'download_agent' }))
  await expect.poll(async () => (await check()).maintenance?.status).toBe('download_agent')
  await line.say(bytes(0xc0, 0))
  expect(await line.next()).toEqual(bytes(0xd0, 0))
  line.nothingElse()

  line.socket.destroy()
  await expect.poll(async () => (await check()).presence).toBe('offline')
  const again = await open(device)
  await again.say(connect(username, { seq: 1, ts: life.ts + 5 }))
  // §3.2.2.2: its session is there.
  expect(await again.next()).toEqual(bytes(0x20, 2, 1, 0))
  await again.say(packet(0x35, text(`${again.own}/birth`), number(1), Buffer.from(python({ seq: 1, ts: life.ts + 5 }))))
  expect(await again.next()).toEqual(bytes(0x50, 2, 0, 1))
  await again.say(bytes(0x62, 2, 0, 1))
  expect(await again.next()).toEqual(bytes(0x70, 2, 0, 1))
  await expect.poll(() => house.find(device_id)).toMatchObject({ online: true, last_seq: 1 })
  // §3.14: whoever says farewell leaves no will, and is offline all the same.
  await again.say(bytes(0xe0, 0))
  await again.socket.ended
  again.nothingElse()
  await expect.poll(async () => (await check()).presence).toBe('offline')
})

test('a device that says nothing for one and a half of its keep-alives has died, and counts its connections from 0 again after 255', async () => {
  const device = await house.newDevice()
  const find = () => house.find(device.device_id)
  for (const [place, seq] of [255, 0].entries()) {
    const life = { seq, ts: 1_701_000_000 + place }
    const line = await open(device)
    await line.say(connect(device.username, life, 2))
    expect(await line.next()).toEqual(bytes(0x20, 2, 0, 0))
    await line.say(packet(0x35, text(`${line.own}/birth`), number(1), Buffer.from(python(life))))
    expect(await line.next()).toEqual(bytes(0x50, 2, 0, 1))
    await line.say(bytes(0x62, 2, 0, 1))
    expect(await line.next()).toEqual(bytes(0x70, 2, 0, 1))
    await line.socket.ended
    await expect.poll(find).toMatchObject({ online: false, last_seq: seq, last_ts: life.ts, last_death_at: expect.any(Date) as Date })
  }
})

test('whoever signs in with a token that nobody has is answered 4 and let go, one with another client id 2', async () => {
  const device = await house.newDevice()
  for (const [client, username, code] of [
    ['nobody', 'nobody', 4],
    ['another', device.username, 2],
  ] as const) {
    const line = await open(device)
    const [head, tail] = [bytes(4, 0b1100_0010, 0, 60), [text(`device/${client}`), text(username), text('sixfab')]]
    await line.say(packet(0x10, text('MQTT'), head, ...tail))
    expect(await line.next()).toEqual(bytes(0x20, 2, 0, code))
    await line.socket.ended
    line.nothingElse()
  }
})
