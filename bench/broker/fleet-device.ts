import { connect, type Socket } from 'node:net'
import { generate, parser } from 'mqtt-packet'
import { agentClientId, agentTopics, reportOf, type Vitals } from '@masthead/contract/devices/agent/messages'

const soon = () => 50 + Math.random() * 150 // ms

export type Counts = { accepted: number; refused: number; reports: number; stored: number; waits: number[] }

/** A device as our agent connects it: its birth, its topic, a report by QoS 1; after a loss it is back at once, as the worst fleet would be. */
export class FleetDevice {
  #socket: Socket | undefined
  #seq = -1
  #mid = 0
  #sentAt = 0
  #ended = false
  up = false
  readonly #port: () => number
  readonly #id: string
  readonly #counts: Counts

  constructor(port: () => number, id: string, counts: Counts) {
    this.#port = port
    this.#id = id
    this.#counts = counts
  }

  start() {
    if (this.#ended) return
    const socket = connect({ port: this.#port(), host: '127.0.0.1', noDelay: true })
    this.#socket = socket
    const topics = agentTopics(this.#id)
    this.#seq = (this.#seq + 1) % 256
    const life = JSON.stringify({ seq: this.#seq, ts: Date.now() / 1000 })
    const heard = parser()
    heard.on('packet', (packet) => {
      if (packet.cmd === 'connack') {
        if (packet.returnCode !== 0) return void this.#counts.refused++
        this.#counts.accepted++
        const birth = { cmd: 'publish', topic: topics.birth, payload: life, qos: 1, messageId: 1, retain: false, dup: false } as const
        socket.write(generate({ cmd: 'subscribe', messageId: 2, subscriptions: [{ topic: topics.directives, qos: 1 }] }))
        socket.write(generate(birth))
      } else if (packet.cmd === 'puback' && packet.messageId === 1) this.up = true
      else if (packet.cmd === 'puback') {
        this.#counts.stored++
        this.#counts.waits.push(performance.now() - this.#sentAt)
      } else if (packet.cmd === 'publish' && packet.qos === 1) socket.write(generate({ cmd: 'puback', messageId: packet.messageId! }))
    })
    heard.on('error', () => socket.destroy())
    socket.on('connect', () =>
      socket.write(
        generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          keepalive: 60,
          clientId: agentClientId(this.#id),
          username: this.#id,
          password: Buffer.from('bench'),
          will: { topic: topics.death, payload: Buffer.from(life), qos: 1, retain: false },
        })
      )
    )
    socket.on('data', (piece) => heard.parse(piece))
    socket.on('error', () => {})
    socket.on('close', () => {
      this.up = false
      if (!this.#ended) setTimeout(() => this.start(), soon())
    })
  }

  report() {
    if (!this.up) return
    const at = new Date().toISOString()
    const of = { cores: 4, load_1: 0.4, memory_used_bytes: 4e8, memory_total_bytes: 1e9, disk_used_bytes: 1e9, disk_total_bytes: 1e10 }
    const vitals: Vitals = { at, cpu_pct: 12.5, temperature_c: 41, uptime_s: 1000, undervolted: false, agent_rss_bytes: 6e7, ...of }
    const payload = JSON.stringify(reportOf('vitals', vitals, `${this.#seq}-${++this.#mid}`))
    const messageId = 3 + (this.#mid % 60_000)
    this.#sentAt = performance.now()
    this.#counts.reports++
    this.#socket!.write(
      generate({ cmd: 'publish', topic: agentTopics(this.#id).hive, payload, qos: 1, messageId, retain: false, dup: false })
    )
  }

  end() {
    this.#ended = true
    this.#socket?.destroy()
  }
}
