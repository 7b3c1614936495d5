import { connect, type MqttClient } from 'mqtt'
import type { Random } from '../random.ts'
import { keepCommands } from './simulated-commands.ts'
import { SimulatedContainers } from './simulated-containers.ts'
import { keepCoreTerminals } from './simulated-core-terminals.ts'
import { simulatedShell } from './simulated-shell.ts'
import type { DevicePlan, PlannedDevice } from './device-plan.ts'
import { changesOf, Vitals, type Sections } from './vitals.ts'

type Directive = { command?: string; data?: unknown }
type Message = { section: string; keys: Record<string, unknown> }

const flakyEvery = 240 // checks
const awayFor = 12 // checks
const containersEvery = 6 // checks
const bootsFor = 20 // s

/** Speaks to the broker as the CORE agent does: birth and death, changes until they are acknowledged, configuration in two steps, updates. */
export class SimulatedDevice {
  #plan: DevicePlan
  #device: PlannedDevice
  #random: Random
  #vitals: Vitals
  #client: MqttClient | undefined
  #seq = 0
  #born = false
  #acked: Sections = {}
  #unacked = new Map<string, Message>()
  #looks: number
  #timers = new Set<NodeJS.Timeout>()
  #containers: SimulatedContainers | undefined
  #commands: ReturnType<typeof keepCommands> | undefined
  #coreTerminals: ReturnType<typeof keepCoreTerminals> | undefined

  constructor(plan: DevicePlan, device: PlannedDevice, random: Random) {
    this.#plan = plan
    this.#device = device
    this.#random = random
    this.#vitals = new Vitals(device, random, Date.now())
    this.#looks = random.whole(0, flakyEvery - 20)
    if (device.kind === 'core') {
      // The user as whom a CORE device starts its shell.
      const start = simulatedShell({ ...device, user: 'sixfab', containers: () => [], logOf: () => [] })
      const topic = `signaling/${device.username}/response`
      this.#coreTerminals = keepCoreTerminals({ start, answer: (message) => this.#client?.publish(topic, message) })
      return
    }
    if (!plan.server) return
    const containers = new SimulatedContainers(plan.server, device)
    this.#containers = containers
    this.#commands = keepCommands({
      server: plan.server,
      device,
      containers: () => containers.names(),
      measure: () => this.#vitals.measure(Date.now()),
      say: (message) => this.#say(message),
      // What it answers goes out first.
      reboot: () => this.#after(1, () => this.#reboot(containers)),
    })
  }

  start(): void {
    this.#connect()
    this.#after(this.#plan.every, () => this.#loop())
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#commands?.stop()
    this.#coreTerminals?.stop()
    await this.#client?.endAsync(true).catch(() => {})
  }

  get #own() {
    return `device/${this.#device.username}`
  }

  #connect() {
    const { broker } = this.#plan
    const { username, password } = this.#device
    const life = { seq: this.#seq, ts: Date.now() / 1000 }
    const client = connect(`mqtt://${broker.host}:${broker.port}`, {
      clientId: this.#own,
      username,
      password,
      clean: false,
      keepalive: 60,
      reconnectPeriod: 0,
      will: { topic: `${this.#own}/death`, payload: Buffer.from(JSON.stringify(life)), qos: 2, retain: true },
    })
    this.#client = client
    client.on('error', () => {})
    client.on('message', (topic, payload) => {
      if (topic === `${this.#own}/directives`) this.#receive(payload)
      else this.#coreTerminals?.receive(payload)
    })
    client.on('connect', () => {
      client.subscribe([`${this.#own}/directives`, `signaling/${username}/request`], { qos: 1 })
      const birth = this.#born ? life : { ...life, fresh: true }
      this.#born = true
      client.publish(`${this.#own}/birth`, JSON.stringify(birth), { qos: 2, retain: true })
      void this.#reportContainers()
    })
    client.on('close', () => {
      if (this.#client !== client) return
      this.#client = undefined
      this.#seq = (this.#seq + 1) % 256
      this.#after(5 + this.#random.next() * 5, () => this.#client ?? this.#connect())
    })
  }

  #loop() {
    this.#looks++
    const sections = this.#vitals.look(Date.now())
    if (this.#client?.connected) {
      this.#unacked.clear()
      for (const [section, now] of Object.entries(sections)) {
        const keys = section === 'vitals' ? now : changesOf(now, this.#acked[section])
        if (Object.keys(keys).length > 0) this.#report(section, keys)
      }
    }
    if (this.#looks % containersEvery === 0) void this.#reportContainers()
    if (this.#device.flaky && this.#looks % flakyEvery === 0) this.#vanish(this.#plan.every * awayFor)
    this.#after(this.#plan.every, () => this.#loop())
  }

  /** What it is to run is asked for each time: there are few of these devices. */
  async #reportContainers() {
    const reports = await this.#containers?.look(new Date()).catch(() => undefined)
    if (!reports) return
    const { state, network, again } = reports
    this.#say({ type: 'data_agent', data: state, mid: `containers-${state.seq}` })
    this.#say({ type: 'data_network', data: network.data, mid: `network-${state.seq}` })
    if (again) this.#after(again, () => this.#reportContainers())
  }

  #report(section: string, keys: Record<string, unknown>) {
    const mid = this.#random.whole(0, 0xffff).toString(16).padStart(4, '0')
    this.#unacked.set(mid, { section, keys })
    this.#say({ type: `data_${section}`, data: keys, mid })
  }

  #say(message: unknown) {
    this.#client?.publish(`${this.#own}/hive`, JSON.stringify(message))
  }

  /** As without coverage: nothing is said any more, also no farewell. */
  #vanish(seconds: number) {
    const client = this.#client
    this.#client = undefined
    client?.stream.destroy()
    client?.end(true)
    this.#seq = (this.#seq + 1) % 256
    this.#after(seconds, () => this.#connect())
  }

  #reboot(containers: SimulatedContainers) {
    this.#vanish(bootsFor)
    containers.rebooted(new Date(Date.now() + bootsFor * 1000))
  }

  #receive(payload: Buffer) {
    let said: Directive
    try {
      said = JSON.parse(payload.toString()) as Directive
    } catch {
      return
    }
    if (said.command === 'run') this.#commands?.receive(said.data)
    else if (said.command === 'look') void this.#reportContainers()
    else if (said.command === 'ack' && typeof said.data === 'string') this.#hearAck(said.data)
    else if (said.command === 'config') this.#configure(said.data as { id: string; configs: Record<string, unknown> })
    else if (said.command === 'maintenance') this.#update((said.data as { update?: string[] }).update ?? [])
  }

  #hearAck(mid: string) {
    const message = this.#unacked.get(mid)
    if (message) this.#acked[message.section] = { ...this.#acked[message.section], ...message.keys }
    this.#unacked.delete(mid)
  }

  #configure({ id, configs }: { id: string; configs: Record<string, unknown> }) {
    this.#say({ type: 'config', data: { id, status: 'sent' } })
    this.#after(3, () => {
      for (const key of Object.keys(this.#vitals.config)) if (key in configs) this.#vitals.config[key] = configs[key]
      this.#say({ type: 'config', data: { id, status: 'received' } })
    })
  }

  #update(services: readonly string[]) {
    services.forEach((service, i) => {
      if (service !== 'manager' && service !== 'agent') return
      this.#after(2 + i * 20, () => this.#say({ type: 'update_status', status: `download_${service}` }))
      this.#after(8 + i * 20, () => this.#say({ type: 'update_status', status: `restart_${service}` }))
      this.#after(16 + i * 20, () => {
        const [major, minor, patch] = this.#vitals.versions[service].split('.').map(Number)
        this.#vitals.versions[service] = `${major}.${minor}.${patch! + 1}`
      })
    })
  }

  #after(seconds: number, work: () => unknown) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      work()
    }, seconds * 1000)
    this.#timers.add(timer)
  }
}
