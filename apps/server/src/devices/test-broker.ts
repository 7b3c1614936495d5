import { connect as connectTcp, type Socket } from 'node:net'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { generate } from 'mqtt-packet'
import { openHouse, type House, type Person } from '@masthead/testkit/house'
import { putAsset } from '../assets/test-stock.ts'
import { startBroker } from './broker/start-broker.ts'
import { enrolDevice, type DeviceLogin } from './index.ts'

let made = 0

/** A house with a broker of its own. */
export async function openBrokerHouse({ bounds }: Pick<Parameters<typeof startBroker>[0], 'bounds'> = {}) {
  const house = await openHouse({ config: { host: '127.0.0.1', ports: { http: 0, radiusAuth: 0, radiusAcct: 0, mqtt: 0, mqtts: 0 } } })
  const owner = await house.newOwner('devices')
  const { config, log } = house.app
  const start = () =>
    startBroker({ config, databaseUrl: house.databaseUrl, log, clock: house.clock, name: 'test', ...(bounds && { bounds }) })
  let broker = await start()
  return {
    ...house,
    owner,
    get broker() {
      return broker
    },
    restart: async () => {
      await broker.stop()
      broker = await start()
    },
    newDevice: (kind: 'core' | 'agent' = 'core') => newDevice(house, owner, kind),
    find: (device_id: string) => house.db.selectFrom('device').selectAll().where('id', '=', device_id).executeTakeFirstOrThrow(),
    connect: (login: DeviceLogin, options: IClientOptions = {}) => connectDevice(broker.ports.mqtt, login, options),
    raw: () => openRaw(broker.ports.mqtt),
    async [Symbol.asyncDispose]() {
      await broker.stop()
      await house[Symbol.asyncDispose]()
    },
  }
}
export type BrokerHouse = Awaited<ReturnType<typeof openBrokerHouse>>

export async function newDevice(house: Pick<House, 'db' | 'clock'>, { account_id }: Pick<Person, 'account_id'>, kind: 'core' | 'agent') {
  const number = String(++made).padStart(6, '0')
  const sim = { iccid: `8931080000002${number}`, imsi: `204080002${number}`, state: 'active' as const }
  const { id: asset_id } = await putAsset(house, { account_id }, { serial: `DV-${number}`, name: `Weir ${made}`, ...sim })
  const at = house.clock.now()
  const login = await house.db.transaction().execute((tx) => enrolDevice(tx, { account_id, asset_id, kind, at }))
  return { ...login, asset_id, account_id }
}

/** A device as the CORE agent connects it: a lasting session, no keep-alive of its own doing, no second try. */
export function connectDevice(port: number, { username, password }: DeviceLogin, options: IClientOptions = {}): Promise<MqttClient> {
  return connectAsync(`mqtt://127.0.0.1:${port}`, {
    clientId: `device/${username}`,
    username,
    password,
    clean: false,
    keepalive: 60,
    reconnectPeriod: 0,
    protocolVersion: 4,
    ...options,
  })
}

/** Connects with a will, subscribes to directives and publishes its birth, as the CORE agent does. `said`: the directives, as they came. */
export async function goOnline(
  house: Pick<BrokerHouse, 'connect'>,
  device: DeviceLogin,
  life: { seq: number; ts: number; fresh?: boolean }
) {
  const death = { topic: `device/${device.username}/death`, payload: Buffer.from(JSON.stringify({ seq: life.seq, ts: life.ts })) }
  const client = await house.connect(device, { will: { ...death, qos: 2, retain: true } })
  const said: Record<string, unknown>[] = []
  client.on('message', (_topic, payload) => void said.push(JSON.parse(payload.toString()) as Record<string, unknown>))
  await client.subscribeAsync(`device/${device.username}/directives`, { qos: 1 })
  await client.publishAsync(`device/${device.username}/birth`, JSON.stringify(life), { qos: 2, retain: true })
  const say = (body: unknown) => client.publishAsync(`device/${device.username}/hive`, JSON.stringify(body))
  return { client, said, say }
}

/** Once the broker has ended the connection. */
export const closing = (client: MqttClient): Promise<void> => new Promise((resolve) => client.once('close', () => resolve()))

/** With what a device signs in, as its bytes are; its session is not kept. */
export const connectBytes = ({ username, password }: Pick<DeviceLogin, 'username' | 'password'>): Buffer =>
  generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clientId: `device/${username}`,
    clean: true,
    keepalive: 60,
    username,
    password: Buffer.from(password),
  })
/** The answer to it where it is let in. */
export const letIn = Buffer.from([0x20, 2, 0, 0])

/** Bytes as they are. */
export function openRaw(port: number): Promise<Socket & { received: () => Buffer; ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(port, '127.0.0.1')
    const pieces: Buffer[] = []
    socket.on('data', (piece) => pieces.push(piece))
    const ended = new Promise<void>((end) => socket.once('close', () => end()))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.on('error', () => {})
      resolve(Object.assign(socket, { received: () => Buffer.concat(pieces), ended }))
    })
  })
}
