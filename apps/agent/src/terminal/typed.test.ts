import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer, type WebSocket } from 'ws'
import { expect, test, vi } from 'vitest'
import { startShell } from './shell.ts'
import { openTerminal } from './terminal.ts'

const size = { cols: 80, rows: 24 }

test('a program that does not read holds up what is typed, and nothing else; then it gets all of it', async () => {
  let shown = ''
  const folder = mkdtempSync(join(tmpdir(), 'typed-'))
  const reads = join(folder, 'reads')
  const shell = await startShell(size, { onBytes: (bytes) => void (shown += Buffer.from(bytes).toString()), onExit: () => {} })
  let taken = 0
  const typed = (bytes: Buffer) => shell.write(bytes, () => void (taken += bytes.byteLength))
  // It reads once the file is there: not before what was typed is on its way, however long that takes here.
  const waits = `for n in $(seq 200); do [ -e ${reads} ] && break; sleep 0.1; done`
  typed(Buffer.from(`stty raw -echo; echo ready-$((1+1)); ${waits}; head -c 4000000 | sha256sum; exit\r`))
  await vi.waitFor(() => expect(shown).toContain('ready-2'), 75_000)
  const before = taken
  for (let i = 0; i < 40; i++) typed(Buffer.alloc(100_000, 'x'))
  // Were it held up by the program, it would go on only once that has taken all of it.
  await new Promise((resolve) => setImmediate(resolve))
  expect(taken - before).toBeLessThan(1_000_000)
  writeFileSync(reads, '')
  const sum = createHash('sha256').update(Buffer.alloc(4_000_000, 'x')).digest('hex')
  await vi.waitFor(() => expect(shown).toContain(sum), 60_000)
  expect(taken - before).toBe(4_000_000)
  rmSync(folder, { recursive: true })
}, 150_000)

test('a server that sends on although the shell takes nothing is not read', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const joined = once(server, 'connection') as Promise<[WebSocket]>
  const waiting: (() => void)[] = []
  let got = 0
  const terminal = openTerminal({
    login: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, url: '', device_id: 'dev_1', token: 't' },
    session: 'trm_1',
    size,
    start: async () => ({
      user: 'root',
      write: (bytes, taken) => {
        got += bytes.byteLength
        waiting.push(taken)
      },
      resize: () => {},
      pause: () => {},
      resume: () => {},
      folder: () => '/',
      end: () => {},
    }),
    say: () => {},
    onEnd: () => {},
  })
  const [socket] = await joined
  const said: { t: string; n?: number }[] = []
  socket.on('message', (data: Buffer) => void said.push(JSON.parse(data.toString())))
  socket.send(JSON.stringify({ t: 'from', at: 0 }))
  await vi.waitFor(() => expect(said.at(-1)).toEqual({ t: 'started', user: 'root' }))
  expect(said[0]).toEqual({ t: 'took', n: 0 })
  const all = 200 * 100_000
  for (let i = 0; i < 200; i++) socket.send(Buffer.alloc(100_000))
  await vi.waitFor(() => expect(got).toBeGreaterThan(500_000))
  // Were it read on, each turn would take some of it.
  for (let turn = 0; turn < 3000; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(got).toBeLessThan(1_000_000)
  const timer = setInterval(() => waiting.splice(0).forEach((taken) => taken()), 5)
  await vi.waitFor(() => expect(said.reduce((sum, { t, n = 0 }) => sum + (t === 'took' ? n : 0), 0)).toBe(all), 30_000)
  expect(got).toBe(all)
  clearInterval(timer)
  terminal.end()
  server.close()
}, 60_000)
