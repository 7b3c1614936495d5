import { createHash } from 'node:crypto'
import { get } from 'node:http'
import { notThere } from '@masthead/contract/devices/agent/container'
import type { DevicePlan, PlannedDevice } from './device-plan.ts'
import { board } from './vitals.ts'
import { SimulatedNetwork, type WantedNetwork } from './simulated-network.ts'

type Wanted = { name: string; generation: number; restart: number; run: string; image: string }
type Desired = { revision: number; containers: Wanted[]; agent?: { version: string } | null; network?: WantedNetwork }

type Server = NonNullable<DevicePlan['server']>

const waits = 10_000 // ms
/** Of an agent that was not built. */
const noVersion = '0.1.0'
/** So long an image is on its way, and so often it says how much of it is there, ms. */
const downloads = 4000
const saysEach = 1000

/** What our agent says of containers: all that is wanted runs, but for one that the plan lets fail. */
export class SimulatedContainers {
  #server: Server
  #device: PlannedDevice
  #started_at = new Date().toISOString()
  #seq = 0
  /** Of its agent: that which the server has when it is started, but some have not been updated for long. */
  #version: string | undefined
  /** Since when each runs, by name and generation. */
  #since = new Map<string, string>()
  #network: SimulatedNetwork
  #names: string[] = []
  /** When each image began to come, ms since 1970. What ran when the device was started is there. */
  #coming = new Map<string, number>()
  #images = new Set<string>()

  constructor(server: Server, device: PlannedDevice) {
    this.#server = server
    this.#device = device
    this.#version = device.flaky ? '0.0.9' : undefined
    this.#network = new SimulatedNetwork(device)
  }

  /** Those that it is to run, by what was asked last. */
  names(): readonly string[] {
    return this.#names
  }

  rebooted(now: Date): void {
    this.#started_at = now.toISOString()
    this.#since.clear()
  }

  /** Asks what is wanted, and answers the reports. */
  async look(now: Date) {
    const { revision, containers, agent, network = null } = await this.#ask()
    const version = agent?.version ?? this.#version ?? (await offeredBy(this.#server))
    this.#version = version
    this.#names = containers.map(({ name }) => name)
    this.#pull(containers, now.getTime())
    const at = now.toISOString()
    const state = {
      at,
      seq: ++this.#seq,
      started_at: this.#started_at,
      revision,
      versions: { agent: version, os: 'Debian GNU/Linux 12', kernel: board.kernel, engine: 'Docker 27.1.1' },
      host: { name: this.#device.name.slice(0, 60), arch: board.arch, model: board.name(this.#device.kind), serial: null },
      booted_at: this.#started_at,
      interfaces: [],
      containers: containers.map((wanted) => this.#reportOf(wanted, now)),
      engine_words: null,
    }
    const reported = this.#network.report(network, now.getTime())
    return { state, network: reported, again: this.#coming.size > 0 ? saysEach / 1000 : reported.again }
  }

  /** What is wanted when it is started for the first time is there already. */
  #pull(containers: readonly Wanted[], now: number) {
    const isFirst = this.#seq === 0
    for (const { image } of containers) {
      if (!isFirst && !this.#images.has(image)) this.#coming.set(image, now)
      this.#images.add(image)
    }
    for (const [image, began] of this.#coming) if (now - began >= downloads) this.#coming.delete(image)
  }

  #reportOf({ name, generation, restart, run, image }: Wanted, now: Date) {
    const at = now.toISOString()
    const began = this.#coming.get(image)
    // What is started anew forgets what was wrong with it.
    const key = `${name} ${generation} ${restart}`
    const since = this.#since.get(key) ?? at
    this.#since.set(key, since)
    const { fails } = this.#device
    const isBroken = fails !== undefined && fails.container === name && image.includes(`:${fails.tag}`)
    const runs = run === 'running' && !isBroken
    if (began !== undefined) return coming({ name, image }, Math.floor(((now.getTime() - began) / downloads) * 100))
    return {
      name,
      generation,
      state: runs ? 'running' : 'exited',
      image,
      digest: digestOf(image),
      health: null,
      started_at: runs ? since : null,
      exit_code: isBroken ? 1 : runs ? null : 0,
      restarts: isBroken ? 5 : 0,
      cpu_pct: runs ? 2.5 : null,
      memory_bytes: runs ? 38_000_000 : null,
      problem: isBroken ? { code: 'crash_loop_backoff', words: fails.words, since, next_at: null } : null,
    }
  }

  #ask(): Promise<Desired> {
    const { username, password } = this.#device
    return ask(this.#server, '/v1/devices/desired', { 'x-device-key': `${username}:${password}` })
  }
}

/** What each server offers, which is asked once for all its devices. */
const offers = new WeakMap<Server, Promise<string>>()
function offeredBy(server: Server): Promise<string> {
  const known = offers.get(server)
  if (known) return known
  const offered = ask<{ version?: string }>(server, '/agent/agent.json').then(
    ({ version }) => version ?? noVersion,
    // It brings no agent.
    () => noVersion
  )
  offers.set(server, offered)
  return offered
}

function ask<Answer>({ host, port, path, name }: Server, of: string, more: Record<string, string> = {}): Promise<Answer> {
  const headers = { ...more, ...(name && { host: name }) }
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: `${path}${of}`, headers, timeout: waits }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('end', () => {
        try {
          if (answer.statusCode !== 200) throw new Error(`The server answered ${answer.statusCode}`)
          resolve(JSON.parse(text) as Answer)
        } catch (error) {
          reject(error as Error)
        }
      })
      answer.on('error', reject)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', reject)
  })
}

/** A container that is not there yet, and how much of its image is. */
const coming = (of: { name: string; image: string }, percent: number) => ({ ...notThere, ...of, state: 'downloading', percent })

/** That of the image, where it says so; else one made up of its name, but for those of a registry that knows better. */
const digestOf = (image: string): string | null => {
  const said = /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1]
  return said ?? (image.split('/').length > 2 ? null : `sha256:${createHash('sha256').update(image).digest('hex')}`)
}
