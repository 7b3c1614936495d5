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
  expect(await look(5000)).toEqual({ again: null, all: [['running', null]] })
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
