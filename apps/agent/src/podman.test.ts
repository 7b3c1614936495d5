import { once } from 'node:events'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, copyFileSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Answer } from '@masthead/contract/devices/agent/messages'
import { runAgent, TestServer, wanted } from './test-server.ts'

// The same agent at a real engine: podman, which answers Docker's API, with an image made here and a registry of Debian's.
const needed = ['/usr/bin/podman', '/usr/sbin/runc', '/usr/bin/docker-registry', '/bin/busybox']
const missing = needed.filter((path) => !existsSync(path))
const isRoot = process.getuid?.() === 0
// It takes minutes, so it runs where it is asked for.
const isAsked = process.env.MASTHEAD_PODMAN !== undefined
// By `npm run nightly -- podman`, which is to run it and nothing else.
const isNeeded = process.env.MASTHEAD_PODMAN === 'needed'
const reason = !isAsked
  ? 'MASTHEAD_PODMAN is not set'
  : missing.length > 0
    ? `${missing.join(', ')} is not installed`
    : isRoot
      ? ''
      : 'only root may run a podman of its own'
const run = test.skipIf(reason !== '')
if (reason && isNeeded) throw new Error(`The agent is not tested at podman: ${reason}`)
if (reason) console.log(`The agent is not tested at podman here, because ${reason}`)

const folder = mkdtempSync(join(tmpdir(), 'pod-'))
const at = (name: string) => join(folder, name)
const children: ChildProcess[] = []
let registry = ''
const env = () => ({
  ...process.env,
  CONTAINERS_CONF: at('containers.conf'),
  CONTAINERS_REGISTRIES_CONF: at('registries.conf'),
  CONTAINERS_STORAGE_CONF: at('storage.conf'),
})
const podman = (...args: string[]) => execFileSync('podman', args, { env: env(), stdio: ['ignore', 'pipe', 'pipe'] }).toString()

/** A registry with images that were made here, and the service of a podman with folders of its own. */
async function setUp() {
  registry = `127.0.0.1:${await freePort()}`
  writeFileSync(
    at('containers.conf'),
    `[containers]\ndefault_ulimits = ["nofile=1024:1024","nproc=1000:1000"]\n[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n`
  )
  writeFileSync(at('storage.conf'), `[storage]\ndriver = "vfs"\nrunroot = "${at('run')}"\ngraphroot = "${at('graph')}"\n`)
  writeFileSync(at('registries.conf'), `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`)
  writeFileSync(
    at('registry.yml'),
    `version: 0.1\nlog: { level: error }\nstorage: { filesystem: { rootdirectory: ${at('blobs')} } }\nhttp: { addr: "${registry}" }\n`
  )
  children.push(spawn('docker-registry', ['serve', at('registry.yml')], { stdio: 'ignore' }))
  mkdirSync(at('root/bin'), { recursive: true })
  copyFileSync('/bin/busybox', at('root/bin/busybox'))
  for (const name of ['sh', 'sleep', 'echo', 'false', 'httpd', 'wget', 'cat']) symlinkSync('busybox', at(`root/bin/${name}`))
  execFileSync('tar', ['-C', at('root'), '-cf', at('root.tar'), '.'])
  await expect
    .poll(() =>
      fetch(`http://${registry}/v2/`).then(
        (answer) => answer.status,
        () => 0
      )
    )
    .toBe(200)
  const make = (tag: string, command: string, from = 'root.tar') => {
    podman('import', '--change', `CMD ["/bin/sh","-c",${JSON.stringify(command)}]`, at(from), `${registry}/acme/relay:${tag}`)
    podman('push', '-q', `${registry}/acme/relay:${tag}`)
    podman('rmi', `${registry}/acme/relay:${tag}`)
  }
  make('1', 'echo up $REGION; echo wrong >&2; while :; do sleep 1; done')
  make('2', 'echo second; while :; do sleep 1; done')
  make('crash', 'sleep 0.2; false')
  writeFileSync(at('root/large'), Buffer.alloc(60_000_000, 'x'))
  execFileSync('tar', ['-C', at('root'), '-cf', at('large.tar'), '.'])
  rmSync(at('root/large'))
  make('large', 'while :; do sleep 1; done', 'large.tar')
  startEngine()
  await expect.poll(() => existsSync(at('s'))).toBe(true)
}

let ready: Promise<void> | undefined
const prepared = () => (ready ??= setUp())

let engine: ChildProcess
function startEngine() {
  engine = spawn('podman', ['system', 'service', '--time=0', `unix://${at('s')}`], { env: env(), stdio: 'ignore' })
  children.push(engine)
}
async function stopEngine() {
  engine.kill()
  await once(engine, 'exit')
  rmSync(at('s'), { force: true })
}

afterAll(async () => {
  if (!reason) podman('rm', '-af', '-t', '0')
  for (const child of children) child.kill()
  await Promise.all(children.map(async (child) => child.exitCode ?? child.signalCode ?? (await once(child, 'exit'))))
  // Mounts of a container that just ended may be busy for a moment.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}, 60_000)

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const soon = { timeout: 60_000, interval: 200 }

run(
  'podman: it pulls, runs, updates, restarts, stops and removes; its logs can be read; a failed pull, a crash, an update that goes back, a port that is taken and an engine that is away are reported',
  async () => {
    await prepared()
    await using server = await new TestServer().start()
    await using _agent = runAgent(server, at('s'))
    await expect
      .poll(() => server.lastReport(), soon)
      .toMatchObject({ engine_words: null, versions: { engine: expect.stringMatching(/^Podman Engine \d/) as string } })
    const relay = wanted({
      name: 'relay',
      image: `${registry}/acme/relay:1`,
      environment: [{ name: 'REGION', value: 'eu north' }],
      volumes: [{ host: at('root'), container: '/data', mode: 'ro' }],
      health: { command: 'test -d /data', every_s: 5, retries: 2, start_s: 0 },
    })
    await server.want(1, [relay])
    await expect.poll(() => server.lastOf('relay'), soon).toMatchObject({ state: 'running', generation: 1, problem: null })
    expect(server.lastOf('relay')!.digest).toMatch(/^sha256:/)
    expect(server.lastOf('relay')!.memory_bytes).toBeGreaterThan(1000)
    await server.command({ id: 'a', do: 'logs', container: 'relay', lines: 10 })
    await expect
      .poll(
        () =>
          server
            .all<Answer>('answer')[0]
            ?.lines?.map(({ stream, text }) => `${stream} ${text}`)
            .toSorted(),
        soon
      )
      .toEqual(['stderr wrong', 'stdout up eu north'])

    await server.want(2, [{ ...relay, generation: 2, restart: 2, image: `${registry}/acme/relay:gone` }])
    await expect
      .poll(() => server.lastOf('relay'), soon)
      .toMatchObject({ state: 'running', generation: 1, problem: { code: 'image_pull_backoff' } })
    await server.want(3, [{ ...relay, generation: 3, restart: 3, image: `${registry}/acme/relay:2`, health: null }])
    await expect.poll(() => server.lastOf('relay'), soon).toMatchObject({ state: 'running', generation: 3, problem: null })
    const begun = server.lastOf('relay')!.started_at
    await server.want(4, [{ ...relay, generation: 3, restart: 4, image: `${registry}/acme/relay:2`, health: null }])
    await expect.poll(() => server.lastReport()?.revision === 4 && server.lastOf('relay')?.started_at !== begun, soon).toBe(true)

    await server.want(5, [{ ...relay, generation: 3, restart: 4, run: 'stopped', image: `${registry}/acme/relay:2` }])
    await expect.poll(() => server.lastOf('relay')?.state, soon).toBe('exited')
    const crash = wanted({ name: 'crash', image: `${registry}/acme/relay:crash`, generation: 6, restart_policy: 'no' })
    const twin = wanted({ name: 'twin', image: `${registry}/acme/relay:1`, generation: 6, restart_policy: 'always' })
    await server.want(6, [crash, twin])
    await expect.poll(() => server.lastOf('crash'), soon).toMatchObject({ state: 'exited', exit_code: 1 })
    await expect.poll(() => server.lastOf('twin')?.state, soon).toBe('running')
    expect(server.lastOf('relay')).toBeUndefined()

    // An update that does not come up: the version before goes on, and it is said why.
    await server.want(8, [{ ...twin, generation: 8, image: `${registry}/acme/relay:crash`, restart_policy: 'no' }])
    await expect
      .poll(() => server.lastOf('twin'), soon)
      .toMatchObject({ state: 'running', generation: 6, problem: { code: 'rolled_back' } })
    // A port that something else on the device has.
    const taken = createServer().listen(30_000 + (process.pid % 2700))
    await once(taken, 'listening')
    const port = { host: (taken.address() as AddressInfo).port, container: 8000, protocol: 'tcp' as const }
    await server.want(9, [twin, wanted({ name: 'door', image: `${registry}/acme/relay:1`, generation: 9, ports: [port] })])
    await expect.poll(() => server.lastOf('door')?.problem?.code, soon).toBe('port_in_use')
    expect(server.lastOf('twin')).toMatchObject({ state: 'running' })
    taken.close()
    await expect.poll(() => server.lastOf('door'), soon).toMatchObject({ state: 'running', problem: null })
    // The engine is started anew: it is said that it is away, what runs goes on, and then all is as before.
    const began = server.lastOf('twin')!.started_at
    await stopEngine()
    await expect.poll(() => server.lastReport()?.engine_words, soon).toEqual(expect.any(String))
    startEngine()
    await expect.poll(() => server.lastReport()?.engine_words, soon).toBeNull()
    await expect.poll(() => server.lastOf('twin'), soon).toMatchObject({ state: 'running', generation: 6, started_at: began })
    await server.want(10, [])
    await expect.poll(() => server.lastReport()?.containers, soon).toEqual([])
    expect(podman('ps', '-aq').trim()).toBe('')
  },
  300_000
)

run(
  'podman: an image for which there is no room is reported as the engine says it; what runs goes on, and it is pulled once there is room',
  async () => {
    await prepared()
    const small = at('small')
    mkdirSync(small)
    const mount = (...words: string[]) => execFileSync('mount', [...words, small], { stdio: ['ignore', 'ignore', 'pipe'] })
    mount('-t', 'tmpfs', '-o', 'size=48m', 'tmpfs')
    writeFileSync(at('small.conf'), `[storage]\ndriver = "vfs"\nrunroot = "${at('small-run')}"\ngraphroot = "${small}"\n`)
    const narrow = { ...env(), CONTAINERS_STORAGE_CONF: at('small.conf') }
    const service = spawn('podman', ['system', 'service', '--time=0', `unix://${at('n')}`], { env: narrow, stdio: 'ignore' })
    children.push(service)
    try {
      await expect.poll(() => existsSync(at('n')), soon).toBe(true)
      await using server = await new TestServer().start()
      await using _agent = runAgent(server, at('n'))
      const relay = wanted({ name: 'relay', image: `${registry}/acme/relay:1` })
      const large = { ...relay, generation: 2, restart: 2, image: `${registry}/acme/relay:large` }
      await server.want(1, [relay])
      await expect.poll(() => server.lastOf('relay'), soon).toMatchObject({ state: 'running', generation: 1, problem: null })
      await server.want(2, [large])
      const said = expect.stringMatching(/no space left on device/i) as string
      await expect
        .poll(() => server.lastOf('relay'), soon)
        .toMatchObject({ state: 'running', generation: 1, problem: { code: 'image_pull_backoff', words: said } })
      mount('-o', 'remount,size=600m')
      await server.want(3, [{ ...large, generation: 3, restart: 3 }])
      await expect.poll(() => server.lastOf('relay'), soon).toMatchObject({ state: 'running', generation: 3, problem: null })
      await server.want(4, [])
      await expect.poll(() => server.lastReport()?.containers, soon).toEqual([])
    } finally {
      execFileSync('podman', ['rm', '-af', '-t', '0'], { env: narrow, stdio: 'ignore' })
      service.kill()
      if (service.exitCode === null && service.signalCode === null) await once(service, 'exit')
      execFileSync('umount', ['-l', small])
    }
  },
  300_000
)
