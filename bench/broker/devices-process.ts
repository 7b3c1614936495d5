// Devices with our agent, in a process of their own: what they cost is not in the times of what is measured beside them. Each has an address of its own, as
// devices have, and comes back by itself as soon as it can.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { generate, parser, type Packet } from 'mqtt-packet'

/**
 * What the process is asked for. `every`: ms between two reports of one device; null: none. The first says only what it is asked to say: a report of
 * its own would take the place of what a screen waits for before that is shown.
 */
export type Asked =
  | { do: 'connect'; port: number; ids: readonly string[] }
  | { do: 'report'; every: number | null }
  | { do: 'say'; nth: number; vitals: object }
/** Its answer, once that is done. `reports`: that the broker has received so far. */
export type Said = { done: Asked['do']; reports: number }

const password = Buffer.from('bench')
const keepalive = 60 // s
let reports = 0

const vitalsNow = () => ({
  at: new Date().toISOString(),
  cpu_pct: Math.round(Math.random() * 100),
  cores: 4,
  load_1: 0.5,
  memory_used_bytes: 400_000_000 + Math.round(Math.random() * 1e8),
  memory_total_bytes: 4_000_000_000,
  disk_used_bytes: 9_000_000_000,
  disk_total_bytes: 30_000_000_000,
  temperature_c: 40 + Math.round(Math.random() * 20),
  uptime_s: Math.round(performance.now() / 1000),
  undervolted: false,
  agent_rss_bytes: 50_000_000,
})

class Device {
  #socket: Socket | undefined
  #waiting = new Map<string, () => void>()
  #next = 1
  #seq = -1
  readonly #id: string
  readonly #from: string
  readonly #port: number

  constructor(id: string, nth: number, port: number) {
    this.#id = id
    this.#from = `127.1.${Math.floor(nth / 254)}.${(nth % 254) + 1}`
    this.#port = port
  }

  /** Connected, subscribed and born; from then on it comes back whenever its connection ends. */
  async begin(): Promise<void> {
    const { closed } = await this.#comeIn()
    void closed.then(() => this.begin())
  }

  /** Reports what it measured; resolves once the broker has it. */
  async report(vitals: object = vitalsNow()): Promise<void> {
    await this.#publish('hive', { type: 'data_vitals', mid: Math.random().toString(16).slice(2, 6), data: vitals })
    reports++
  }

  async #comeIn() {
    for (;;) {
      const tried = await this.#connect().catch(() => undefined)
      if (tried) return tried
      await pause(50 + Math.random() * 200)
    }
  }

  async #connect() {
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: this.#from, noDelay: true })
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    const ends = closed.then(() => Promise.reject(new Error('The connection ended')))
    ends.catch(() => {})
    await Promise.race([once(socket, 'connect'), ends])
    const packets = parser()
    packets.on('packet', (packet: Packet) => this.#receive(packet))
    socket.on('data', (piece: Buffer) => packets.parse(piece))
    this.#socket = socket
    this.#waiting.clear()
    const life = { seq: (this.#seq = (this.#seq + 1) % 256), ts: Date.now() / 1000 }
    const will = { topic: `device/${this.#id}/death`, payload: Buffer.from(JSON.stringify(life)), qos: 1, retain: false } as const
    const login = { clientId: `device/${this.#id}`, username: this.#id, password, keepalive, clean: true, will }
    socket.write(generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, ...login }))
    await Promise.race([this.#answered('connack'), ends])
    const subscriptions = [{ topic: `device/${this.#id}/directives`, qos: 1 }] as never
    socket.write(generate({ cmd: 'subscribe', messageId: 65_535, subscriptions }))
    await Promise.race([this.#answered('suback'), ends])
    await Promise.race([this.#publish('birth', { ...life, ...(life.seq === 0 && { fresh: true }) }), ends])
    const alive = setInterval(() => socket.write(generate({ cmd: 'pingreq' })), keepalive * 1000)
    void closed.then(() => clearInterval(alive))
    return { closed }
  }

  #answered = (what: string) => new Promise<void>((resolve) => void this.#waiting.set(what, resolve))

  async #publish(subject: 'birth' | 'hive', body: object): Promise<void> {
    const messageId = (this.#next = (this.#next % 60_000) + 1)
    const received = this.#answered(`puback ${messageId}`)
    const topic = `device/${this.#id}/${subject}`
    this.#socket?.write(generate({ cmd: 'publish', topic, payload: JSON.stringify(body), qos: 1, messageId, retain: false, dup: false }))
    await received
  }

  #receive(packet: Packet) {
    if (packet.cmd === 'publish' && packet.qos === 1) this.#socket?.write(generate({ cmd: 'puback', messageId: packet.messageId! }))
    if (packet.cmd === 'connack' && packet.returnCode !== 0) return this.#socket?.destroy()
    const answers = packet.cmd === 'puback' ? `puback ${packet.messageId}` : packet.cmd
    const resolve = this.#waiting.get(answers)
    this.#waiting.delete(answers)
    resolve?.()
  }
}

let devices: Device[] = []
let reporting = new AbortController()

/** At its own moment of the time between two reports. */
async function goOnReporting(device: Device, every: number, signal: AbortSignal) {
  await pause(Math.random() * every, undefined, { signal })
  for (;;) {
    const due = performance.now() + every
    void device.report()
    await pause(Math.max(0, due - performance.now()), undefined, { signal })
  }
}

async function does(asked: Asked): Promise<void> {
  if (asked.do === 'connect') {
    devices = asked.ids.map((id, nth) => new Device(id, nth, asked.port))
    await Promise.all(devices.map((device) => device.begin()))
  } else if (asked.do === 'say') await devices[asked.nth]!.report(asked.vitals)
  else {
    reporting.abort()
    reporting = new AbortController()
    const { every } = asked
    if (every !== null) for (const device of devices.slice(1)) void goOnReporting(device, every, reporting.signal).catch(() => {})
  }
}

process.on('message', (asked: Asked) => void does(asked).then(() => process.send?.({ done: asked.do, reports } satisfies Said)))
process.on('disconnect', () => process.exit())
