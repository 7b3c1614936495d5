import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Container = {
  Id: string
  name: string
  image: string
  labels: Record<string, string>
  status: string
  exit: number
  restarts: number
  ports: string[]
  env: string[]
}

/** An engine of the test: what the agent asks of one, and the faults of the real ones. It says what it was asked to do. */
export class TestEngine {
  readonly folder = mkdtempSync(join(tmpdir(), 'engine-'))
  readonly socket = join(this.folder, 's')
  readonly done: string[] = []
  /** Images that a registry has; pulling another fails within an answer of 200. */
  readonly registry = new Set<string>()
  readonly images = new Set<string>()
  /** What each image was asked for with. */
  readonly logins = new Map<string, string | undefined>()
  /** Images whose containers end at once. */
  readonly crashing = new Set<string>()
  /** What each container has printed. */
  log = '2026-11-25T10:00:00Z up\n2026-11-25T10:00:01Z 4 routes\n'
  containers: Container[] = []
  repoDigests: string[] | null = ['ab', 'cd'].map((byte) => `x@sha256:${byte.repeat(32)}`)
  /** Whoever waits here holds a pull back. */
  pullGate: Promise<void> = Promise.resolve()
  private server: Server | undefined
  private made = 0

  async start(): Promise<this> {
    const server = createServer((asked, answer) => void this.answer(asked, answer).catch(() => answer.destroy()))
    this.server = server
    await new Promise<void>((resolve) => void server.listen(this.socket, resolve))
    return this
  }
  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((resolve) => this.server?.close(resolve) ?? resolve(undefined))
    rmSync(this.socket, { force: true })
  }
  async [Symbol.asyncDispose]() {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  named = (name: string) => this.containers.find((each) => each.labels['masthead.container'] === name)
  put(of: Partial<Container>): Container {
    const made: Container = {
      Id: `c${++this.made}`,
      name: `c${this.made}`,
      image: 'x:1',
      labels: {},
      status: 'running',
      exit: 0,
      restarts: 0,
      ports: [],
      env: [],
      ...of,
    }
    this.containers.push(made)
    return made
  }

  private async answer(asked: IncomingMessage, answer: ServerResponse) {
    const url = new URL(asked.url!, 'http://engine')
    let text = ''
    for await (const part of asked) text += String(part)
    const json = (status: number, body: unknown) =>
      answer.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
    const [, kind, id, verb] = url.pathname.split('/')
    if (kind === 'version') return json(200, { Version: '1.0', Components: [{ Name: 'Test Engine' }] })
    if (kind === 'images' && id === 'create') {
      const image = url.searchParams.get('fromImage')!
      this.logins.set(image, asked.headers['x-registry-auth'] as string | undefined)
      return this.pull(image, answer)
    }
    if (kind === 'images') return json(200, { Id: `sha256:${'ef'.repeat(32)}`, RepoDigests: this.repoDigests })
    if (id === 'json') {
      const [label] = (JSON.parse(url.searchParams.get('filters')!) as { label: string[] }).label
      return json(
        200,
        this.containers.filter(({ labels }) => labels[label!] !== undefined).map(({ Id }) => ({ Id }))
      )
    }
    if (id === 'create') return this.create(url.searchParams.get('name')!, JSON.parse(text) as never, json)
    const container = this.containers.find(({ Id }) => Id === id)
    if (!container) return json(404, { message: `No such container: ${id}` })
    const name = container.labels['masthead.container'] ?? container.name
    if (asked.method === 'GET' && verb === 'json') return json(200, shownOf(container))
    if (verb === 'stats') return json(200, { cpu_stats: { cpu_usage: { total_usage: 5_000_000 } }, memory_stats: { usage: 7_000_000 } })
    if (verb === 'logs') return answer.writeHead(200).end(frame(1, this.log))
    if (asked.method === 'DELETE') {
      this.done.push(`remove ${name}`)
      this.containers = this.containers.filter((each) => each !== container)
      return answer.writeHead(204).end()
    }
    this.done.push(`${verb} ${name}`)
    if (verb === 'stop') Object.assign(container, { status: 'exited', exit: 137 })
    else {
      const taken = this.containers.filter((each) => each !== container && each.status === 'running').flatMap(({ ports }) => ports)
      if (container.ports.some((port) => taken.includes(port)))
        return json(500, { message: 'rootlessport listen tcp: address already in use' })
      const crashes = this.crashing.has(container.image)
      Object.assign(container, crashes ? { status: 'exited', exit: 1 } : { status: 'running' })
    }
    return answer.writeHead(204).end()
  }

  private async pull(image: string, answer: ServerResponse) {
    this.done.push(`pull ${image}`)
    answer.writeHead(200, { 'Content-Type': 'application/json' })
    answer.write(`${JSON.stringify({ id: 'a1', status: 'Pulling fs layer' })}\n`)
    answer.write(`${JSON.stringify({ id: 'a1', status: 'Downloading', progressDetail: { current: 4000, total: 10_000 } })}\n`)
    await this.pullGate
    if (this.registry.has(image)) this.images.add(image)
    answer.end(JSON.stringify(this.registry.has(image) ? { id: 'a1', status: 'Download complete' } : { error: 'manifest unknown' }))
  }

  private create(
    name: string,
    body: { Image: string; Labels: Record<string, string>; Env: string[]; HostConfig: { PortBindings: object } },
    json: (status: number, body: unknown) => unknown
  ) {
    this.done.push(`create ${body.Labels['masthead.container']}`)
    if (!this.images.has(body.Image)) return json(404, { message: `No such image: ${body.Image}` })
    if (this.containers.some((each) => each.name === name)) return json(500, { message: `the container name "${name}" is already in use` })
    const ports = (Object.values(body.HostConfig.PortBindings) as { HostPort: string }[][]).flat().map(({ HostPort }) => HostPort)
    return json(201, { Id: this.put({ name, image: body.Image, labels: body.Labels, status: 'created', ports, env: body.Env }).Id })
  }
}

const shownOf = ({ Id, image, labels, status, exit, restarts, ports }: Container) => ({
  Id,
  Image: `sha256:${image}`,
  RestartCount: restarts,
  State: { Status: status, ExitCode: exit, StartedAt: '2026-11-25T10:00:00.123456789Z', Health: { Status: '' } },
  Config: { Image: image, Labels: labels },
  HostConfig: { PortBindings: { '80/tcp': ports.map((HostPort) => ({ HostIp: '', HostPort })) } },
})

const frame = (stream: number, text: string) => {
  const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([head, Buffer.from(text)])
}
