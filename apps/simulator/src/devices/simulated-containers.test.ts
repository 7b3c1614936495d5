import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { agentLog } from '@masthead/contract/devices/agent/messages'
import { ReportedContainer } from '@masthead/contract/devices/agent/container'
import { keepCommands } from './simulated-commands.ts'
import { SimulatedContainers } from './simulated-containers.ts'
import type { PlannedDevice } from './device-plan.ts'

const device = { kind: 'agent', name: 'Weir', username: 'dev_1', password: 'secret' } as unknown as PlannedDevice

test('an image that is new on a simulated device comes in parts, and what it had from the beginning runs at once', async () => {
  const wanted = [{ name: 'relay', generation: 1, restart: 1, run: 'running', image: 'acme/relay:1' }]
  const desired = () => ({ revision: 1, containers: wanted })
  const http = createServer((asked, answer) =>
    answer.end(JSON.stringify(asked.url === '/agent/agent.json' ? { version: '0.330.7' } : desired()))
  ).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const containers = new SimulatedContainers({ host: '127.0.0.1', port, path: '', name: null } as never, device)
  const begun = Date.now()
  const look = async (ms: number) => {
    const { state, again } = await containers.look(new Date(begun + ms))
    // It was updated to what its server has.
    expect(state.versions.agent).toBe('0.330.7')
    return {
      again,
      all: state.containers.map((each) => ReportedContainer.parse(each)).map(({ state: is, percent }) => [is, percent ?? null]),
    }
  }
  expect(await look(0)).toEqual({ again: null, all: [['running', null]] })
  wanted[0] = { ...wanted[0]!, generation: 2, image: 'acme/relay:2' }
  expect(await look(1000)).toEqual({ again: 1, all: [['downloading', 0]] })
  expect(await look(3000)).toEqual({ again: 1, all: [['downloading', 50]] })
  expect(await look(5000)).toEqual({ again: 1, all: [['downloading', 100]] })
  expect(await look(6000)).toEqual({ again: null, all: [['running', null]] })
  http.close()
})

test('an image that the registry of its server does not have: what ran before goes on, it is said why, and it comes once it is there', async () => {
  const asked: string[] = []
  let has = false
  const wanted = [
    { name: 'relay', generation: 1, restart: 1, run: 'running', image: 'acme/relay:1' },
    { name: 'door', generation: 1, restart: 1, run: 'running', image: 'acme/door:1' },
  ]
  const http = createServer(({ url = '', headers }, answer) => {
    if (url.startsWith('/v2/')) {
      asked.push(`${url} ${Buffer.from(headers.authorization!.slice('Basic '.length), 'base64').toString()}`)
      if (!has) answer.statusCode = 404
      return answer.end(JSON.stringify(has ? {} : { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'There is no tag 2' }] }))
    }
    if (url === '/v1/devices/registry-login') return answer.end(JSON.stringify({ hosts: [host()], username: 'dev_1', password: 'pass' }))
    return answer.end(JSON.stringify(url === '/agent/agent.json' ? {} : { revision: 1, containers: wanted }))
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const host = () => `127.0.0.1:${port}`
  const containers = new SimulatedContainers({ host: '127.0.0.1', port, path: '', name: null } as never, device)
  const begun = Date.now()
  const look = async (ms: number) => {
    const { state } = await containers.look(new Date(begun + ms))
    return state.containers.map((each) => ReportedContainer.parse(each))
  }
  await look(0)
  wanted[0] = { ...wanted[0]!, generation: 2, image: `${host()}/acme/relay:2` }
  const since = new Date(begun + 1000).toISOString()
  const problem = { code: 'image_pull_backoff', words: 'MANIFEST_UNKNOWN: There is no tag 2', since }
  const before = { state: 'running', generation: 1, image: 'acme/relay:1' }
  expect(await look(1000)).toMatchObject([
    { ...before, problem },
    { state: 'running', problem: null },
  ])
  has = true
  expect(await look(30_000)).toMatchObject([{ ...before, problem }, { problem: null }])
  expect(asked).toEqual(['/v2/acme/relay/manifests/2 dev_1:pass'])
  expect(await look(61_000)).toMatchObject([{ state: 'downloading', problem: null }, { state: 'running' }])
  expect(await look(66_000)).toMatchObject([{ state: 'running', generation: 2, problem: null }, { state: 'running' }])

  has = false
  wanted[1] = { ...wanted[1]!, name: 'gate', image: `${host()}/acme/gate:2` }
  expect(await look(70_000)).toMatchObject([
    { state: 'running' },
    { name: 'gate', state: 'waiting', generation: null, problem: { code: 'image_pull_backoff' } },
  ])
  http.close()
})

test('a simulated device sends what its agent wrote', () => {
  const said: { data: { ok: boolean; lines: { text: string }[] | null } }[] = []
  const commands = keepCommands({
    server: { host: '127.0.0.1', port: 1, path: '', name: null } as never,
    device,
    containers: () => ['relay'],
    measure: () => ({}) as never,
    say: (message) => said.push(message as never),
    reboot: () => {},
  })
  commands.receive({ id: 'cmd_1', do: 'logs', container: agentLog, lines: 2 })
  commands.receive({ id: 'cmd_2', do: 'logs', container: 'none', lines: 2 })
  expect(said.map(({ data }) => [data.ok, data.lines?.map(({ text }) => text) ?? null])).toEqual([
    [true, ['Wanted: 1 containers', 'relay: runs']],
    [false, null],
  ])
  commands.stop()
})
