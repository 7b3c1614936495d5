import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import type { DesiredContainer } from '@masthead/contract/devices/agent/container'
import {
  agentTopicOf,
  agentTopics,
  commandTopic,
  desiredTopic,
  reportedTopic,
  type Command,
  type DesiredState,
  type ReportedState,
} from '@masthead/contract/devices/agent/messages'
import { startAgent } from './agent.ts'
import { openEngine } from './engine/engine.ts'
import { realPlaces } from './host/vitals.ts'

/** What the agent speaks to, in a test: a broker that takes one device, and what it heard from it. */
export class TestServer {
  readonly device_id = 'dev_test'
  readonly heard: { word: string; message: unknown }[] = []
  refuses = false
  signIns = 0
  private sockets = new Set<Socket>()
  private broker!: Aedes
  private server!: Server
  private port = 0
  private desired: DesiredState = { revision: 0, containers: [] }

  async start(): Promise<this> {
    this.broker = await Aedes.createBroker()
    this.broker.authenticate = (_client, username, password, done) => {
      this.signIns++
      const isRight = username === this.device_id && String(password) === 'secret' && !this.refuses
      done(null, isRight)
    }
    this.broker.on('publish', ({ topic, payload }) => {
      const kind = agentTopics.find((each) => each.from === 'device' && topic === agentTopicOf(this.device_id, each))
      if (!kind) return
      const message = kind.message.parse(JSON.parse(String(payload)))
      this.heard.push({ word: kind.word, message })
      // As the server does it: who works at another revision is told what is wanted.
      if (kind === reportedTopic && (message as ReportedState).revision !== this.desired.revision) void this.tell()
    })
    this.server = createServer((socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
      this.broker.handle(socket)
    })
    await this.listen()
    return this
  }
  private async listen() {
    this.server.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    this.port = (this.server.address() as AddressInfo).port
  }
  url = () => `mqtt://127.0.0.1:${this.port}`
  /** Nobody answers, until `back`. */
  async away(): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    for (const socket of this.sockets) socket.destroy()
    await closed
  }
  back = () => this.listen()

  private async publish(topic: string, message: unknown) {
    await new Promise<void>((resolve, reject) =>
      this.broker.publish(
        { cmd: 'publish', topic, payload: Buffer.from(JSON.stringify(message)), qos: 1, retain: false, dup: false },
        (error) => (error ? reject(error) : resolve())
      )
    )
  }
  want(revision: number, containers: DesiredContainer[]): Promise<void> {
    this.desired = { revision, containers }
    return this.tell()
  }
  private tell = () => this.publish(agentTopicOf(this.device_id, desiredTopic), this.desired)
  command = (command: Command) => this.publish(agentTopicOf(this.device_id, commandTopic), command)
  all = <Message>(word: string) => this.heard.filter((each) => each.word === word).map(({ message }) => message as Message)
  lastReport = () => this.all<ReportedState>(reportedTopic.word).at(-1)
  lastOf = (name: string) => this.lastReport()?.containers?.find((each) => each.name === name)

  async [Symbol.asyncDispose]() {
    for (const socket of this.sockets) socket.destroy()
    await new Promise<void>((resolve) => this.broker.close(() => resolve()))
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** An agent of the test, with a folder of its own. */
export function runAgent(server: TestServer, socket: string, { folder = mkdtempSync(join(tmpdir(), 'agent-')), keeps = false } = {}) {
  const said: string[] = []
  let reboots = 0
  const agent = startAgent({
    login: { urls: [server.url()], device_id: server.device_id, token: 'secret' },
    engine: openEngine(socket),
    places: realPlaces,
    notesPath: join(folder, 'notes.json'),
    random: () => 0.001,
    say: (words) => said.push(words),
    reboot: () => void reboots++,
    vitalsEvery: 500,
    reportsEvery: 500,
  })
  return {
    agent,
    folder,
    said,
    reboots: () => reboots,
    async [Symbol.asyncDispose]() {
      await agent.stop()
      if (!keeps) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const wanted = (parts: Partial<DesiredContainer> & { name: string }): DesiredContainer => ({
  generation: 1,
  restart: 1,
  run: 'running',
  image: 'acme/relay:1',
  ports: [],
  volumes: [],
  environment: [],
  restart_policy: 'always',
  health: null,
  ...parts,
})
