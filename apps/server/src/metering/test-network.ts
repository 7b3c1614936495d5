import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { encodeRequest, replyFault, type Request } from '@masthead/radius/authenticator'
import type { Attributes } from '@masthead/radius/dictionary'
import { codes, decode, type Packet } from '@masthead/radius/packet'
import { expect } from 'vitest'
import type { openLoad } from '@masthead/simulator/load'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putAsset } from '../assets/test-stock.ts'
import type { Reading } from './reading.ts'
import { startMeter, type Meter } from './start-meter.ts'
import { putGateway } from '../gateways/test-gateway.ts'

const patience = 10_000 // ms: only a failing test waits this long

/** A house with a meter, a gateway at 127.0.0.1 and somebody who owns SIMs. */
export async function openMeteredHouse({ legacy = false, meter: withMeter = true } = {}) {
  const house = await openHouse({ config: { host: '127.0.0.1', ports: { http: 0, radiusAuth: 0, radiusAcct: 0, mqtt: 0, mqtts: 0 } } })
  const owner = await house.newOwner('meter')
  const coa = createSocket('udp4')
  coa.bind(0, '127.0.0.1')
  await once(coa, 'listening')
  const coa_port = coa.address().port
  const { gateway_id, address_id } = await putGateway(house.db, { address: '127.0.0.1', secret: 'secret', legacy, coa_port })
  const start = (changes: Partial<House['app']['config']> = {}) =>
    startMeter({ config: { ...house.app.config, ...changes }, databaseUrl: house.databaseUrl, log: house.app.log, clock: house.clock })
  let meter = withMeter ? await start() : (undefined as unknown as Meter)
  const client = await openClient(() => meter.ports)
  return {
    ...house,
    owner,
    gateway_id,
    address_id,
    get meter() {
      return meter
    },
    /** Where the gateway takes Disconnect-Requests. */
    coa,
    client,
    startMeter: start,
    /** Ends the meter and starts another in its place. */
    restartMeter: async () => {
      await meter.stop()
      meter = await start()
    },
    newSim: (options?: Parameters<typeof newSim>[2]) => newSim(house, owner, options),
    counter: (sim: { id: string }) => house.db.selectFrom('sim_counter').selectAll().where('sim_id', '=', sim.id).executeTakeFirst(),
    sessionsOf: (sim: { id: string }) =>
      house.db.selectFrom('data_session').selectAll().where('sim_id', '=', sim.id).orderBy('id').execute(),
    async [Symbol.asyncDispose]() {
      client.close()
      await meter?.stop()
      coa.close()
      await house[Symbol.asyncDispose]()
    },
  }
}
export type MeteredHouse = Awaited<ReturnType<typeof openMeteredHouse>>

let made = 0

export type TestSim = { id: string; asset_id: string; imsi: string; msisdn: string; iccid: string }

/** An asset with a SIM that has service. */
export async function newSim(
  house: Pick<House, 'db'>,
  owner: Pick<Person, 'account_id'>,
  { state = 'active', limit_bytes = null }: { state?: 'ready' | 'active' | 'inactive' | 'standby'; limit_bytes?: number | null } = {}
): Promise<TestSim> {
  const digits = String(++made).padStart(6, '0')
  const sim = { imsi: `204080000${digits}`, msisdn: `31970000${digits}`, iccid: `8931080000000${digits}` }
  const { id: asset_id, sim_id: id } = await putAsset(house, owner, {
    ...sim,
    serial: sim.iccid,
    name: `Tracker ${made}`,
    state,
    limit_bytes,
  })
  return { id, asset_id, ...sim }
}

type Code = Request['code']

/** A gateway's side of RADIUS: sends from one port and knows which answer belongs to which request. */
export async function openClient(ports: () => { auth: number; acct: number }) {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const waiting = new Map<number, { request: Buffer; secret: Buffer; resolve: (reply: Packet) => void }>()
  let identifier = 0
  socket.on('message', (datagram) => {
    const reply = decode(datagram)
    if (typeof reply === 'string') return
    const asked = waiting.get(reply.identifier)
    if (!asked || replyFault(reply, asked.request.subarray(4, 20), asked.secret, asked.request[0] as Code)) return
    waiting.delete(reply.identifier)
    asked.resolve(reply)
  })
  const portOf = (code: Code) => (code === codes.access_request ? 'auth' : 'acct')
  const nextIdentifier = () => (identifier = (identifier + 1) % 256)

  /** Sends octets as they are. */
  const send = (datagram: Buffer, port: 'auth' | 'acct' = 'acct') => socket.send(datagram, ports()[port], '127.0.0.1')

  /** Sends a request and waits for its believable answer. */
  function ask(code: Code, attributes: Attributes, { secret = 'secret', message_authenticator = true } = {}): Promise<Packet> {
    const request = encodeRequest({ code, identifier: nextIdentifier(), attributes, message_authenticator }, Buffer.from(secret))
    return askWith(request, secret)
  }

  /** `port`: where this kind goes, unless given. */
  function askWith(request: Buffer, secret = 'secret', port: 'auth' | 'acct' = portOf(request[0] as Code)): Promise<Packet> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), patience)
      const done = (reply: Packet) => {
        clearTimeout(timer)
        resolve(reply)
      }
      waiting.set(request[1]!, { request, secret: Buffer.from(secret), resolve: done })
      socket.send(request, ports()[port], '127.0.0.1')
    })
  }

  /** A Status-Server to a port. */
  const status = (port: 'auth' | 'acct', { secret = 'secret', message_authenticator = true } = {}) => {
    const attributes = { nas_identifier: 'proxy' }
    const request = encodeRequest(
      { code: codes.status_server, identifier: nextIdentifier(), attributes, message_authenticator },
      Buffer.from(secret)
    )
    return askWith(request, secret, port)
  }

  const account = (attributes: Attributes, options?: { secret?: string; message_authenticator?: boolean }) =>
    ask(codes.accounting_request, { nas_identifier: 'pgw-1', ...attributes }, options)

  return {
    send,
    askWith,
    ask,
    account,
    status,
    access: (attributes: Attributes, options?: { secret?: string; message_authenticator?: boolean }) =>
      ask(codes.access_request, attributes, options),
    /**
     * Whether a request stays unanswered: one that must be answered follows it on the same way, and its answer comes alone.
     * `sentinel` is that second request.
     */
    async isSilent(request: () => Promise<Packet>, sentinel: () => Promise<Packet>): Promise<boolean> {
      let answered = false
      request().then(
        () => (answered = true),
        () => {}
      )
      await sentinel()
      return !answered
    },
    close: () => socket.close(),
  }
}

/** The attributes of a session's packets. Octets, seconds. */
export const packetOf = (
  sim: TestSim,
  kind: 'start' | 'interim' | 'stop',
  { id = 'a1', time, up, down, at, ...rest }: { id?: string; time?: number; up?: number; down?: number; at?: number } & Attributes = {}
): Attributes => ({
  acct_status_type: { start: 1, stop: 2, interim: 3 }[kind],
  acct_session_id: id,
  imsi: sim.imsi,
  ...(time !== undefined && { acct_session_time: time }),
  ...(up !== undefined && { acct_input_octets: up }),
  ...(down !== undefined && { acct_output_octets: down }),
  ...(at !== undefined && { event_timestamp: at }),
  ...rest,
})

/** A report of a SIM's session as the ingest takes it. */
export const readingOf = (
  house: Pick<MeteredHouse, 'clock' | 'gateway_id'>,
  sim: Pick<TestSim, 'imsi'>,
  changes: Partial<Reading> = {}
): Reading => {
  const now = house.clock.now().getTime()
  return {
    kind: 'interim',
    nas: 'pgw-1',
    acct_session_id: 'a1',
    gateway_id: house.gateway_id,
    heard_from: '127.0.0.1',
    imsi: sim.imsi,
    msisdn: null,
    user_name: null,
    event_at: now,
    is_timed: true,
    received_at: now,
    session_time: 60,
    counter_up: 10,
    counter_down: 0,
    has_gigawords: false,
    end_cause: null,
    apn: null,
    ip: null,
    rat: null,
    mccmnc: null,
    imei: null,
    cell: null,
    ...changes,
  }
}

/** Resolves once a reading is committed, or given up. */
export const stored = (house: MeteredHouse, reading: Reading, meter: Meter = house.meter) =>
  new Promise<boolean>((resolve) => meter.ingest.add(reading, resolve))

/** What is wrong with what was counted of a load by its gateway's name: sessions with less than was acknowledged, or more than was sent. */
export async function wrongSessions(house: MeteredHouse, load: Awaited<ReturnType<typeof openLoad>>, nas = 'load') {
  const rows = await house.db
    .selectFrom('data_session')
    .select(['acct_session_id', 'bytes_up', 'bytes_down'])
    .where('nas', '=', nas)
    .execute()
  const counted = new Map(rows.map((row) => [row.acct_session_id, row]))
  return load.sessions.filter(({ session_id, known, acknowledged_input, acknowledged_output, sent_input, sent_output }) => {
    const row = counted.get(session_id)
    if (!row) return known
    return (
      row.bytes_up < acknowledged_input || row.bytes_down < acknowledged_output || row.bytes_up > sent_input || row.bytes_down > sent_output
    )
  })
}

/** Sessions, records and counters must say the same. */
export async function expectConsistent(house: MeteredHouse) {
  const sum = async (table: 'data_session' | 'usage_record') =>
    (
      await house.db
        .selectFrom(table)
        .select(['sim_id', (eb) => eb.fn.sum<number>('bytes_up').as('up'), (eb) => eb.fn.sum<number>('bytes_down').as('down')])
        .groupBy('sim_id')
        .orderBy('sim_id')
        .execute()
    ).filter((row) => row.up + row.down > 0)
  const counters = await house.db
    .selectFrom('sim_counter')
    .select(['sim_id', 'lifetime_up as up', 'lifetime_down as down'])
    .orderBy('sim_id')
    .execute()
  const used = counters.filter((row) => row.up + row.down > 0)
  expect(await sum('data_session')).toEqual(used)
  expect(await sum('usage_record')).toEqual(used)
}

/** Another gateway, with its own address and secret. */
export async function openGateway(house: MeteredHouse, address = '127.0.0.7') {
  const secret = `secret of ${address}`
  const { gateway_id } = await putGateway(house.db, { name: 'B', address, secret })
  await expect.poll(() => house.meter.gateways.byAddress(address)?.name, { timeout: 20_000 }).toBe('B')
  const socket = createSocket('udp4')
  socket.bind(0, address)
  await once(socket, 'listening')
  let identifier = 0
  return {
    gateway_id,
    account: async (attributes: Attributes) => {
      const all = { nas_identifier: 'pgw-1', ...attributes }
      const request = encodeRequest({ code: codes.accounting_request, identifier: ++identifier, attributes: all }, Buffer.from(secret))
      const answered = once(socket, 'message')
      socket.send(request, house.meter.ports.acct, '127.0.0.1')
      await answered
    },
    close: () => socket.close(),
  }
}
