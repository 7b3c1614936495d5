import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { openAnswerer, until } from './test-answerer.ts'

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
})

async function setUp(change: object = {}) {
  const answerer = await openAnswerer('s3cret')
  const folder = mkdtempSync(join(tmpdir(), 'network-plan-'))
  const file = join(folder, 'plan.json')
  const route = [{ mccmnc: '204-08', rat: 'EUTRAN' }]
  const sim = {
    imsi: '204080000000001',
    msisdn: '31600000001',
    imei: '353490069873319',
    home: '204-08',
    pattern: 'camera',
    route,
    apn: 'a',
  }
  const gateways = [{ name: 'gw', address: '127.0.0.2', secret: 's3cret' }]
  writeFileSync(file, JSON.stringify({ seed: 1, speed: 1000, server: answerer.server, gateways, sims: [sim], ...change }))
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), [file], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const ended = once(child, 'exit')
  let words = ''
  child.stderr!.on('data', (chunk) => (words += String(chunk)))
  closing.push(
    () => answerer.close(),
    () => rmSync(folder, { recursive: true }),
    () => child.kill('SIGKILL')
  )
  return { answerer, file, child, ended, words: () => words }
}

const isUp = async (child: ChildProcess) => expect((await once(child, 'message'))[0]).toEqual({ ready: true })

test('runs a plan, and on SIGTERM ends its sessions and itself', async () => {
  const { answerer, child, ended } = await setUp()
  await isUp(child)
  await until(() => answerer.of('start').length === 1)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(answerer.received.slice(-2).map(({ record }) => record.status_type)).toEqual(['stop', 'off'])
})

test.each([0, 250])('ends without a word when its parent is killed %i ms after it began', async (ms) => {
  const plan = await setUp()
  const parent = `const child = require('node:child_process').fork(process.argv[1], [process.argv[2]], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    console.log(child.pid)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`
  const killed = spawn(process.execPath, ['-e', parent, fileURLToPath(new URL('main.ts', import.meta.url)), plan.file])
  let words = ''
  killed.stderr.on('data', (chunk) => (words += String(chunk)))
  const [pid] = (await once(killed.stdout, 'data')) as [Buffer]
  await once(killed, 'close') // when the child's standard error is closed, too
  expect(words).toBe('')
  expect(existsSync(`/proc/${Number(String(pid))}/cmdline`) && readFileSync(`/proc/${Number(String(pid))}/cmdline`, 'utf8')).toBeFalsy()
})

test('ends when its parent is gone', async () => {
  const { child, ended } = await setUp()
  await isUp(child)
  child.disconnect()
  expect(await ended).toEqual([0, null])
})

test('a bad plan is a sentence and exit code 1', async () => {
  const { ended, words } = await setUp({ gateways: [] })
  expect((await ended)[0]).toBe(1)
  expect(words()).toContain('is not a network plan')
  expect(words()).toContain('gateways')
})
