import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import { createWebSocketStream, WebSocketServer } from 'ws'
import type { DesiredContainer } from '@masthead/contract/devices/agent/container'
import {
  agentClientId,
  agentSections,
  agentTopics,
  type AgentSection,
  type Command,
  type DesiredState,
  type Directive,
  type ReportedState,
} from '@masthead/contract/devices/agent/messages'
import type { ReportedNetwork } from '@masthead/contract/devices/network/reported'
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { json } from 'node:stream/consumers'
import { startAgent } from './agent.ts'
import { openEngine } from './engine/engine.ts'
import { realPlaces } from './host/vitals.ts'

/** What the agent speaks to, in a test: a broker that takes one device, and what it received from it. */
export class TestServer {
  readonly device_id = 'dev_test'
  readonly heard: { word: AgentSection; message: unknown }[] = []
  readonly lives: string[] = []
  private sockets = new Set<Socket>()
  private broker!: Aedes
  private server!: Server
  private http!: HttpServer
  private port = 0
  private secure: { key: string; cert: string } | undefined
  /** Undefined: it does not say. */
  private desired: DesiredState | undefined
  /** Whether a connection to it can be made, as the device's network is now. */
  isReached = () => true
  private agent: DesiredState['agent'] = null
  /** Certificates of its broker, as it says them. */
  ca: string | null = null
  /** What is served besides, by its path. */
  readonly files = new Map<string, string | Buffer>()
  /** A claim code that is good once. */
  code = ''

  /** `secure`: its certificate; then it is asked by TLS alone, and speaks MQTT at `/mqtt`. */
  constructor(secure?: { key: string; cert: string }) {
    this.secure = secure
  }

  async start(): Promise<this> {
    this.broker = await Aedes.createBroker()
    this.broker.authenticate = (client, username, password, done) =>
      done(null, client.id === agentClientId(this.device_id) && username === this.device_id && String(password) === 'secret')
    const topics = agentTopics(this.device_id)
    this.broker.on('publish', ({ topic, payload }) => {
      if (topic === topics.birth || topic === topics.death) this.lives.push(topic.split('/').at(-1)!)
      if (topic !== topics.hive) return
      const { type, data, mid } = JSON.parse(String(payload)) as { type: string; data: unknown; mid: string }
      const word = type.slice('data_'.length) as AgentSection
      this.heard.push({ word, message: agentSections[word].parse(data) })
      void this.direct({ command: 'ack', data: mid })
    })
    const answers = (asked: IncomingMessage, answer: ServerResponse) => {
      if (!this.isReached()) return void asked.socket.destroy()
      const file = this.files.get(asked.url ?? '')
      if (file !== undefined) return void answer.end(file)
      if (asked.url === '/v1/devices/enrol') return void this.claim(asked, answer)
      const isRight = asked.url === '/v1/devices/desired' && asked.headers['x-device-key'] === `${this.device_id}:secret`
      answer
        .writeHead(!isRight ? 403 : this.desired ? 200 : 503, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(this.desired ? { ...this.desired, agent: this.agent, mqtts_ca: this.ca } : {}))
    }
    this.http = this.secure ? createSecureServer(this.secure, answers) : createHttpServer(answers)
    const webSockets = new WebSocketServer({ noServer: true })
    this.http.on('upgrade', (asked: IncomingMessage, socket: Socket, head: Buffer) => {
      if (asked.url !== '/mqtt') return void socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n')
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
      webSockets.handleUpgrade(asked, socket, head, (each) => this.broker.handle(createWebSocketStream(each)))
    })
    this.http.listen(0, '127.0.0.1')
    await once(this.http, 'listening')
    this.server = createServer((socket) => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
      this.broker.handle(socket)
    })
    await this.listen()
    return this
  }
  private async claim(asked: IncomingMessage, answer: ServerResponse) {
    const { code } = (await json(asked)) as { code: string }
    const isRight = code !== '' && code === this.code
    this.code = ''
    const said = { device_id: this.device_id, token: 'secret', mqtt_port: this.port }
    answer
      .writeHead(isRight ? 200 : 404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(isRight ? said : { code: 'claim_code_unknown', message: 'This claim code is not known' }))
  }
  private async listen() {
    this.server.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    this.port = (this.server.address() as AddressInfo).port
  }
  url = () => `mqtt://127.0.0.1:${this.port}`
  /** What a broker that ends TLS itself would receive. */
  take = (stream: Duplex) => void this.broker.handle(stream)
  httpUrl = () => `${this.secure ? 'https://localhost' : 'http://127.0.0.1'}:${(this.http.address() as AddressInfo).port}`
  /** No broker answers, until `back`. */
  async away(): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    for (const socket of this.sockets) socket.destroy()
    await closed
  }
  back = () => this.listen()

  private async direct(directive: Directive) {
    const { directives: topic } = agentTopics(this.device_id)
    const payload = Buffer.from(JSON.stringify(directive))
    await new Promise<void>((resolve, reject) =>
      this.broker.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, (error) =>
        error ? reject(error) : resolve()
      )
    )
  }
  want(revision: number, containers: DesiredContainer[], network: DesiredState['network'] = null): Promise<void> {
    this.desired = { revision, containers, network }
    return this.direct({ command: 'look' })
  }
  /** Another version of the agent is wanted. `sha256`: of what was promised, if that is something else. */
  update(id: string, version: string, program: string, sha256 = createHash('sha256').update(program).digest('hex')): Promise<void> {
    this.files.set('/agent/masthead-agent.mjs', program)
    this.agent = { id, version, sha256 }
    this.desired ??= { revision: 0, containers: [], network: null }
    return this.direct({ command: 'look' })
  }
  command = (command: Command) => this.direct({ command: 'run', data: command })
  all = <Message>(word: AgentSection) => this.heard.filter((each) => each.word === word).map(({ message }) => message as Message)
  lastReport = () => this.all<ReportedState>('agent').at(-1)
  lastNetwork = () => this.all<ReportedNetwork>('network').at(-1)
  lastOf = (name: string) => this.lastReport()?.containers?.find((each) => each.name === name)

  async [Symbol.asyncDispose]() {
    for (const socket of this.sockets) socket.destroy()
    await new Promise<void>((resolve) => this.broker.close(() => resolve()))
    await new Promise((resolve) => this.server.close(resolve))
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }
}

/** An agent of the test, with a folder of its own. */
export function runAgent(
  server: TestServer,
  socket: string,
  {
    folder = mkdtempSync(join(tmpdir(), 'agent-')),
    keeps = false,
    trialLasts = 5000,
    urls = [server.url()],
    runClock,
  }: { folder?: string; keeps?: boolean; trialLasts?: number; urls?: string[]; runClock?: () => number } = {}
) {
  const said: string[] = []
  let reboots = 0
  const agent = startAgent({
    login: { server: server.httpUrl(), url: server.url(), urls, device_id: server.device_id, token: 'secret' },
    engine: openEngine(socket),
    places: realPlaces,
    notesPath: join(folder, 'notes.json'),
    identityPath: join(folder, 'identity.json'),
    trialLasts,
    runClock,
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
