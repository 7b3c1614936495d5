import { createHash } from 'node:crypto'
import { notThere, type ReportedContainer } from '@masthead/contract/devices/agent/container'
import { ask, type Server } from './ask-server.ts'
import type { PlannedDevice } from './device-plan.ts'
import { SimulatedImages } from './simulated-images.ts'
import { board } from './vitals.ts'
import { SimulatedNetwork, type WantedNetwork } from './simulated-network.ts'

type Wanted = { name: string; generation: number; restart: number; run: string; image: string }
type Desired = { revision: number; containers: Wanted[]; agent?: { version: string } | null; network?: WantedNetwork }

/** Of an agent that was not built. */
const noVersion = '0.1.0'
/** So often it says how much of an image is there, s. */
const saysEach = 1

/** What our agent says of containers: all that is wanted runs, but for one that the plan lets fail and those whose image nobody gives it. */
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
  #images: SimulatedImages
  /** As each was when it was last as wanted: that runs on while the image of another is not there. */
  #before = new Map<string, ReportedContainer>()

  constructor(server: Server, device: PlannedDevice) {
    this.#server = server
    this.#device = device
    this.#version = device.flaky ? '0.0.9' : undefined
    this.#network = new SimulatedNetwork(device)
    this.#images = new SimulatedImages(server, device)
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
    for (const name of this.#before.keys()) if (!this.#names.includes(name)) this.#before.delete(name)
    await this.#images.want(
      containers.map(({ image }) => image),
      now
    )
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
    return { state, network: reported, again: this.#images.isBusy ? saysEach : reported.again }
  }

  #reportOf({ name, generation, restart, run, image }: Wanted, now: Date): ReportedContainer {
    const at = now.toISOString()
    // What is started anew forgets what was wrong with it.
    const key = `${name} ${generation} ${restart}`
    const since = this.#since.get(key) ?? at
    this.#since.set(key, since)
    const { fails } = this.#device
    const isBroken = fails !== undefined && fails.container === name && image.includes(`:${fails.tag}`)
    const runs = run === 'running' && !isBroken
    const refusal = this.#images.refusalOf(image)
    if (refusal)
      return {
        ...(this.#before.get(name) ?? { ...notThere, name, state: 'waiting' }),
        problem: { code: 'image_pull_backoff', ...refusal },
      }
    const percent = this.#images.percentOf(image, now)
    if (percent !== null) return { ...notThere, name, image, state: 'downloading', percent }
    const report: ReportedContainer = {
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
    this.#before.set(name, report)
    return report
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

/** That of the image, where it says so; else one made up of its name, but for those of a registry that knows better. */
const digestOf = (image: string): string | null => {
  const said = /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1]
  return said ?? (image.split('/').length > 2 ? null : `sha256:${createHash('sha256').update(image).digest('hex')}`)
}
