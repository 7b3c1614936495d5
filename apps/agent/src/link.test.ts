import { agentLog, type Answer } from '@masthead/contract/devices/agent/messages'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createSecureServer } from 'node:tls'
import { expect, test } from 'vitest'
import { fetchDesired } from './fetch-desired.ts'
import { brokersOf, readIdentity } from './identity.ts'
import { openLink } from './link.ts'
import { makeTestCertificate } from './test-certificate.ts'
import { TestEngine } from './test-engine.ts'
import { runAgent, TestServer, wanted } from './test-server.ts'

test('where the server is asked by TLS the broker is never spoken with in clear', () => {
  expect(brokersOf('https://console.example.com/iot/', { mqtt_port: 1883, mqtts_port: 8884 })).toEqual([
    'wss://console.example.com/iot/mqtt',
    'mqtts://console.example.com:8884',
  ])
  expect(brokersOf('http://10.0.0.5:8080', { mqtt_port: 1883 })).toEqual(['mqtt://10.0.0.5:1883'])
  // With a certificate of its own the broker has to see it.
  const byCertificate = { mqtt_port: 1883, byCertificate: true }
  expect(brokersOf('https://console.example.com', byCertificate)).toEqual([
    'mqtts://console.example.com:8883',
    'wss://console.example.com/mqtt',
  ])
  expect(brokersOf('http://10.0.0.5:8080', byCertificate)).toEqual(['mqtts://10.0.0.5:8883'])
})

test('a server whose certificate is not trusted learns nothing, and the agent says why', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer(makeTestCertificate()).start()
  const url = `${server.httpUrl().replace('https', 'wss')}/mqtt`
  await using run = runAgent(server, engine.socket, { urls: [url] })
  await expect
    .poll(() => run.said.filter((words) => words.startsWith(`${url}: The certificate of the server is not trusted`)))
    .not.toEqual([])
  const asked = fetchDesired({ server: server.httpUrl(), device_id: server.device_id, token: 'secret' })
  await expect(asked).rejects.toThrow('The certificate of the server is not trusted (self-signed certificate)')
  expect([server.lives, server.heard]).toEqual([[], []])
})

test('the broker’s own certificate is trusted once the server has vouched for it, whatever the broker is called', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  const certificate = makeTestCertificate()
  const secure = createSecureServer(certificate, (stream) => server.take(stream)).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const url = `mqtts://127.0.0.1:${(secure.address() as AddressInfo).port}`
  await server.want(1, [])
  await using run = runAgent(server, engine.socket, { urls: [url] })
  await expect.poll(() => run.said.find((words) => words.startsWith(`${url}: `))).toContain('is not trusted')
  expect(server.lives).toEqual([])
  server.ca = certificate.cert
  // It asks again, as its broker is away.
  await expect.poll(() => server.lastReport(), { timeout: 15_000 }).toBeDefined()
  expect(run.said).toContain(`Connected to ${url}`)
  secure.close()
})

test('where something before the broker insists on a certificate, an agent that has none says so', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  const certificate = makeTestCertificate()
  const insists = { ...certificate, requestCert: true, rejectUnauthorized: true, ca: certificate.cert }
  const secure = createSecureServer(insists, (stream) => server.take(stream)).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const url = `mqtts://127.0.0.1:${(secure.address() as AddressInfo).port}`
  server.ca = certificate.cert
  await server.want(1, [])
  await using run = runAgent(server, engine.socket, { urls: [url] })
  await expect
    .poll(() => run.said.find((words) => words.includes('takes nobody without a certificate')), { timeout: 15_000 })
    .toMatch(/enrol with --certificate FILE --key FILE/)
  expect(server.lives).toEqual([])
  secure.close()
})

test('certificates that the server vouches for by now are on the disk for the next start; those of a device set up anew stay', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  const path = join(folder, 'identity.json')
  const identity = { server: server.httpUrl(), device_id: server.device_id, token: 'secret', url: server.url(), urls: [server.url()] }
  writeFileSync(path, JSON.stringify({ ...identity, ca: 'before' }))
  server.ca = 'renewed'
  await server.want(1, [])
  await using _run = runAgent(server, engine.socket, { folder })
  await expect.poll(() => readIdentity(path)).toEqual({ ...identity, ca: 'renewed' })
  server.ca = null
  await server.want(2, [])
  await expect.poll(() => readIdentity(path)).toEqual(identity)
  const anew = { ...identity, token: 'another', ca: 'its own' }
  writeFileSync(path, JSON.stringify(anew))
  server.ca = 'renewed again'
  await server.want(3, [wanted({ name: 'relay' })])
  // A report by this revision comes after what was kept.
  await expect.poll(() => server.lastReport()?.revision).toBe(3)
  expect(readIdentity(path)).toEqual(anew)
})

test('a broker that is not at its first address is found at the next, and both are said', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  const nowhere = `${server.httpUrl().replace('http', 'ws')}/elsewhere`
  await using run = runAgent(server, engine.socket, { urls: [nowhere, server.url()] })
  await expect.poll(() => server.lastReport()).toBeDefined()
  expect(run.said.slice(0, 3)).toContain(`${nowhere}: Unexpected server response: 503`)
  expect(run.said).toContain(`Connected to ${server.url()}`)
})

test('what the server cannot store of what a container prints is not sent, so that nothing waits behind it for ever', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, engine.socket)
  engine.registry.add('acme/relay:1')
  await server.want(1, [wanted({ name: 'relay' })])
  await expect.poll(() => server.lastOf('relay')?.state).toBe('running')
  // A line is cut after 1,000 characters: here in the middle of one.
  engine.log = `2026-11-25T10:00:00Z a\0b\n2026-11-25T10:00:01Z ${'x'.repeat(999)}😀\n`
  await server.command({ id: 'cmd_1', do: 'logs', container: 'relay', lines: 10 })
  await expect.poll(() => server.all<Answer>('answer')[0]?.lines?.map(({ text }) => text)).toEqual(['ab', `${'x'.repeat(999)}\ufffd`])
})

test('a report that is larger than the server takes is left out, and those after it are sent', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using run = runAgent(server, engine.socket)
  const answer = (id: string, count: number): Answer => {
    const lines = Array.from({ length: count }, () => ({ at: null, stream: 'stdout' as const, text: 'x'.repeat(1000) }))
    return { id, ok: true, words: null, lines }
  }
  for (const [id, lines] of [
    ['large', 60],
    ['small', 1],
  ] as const)
    run.agent.link.send('answer', answer(id, lines))
  await expect.poll(() => server.all<Answer>('answer').map(({ id }) => id)).toEqual(['small'])
  expect(run.said.filter((words) => words.startsWith('A report (answer)'))).toHaveLength(1)
})

test('the agent sends what it wrote last, when it is asked for its own log', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using run = runAgent(server, engine.socket)
  await expect.poll(() => run.said).toContain(`Connected to ${server.url()}`)
  await server.command({ id: 'cmd_1', do: 'logs', container: agentLog, lines: 200 })
  await expect.poll(() => server.all<Answer>('answer')[0]).toMatchObject({ id: 'cmd_1', ok: true, words: null })
  const lines = server.all<Answer>('answer')[0]!.lines!.map(({ text }) => text)
  expect(lines).toContain(`Connected to ${server.url()}`)
  expect(run.said.slice(0, lines.length)).toEqual(lines)
})

test('while an image is on its way the agent says how much of it is there', async () => {
  await using engine = await new TestEngine().start()
  await using server = await new TestServer().start()
  await using _run = runAgent(server, engine.socket)
  engine.registry.add('acme/relay:1').add('acme/other:1')
  const gate = Promise.withResolvers<void>()
  engine.pullGate = gate.promise
  await server.want(1, [wanted({ name: 'relay' })])
  await expect.poll(() => engine.done).toContain('pull acme/relay:1')
  // Another wish has it check again.
  await server.want(2, [wanted({ name: 'relay' }), wanted({ name: 'other', image: 'acme/other:1' })])
  await expect.poll(() => server.lastOf('relay')).toMatchObject({ state: 'downloading', percent: 40 })
  gate.resolve()
  await expect.poll(() => server.lastOf('relay')).toMatchObject({ state: 'running', percent: null })
})

test('ways that fail before one that leads to the broker are no sign that it is away, and no reason to trust it anew', async () => {
  await using server = await new TestServer().start()
  const certificate = makeTestCertificate()
  const secure = createSecureServer(certificate, (stream) => server.take(stream)).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const url = `mqtts://127.0.0.1:${(secure.address() as AddressInfo).port}`
  const nowhere = ['a', 'b', 'c'].map((path) => `${server.httpUrl().replace('http', 'ws')}/${path}`)
  const said: string[] = []
  let away = 0
  const nothing = () => undefined
  const link = openLink({
    login: { url, urls: [...nowhere, url], device_id: server.device_id, token: 'secret', ca: certificate.cert },
    random: () => 0.001,
    now: () => new Date(),
    onLook: nothing,
    onCommand: nothing,
    onUp: nothing,
    onAway: () => away++,
    onStored: nothing,
    say: (words) => said.push(words),
  })
  await expect.poll(() => said).toContain(`Connected to ${url}`)
  expect(away).toBe(0)
  expect(said).toEqual([...nowhere.map((each) => `${each}: Unexpected server response: 503`), `Connected to ${url}`])
  await link.stop()
  secure.close()
})

test('where no way leads to the broker the server is asked once for each round over all of them, from the third on', async () => {
  await using server = await new TestServer().start()
  const nowhere = ['a', 'b', 'c'].map((path) => `${server.httpUrl().replace('http', 'ws')}/${path}`)
  const said: string[] = []
  const triedBefore: number[] = []
  const nothing = () => undefined
  const link = openLink({
    login: { url: nowhere[0]!, urls: nowhere, device_id: server.device_id, token: 'secret' },
    random: () => 0.001,
    now: () => new Date(),
    onLook: nothing,
    onCommand: nothing,
    onUp: nothing,
    onAway: () => triedBefore.push(said.length),
    onStored: nothing,
    say: (words) => said.push(words),
  })
  await expect.poll(() => triedBefore.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(2)
  expect(triedBefore.slice(0, 2)).toEqual([9, 12])
  await link.stop()
})
