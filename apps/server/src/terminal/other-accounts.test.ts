import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { deviceKeyHeader } from '@masthead/contract/devices/agent/device-operations'
import { openTunnel } from '@masthead/contract/terminal/tunnel-operations'
import { putAgent } from '../devices/agent/test-agent.ts'
import { carry } from './files/test-file.ts'
import { openTerminalHouse, openWindow, type TerminalHouse } from './test-terminal.ts'

let house: TerminalHouse
let folder: string
beforeAll(async () => {
  house = await openTerminalHouse()
  folder = mkdtempSync(join(tmpdir(), 'others-'))
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** How the upgrade to a WebSocket was answered. */
async function answered(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${house.address.replace('http', 'ws')}/v1/${path}`, { headers })
  socket.on('error', () => {})
  const opened = once(socket, 'open').then(() => 101)
  const refused = once(socket, 'unexpected-response').then(([, answer]) => (answer as IncomingMessage).statusCode!)
  const status = await Promise.race([opened, refused])
  socket.terminate()
  return status
}

test('by no id of another account does anybody get into its terminals, files and tunnels, nor does a device of theirs', async () => {
  const { owner, address } = house
  const stranger = await house.newOwner()
  const theirs = await putAgent(house, stranger)
  const { id, window } = await house.open()
  await window.message('step', ({ step }) => step === 'shell')
  const source = Buffer.alloc(4_000_000)
  const where = { address, person: owner, terminal: id }
  const sent = await carry(where, { way: 'up', path: `${folder}/`, name: 'a.bin', size: source.length, replace: false }, source, 300_000)
  await vi.waitFor(() => expect(sent.place()).toBeGreaterThan(0), 20_000)
  const said = sent.words.find(({ t }) => t === 'id') as { id: string }
  const body = { port: 22, address: null, sources: ['127.0.0.1/32'], minutes: 15 }
  const tunnel = (await owner.call(openTunnel, { params: { asset_id: house.asset_id }, body })).body

  const own = { cookie: stranger.cookie, origin: address }
  const key = { [deviceKeyHeader]: theirs.key }
  for (const [path, headers, status] of [
    [`terminal-sessions/${id}/socket?client=one`, own, 404],
    [`terminal-sessions/${id}/file?client=one`, own, 404],
    [`devices/terminal/${id}`, key, 404],
    [`devices/terminal-file/${said.id}`, key, 404],
    [`devices/tunnel/${tunnel.id}`, key, 404],
    // A person is no device, and a device no person.
    [`devices/terminal/${id}`, own, 403],
    [`devices/tunnel/${tunnel.id}`, own, 403],
    [`terminal-sessions/${id}/socket?client=one`, { ...key, origin: address }, 401],
  ] as const)
    expect([path, await answered(path, headers as Record<string, string>)]).toEqual([path, status])

  // Within the account: neither the file of another's, nor the keyboard of who is not there, nor the window of another person.
  const member = await house.newMember(owner, ['assets.view', 'terminal.open', 'terminal.files'])
  const watching = await openWindow(address, member, id, { client: 'one' })
  await watching.message('who')
  const socket = new WebSocket(`${address.replace('http', 'ws')}/v1/terminal-sessions/${id}/file?client=one`, {
    headers: { cookie: member.cookie, origin: address },
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ t: 'resume', id: said.id }))
  expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({ t: 'over', end: 'left' })
  const { you, people } = await window.message('who')
  expect(people.find((each) => each.id === you)?.types).toBe(true)
  for (const to of ['one', 'nobody', `${theirs.device_id}:one`]) window.say({ t: 'give', to })
  watching.say({ t: 'give', to: (await watching.message('who')).you })
  watching.say({ t: 'size', cols: 7, rows: 7 })
  watching.say({ t: 'end' })
  watching.say({ t: 'ping', n: 1 })
  await watching.message('pong')
  window.type('stty size; echo mine-$((40+2))\r')
  await window.shows('mine-42')
  expect(window.text()).toContain('24 80')
  window.say({ t: 'end' })
  await window.message('ended')
}, 90_000)
