import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Answer, Vitals } from '@masthead/contract/devices/agent/messages'
import { TestEngine } from './test-engine.ts'
import { runAgent, TestServer, wanted } from './test-server.ts'
import { version } from './version.ts'

test('it reports, and brings up what is wanted; what is right is left alone, and what is not ours too', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _agent = runAgent(server, engine.socket)
  engine.put({ name: 'nextcloud' })
  engine.registry.add('acme/relay:1')
  await expect.poll(() => server.lastReport()?.containers).toEqual([])
  expect(server.lastReport()!.versions).toMatchObject({ agent: version, engine: 'Test Engine 1.0' })
  await expect.poll(() => server.all<Vitals>('vitals').length).toBeGreaterThan(0)
  expect(server.all<Vitals>('vitals')[0]!.memory_total_bytes).toBeGreaterThan(1e6)

  const environment = [{ name: 'REGION', value: 'eu north' }]
  const relay = wanted({ name: 'relay', ports: [{ host: 30_100, container: 80, protocol: 'tcp' }], environment })
  await server.want(1, [relay])
  await expect.poll(() => server.lastOf('relay')).toMatchObject({ state: 'running', generation: 1, problem: null, memory_bytes: 7_000_000 })
  expect(engine.done).toEqual(['pull acme/relay:1', 'create relay', 'start relay'])
  expect(engine.named('relay')!.env).toEqual(['REGION=eu north'])

  await server.want(2, [{ ...relay, restart: 2 }])
  await expect.poll(() => engine.done.slice(3)).toEqual(['restart relay'])
  await server.want(3, [{ ...relay, restart: 2, run: 'stopped' }])
  await expect.poll(() => server.lastOf('relay')).toMatchObject({ state: 'exited', exit_code: 137 })
  await server.want(4, [])
  await expect.poll(() => server.lastReport()).toMatchObject({ revision: 4, containers: [] })
  expect(engine.done.slice(3)).toEqual(['restart relay', 'stop relay', 'remove relay'])
  expect(engine.containers.map(({ name }) => name)).toEqual(['nextcloud'])
})

test('an image that cannot be pulled is reported, and what runs goes on meanwhile; a wish that was right comes true', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _agent = runAgent(server, engine.socket)
  engine.registry.add('acme/relay:1').add('acme/relay:3')
  const relay = wanted({ name: 'relay' })
  await server.want(1, [relay]).then(() => expect.poll(() => server.lastOf('relay')?.state).toBe('running'))
  await server.want(2, [{ ...relay, generation: 2, restart: 2, image: 'acme/relay:2' }])
  await expect
    .poll(() => server.lastOf('relay'))
    .toMatchObject({ state: 'running', generation: 1, problem: { code: 'image_pull_backoff', words: 'manifest unknown' } })
  await server.want(3, [{ ...relay, generation: 3, restart: 3, image: 'acme/relay:3' }])
  await expect.poll(() => server.lastOf('relay')).toMatchObject({ state: 'running', generation: 3, problem: null })
})

test('a version that does not come up: the one before runs again, the console reads why, and a restart tries it once more', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  // Ten times as fast.
  const runClock = () => performance.now() * 10
  const first = runAgent(server, engine.socket, { keeps: true, runClock })
  engine.registry.add('acme/relay:1').add('acme/relay:2').add('acme/relay:3')
  engine.crashing.add('acme/relay:2')
  const relay = wanted({ name: 'relay' })
  await server.want(1, [relay]).then(() => expect.poll(() => server.lastOf('relay')?.state).toBe('running'))
  const { Id } = engine.named('relay')!
  const second = { ...relay, generation: 2, restart: 2, image: 'acme/relay:2' }
  await server.want(2, [second])
  const problem = { code: 'rolled_back', words: expect.stringMatching(/exit code 1.*4 routes/s) as string, next_at: null }
  const back = { state: 'running', generation: 1, image: 'acme/relay:1', problem }
  await expect.poll(() => server.lastOf('relay'), { timeout: 20_000 }).toMatchObject(back)
  const steps = ['pull acme/relay:2', 'create relay', 'stop relay', 'start relay', 'remove relay', 'start relay']
  expect(engine.done.slice(3)).toEqual(steps)
  expect(engine.containers.map((each) => each.Id)).toEqual([Id])

  // It is remembered, also by an agent that starts anew.
  await first[Symbol.asyncDispose]()
  const seen = server.all('agent').length
  await using _agent = runAgent(server, engine.socket, { folder: first.folder, runClock })
  await expect.poll(() => server.all('agent').length).toBeGreaterThan(seen + 2)
  expect(server.lastOf('relay')).toMatchObject(back)
  expect(engine.done.slice(3)).toEqual(steps)

  engine.crashing.delete('acme/relay:2')
  await server.want(3, [{ ...second, restart: 3 }])
  await expect.poll(() => server.lastOf('relay'), { timeout: 20_000 }).toMatchObject({ state: 'running', generation: 2, problem: null })
  await expect.poll(() => engine.containers.map(({ image }) => image), { timeout: 20_000 }).toEqual(['acme/relay:2'])
})

test('a version that the engine does not start leaves the one before as it was', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _agent = runAgent(server, engine.socket)
  engine.put({ name: 'other', ports: ['30100'] })
  engine.registry.add('acme/relay:1')
  const relay = wanted({ name: 'relay' })
  await server.want(1, [relay]).then(() => expect.poll(() => server.lastOf('relay')?.state).toBe('running'))
  const { Id } = engine.named('relay')!
  await server.want(2, [{ ...relay, generation: 2, restart: 2, ports: [{ host: 30_100, container: 80, protocol: 'tcp' }] }])
  await expect
    .poll(() => server.lastOf('relay'))
    .toMatchObject({
      state: 'running',
      generation: 1,
      problem: { code: 'rolled_back', words: expect.stringContaining('already in use') as string },
    })
  expect(engine.containers.map((each) => each.Id)).toEqual(['c1', Id])
})

test('a port that is taken is reported by its name, and another container is not held up by it', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _agent = runAgent(server, engine.socket)
  engine.put({ name: 'other', ports: ['30100'] })
  engine.registry.add('acme/relay:1')
  const port = (host: number) => [{ host, container: 80, protocol: 'tcp' as const }]
  await server.want(1, [wanted({ name: 'relay', ports: port(30_100) }), wanted({ name: 'logger', ports: port(30_101) })])
  await expect.poll(() => server.lastOf('relay')?.problem?.code).toBe('port_in_use')
  await expect.poll(() => server.lastOf('logger')?.state).toBe('running')
})

test('two that swap their ports both go on where they are until the images of both are there', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _agent = runAgent(server, engine.socket)
  engine.registry.add('acme/relay:1').add('acme/relay:2').add('acme/logger:1').add('acme/spare:1')
  const port = (host: number) => [{ host, container: 80, protocol: 'tcp' as const }]
  const both = [wanted({ name: 'relay', ports: port(30_100) }), wanted({ name: 'logger', image: 'acme/logger:1', ports: port(30_101) })]
  await server.want(1, both)
  for (const name of ['relay', 'logger']) await expect.poll(() => server.lastOf(name)?.state).toBe('running')
  const relay = wanted({ name: 'relay', generation: 2, restart: 2, image: 'acme/relay:2', ports: port(30_101) })
  const logger = wanted({ name: 'logger', generation: 2, restart: 2, image: 'acme/logger:2', ports: port(30_100) })
  await server.want(2, [relay, logger])
  await expect.poll(() => server.lastOf('logger')?.problem?.code).toBe('image_pull_backoff')
  await expect.poll(() => engine.images.has('acme/relay:2')).toBe(true)
  // Once this one runs, the relay's turn has been before.
  const spare = wanted({ name: 'spare', generation: 3, restart: 3, image: 'acme/spare:1' })
  await server.want(3, [relay, logger, spare])
  await expect.poll(() => server.lastOf('spare')?.state).toBe('running')
  expect(server.lastOf('relay')).toMatchObject({ state: 'running', generation: 1, problem: null })
  engine.registry.add('acme/logger:2')
  await server.want(4, [relay, { ...logger, restart: 4 }, spare])
  for (const name of ['relay', 'logger'])
    await expect.poll(() => server.lastOf(name)).toMatchObject({ state: 'running', generation: 2, problem: null })
})

test('a long download holds up no other container, and what else is wanted meanwhile is done', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _agent = runAgent(server, engine.socket)
  engine.registry.add('acme/large:1').add('acme/small:1')
  engine.pullGate = new Promise(() => undefined)
  const large = wanted({ name: 'large', image: 'acme/large:1' })
  await server.want(1, [large])
  await expect.poll(() => server.lastOf('large')?.state).toBe('downloading')
  engine.pullGate = Promise.resolve()
  const small = wanted({ name: 'small', image: 'acme/small:1', generation: 2 })
  await server.want(2, [large, small])
  await expect.poll(() => server.lastOf('small')?.state).toBe('running')
  await server.want(3, [large, { ...small, run: 'stopped' }])
  await expect.poll(() => server.lastOf('small')?.state).toBe('exited')
  expect(server.lastReport()).toMatchObject({ revision: 3 })
  expect(server.lastOf('large')).toMatchObject({ state: 'downloading', problem: null })
  expect(engine.done.filter((each) => each.endsWith('acme/large:1'))).toEqual(['pull acme/large:1'])
})

test('a download that is not wanted any more is given up', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _agent = runAgent(server, engine.socket)
  engine.registry.add('acme/relay:1').add('acme/small:1')
  engine.pullGate = new Promise(() => undefined)
  await server.want(1, [wanted({ name: 'relay' })])
  await expect.poll(() => server.lastOf('relay')?.state).toBe('downloading')
  engine.pullGate = Promise.resolve()
  await server.want(2, [wanted({ name: 'small', image: 'acme/small:1', generation: 2 })])
  await expect.poll(() => server.lastOf('small')?.state).toBe('running')
  expect(server.lastOf('relay')).toBeUndefined()
})

test('without a connection it goes on with what was wanted, and what it measured meanwhile comes later', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  engine.registry.add('acme/relay:1')
  const first = runAgent(server, engine.socket, { keeps: true })
  await server.want(1, [wanted({ name: 'relay' })]).then(() => expect.poll(() => server.lastOf('relay')?.state).toBe('running'))
  await first[Symbol.asyncDispose]()
  await server.away()
  engine.named('relay')!.status = 'exited'
  await using second = runAgent(server, engine.socket, { folder: first.folder })
  await expect.poll(() => engine.named('relay')!.status).toBe('running')
  await expect.poll(() => second.agent.link.waiting()).toBeGreaterThan(4)
  const before = server.heard.length
  await server.back()
  await expect.poll(() => second.agent.link.waiting(), { timeout: 20_000 }).toBe(0)
  const later = server.heard.slice(before)
  expect(later.filter(({ word }) => word === 'vitals').length).toBeGreaterThan(2)
  // Of reports the newest alone is worth anything; one may have been on its way when the connection came.
  expect(later.findIndex(({ word }) => word === 'vitals')).toBeLessThanOrEqual(1)
})

test('where the broker is away it asks the server for what is wanted: when it starts, and while it cannot connect', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  engine.registry.add('acme/relay:1')
  const relay = wanted({ name: 'relay' })
  await server.want(1, [relay])
  await server.away()
  await using _agent = runAgent(server, engine.socket)
  await expect.poll(() => engine.done).toEqual(['pull acme/relay:1', 'create relay', 'start relay'])
  await server.want(2, [{ ...relay, run: 'stopped' }])
  await expect.poll(() => engine.done.slice(3), { timeout: 20_000 }).toEqual(['stop relay'])
  expect(server.lives).toEqual([])
})

test('nobody said yet what is wanted: it leaves all as it is; logs are answered, a reboot is done once, and what makes no sense does nothing', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using run = runAgent(server, engine.socket)
  engine.put({ labels: { 'masthead.container': 'relay', 'masthead.generation': '1' } })
  await expect.poll(() => server.lastReport()).toBeDefined()
  await server.command({ id: 'a', do: 'logs', container: 'relay', lines: 10 })
  await expect
    .poll(() => server.all<Answer>('answer')[0])
    .toMatchObject({
      ok: true,
      words: null,
      lines: [
        { at: '2026-11-25T10:00:00.000Z', stream: 'stdout', text: 'up' },
        { at: '2026-11-25T10:00:01.000Z', stream: 'stdout', text: '4 routes' },
      ],
    })
  await server.command({ id: 'b', do: 'logs', container: 'gone', lines: 10 })
  await expect.poll(() => server.all<Answer>('answer')[1]).toMatchObject({ ok: false, words: 'There is no container gone' })
  await server.command({ id: 'c', do: 'format' } as never)
  await server.command({ id: 'd', do: 'reboot' })
  await server.command({ id: 'd', do: 'reboot' })
  await expect.poll(() => run.reboots()).toBe(1)
  expect(server.all<Answer>('answer')).toHaveLength(3)
  expect(run.said).toContain('A message of the server was not understood')
  expect(engine.done).toEqual([])
})

test('an engine that is away is said in words, and looked for again', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await engine.stop()
  await using run = runAgent(server, engine.socket)
  await expect.poll(() => server.lastReport()?.engine_words).toMatch(/ENOENT|ECONNREFUSED/)
  expect(server.lastReport()!.containers).toBeNull()
  await engine.start()
  await server.want(1, [])
  await expect.poll(() => server.lastReport()?.containers).toEqual([])
  expect(run.said.filter((words) => words.startsWith('Connected'))).toHaveLength(1)
})

test('where nothing can be written it goes on, does no reboot, and takes over what is wanted once it can', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using run = runAgent(server, engine.socket)
  await server.want(1, [])
  await expect.poll(() => server.lastReport()?.revision).toBe(1)
  const folder = join(run.folder, 'notes.json.new')
  mkdirSync(folder)
  await server.want(2, [])
  await expect.poll(() => run.said.join()).toContain('What is wanted is not taken over')
  await server.command({ id: 'a', do: 'reboot' })
  await expect
    .poll(() => server.all<Answer>('answer'))
    .toMatchObject([{ id: 'a', ok: false, words: expect.stringContaining('noted') as string }])
  expect(run.reboots()).toBe(0)
  rmSync(folder, { recursive: true })
  await server.want(3, [])
  await expect.poll(() => server.lastReport()?.revision).toBe(3)
})
