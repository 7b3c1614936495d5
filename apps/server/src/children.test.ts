import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startChild } from './children.ts'

const log = pino({ level: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'masthead-child-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** How long it was to wait before each new start, ms. What a child may take to answer or to end is 1000 and 8000. */
const waits = () => vi.mocked(setTimeout).mock.calls.flatMap(([, ms]) => (ms !== undefined && ms >= 300 && ms % 300 === 0 ? [ms] : []))
beforeEach(() => {
  vi.restoreAllMocks()
  vi.spyOn(globalThis, 'setTimeout')
})
afterAll(() => vi.restoreAllMocks())
const module = pathToFileURL(join(folder, 'child.mjs')).href
writeFileSync(
  join(folder, 'child.mjs'),
  `process.on('message', ({ ask }) => ask === 'name' && process.send({ name: 'Ann' })); process.send({ ready: true })`
)

test('one that dies comes back, and answers', async () => {
  const child = startChild({ name: 'child', module, log })
  try {
    await child.ready
    const first = child.pid()!
    expect(await child.ask('name')).toBe('Ann')
    expect(await child.ask('what it does not know')).toBeUndefined()
    expect(process.kill(-first, 0)).toBe(true) // leads a group of its own, which Ctrl-C in our terminal does not reach
    process.kill(first, 'SIGKILL')
    await expect.poll(() => child.isUp() && child.pid() !== first, { timeout: 10_000 }).toBe(true)
    expect(await child.ask('name')).toBe('Ann')
  } finally {
    await child.stop()
  }
})

test('one that says it is up and falls, again and again, is started later each time, and reported', { timeout: 30_000 }, async () => {
  const falling = pathToFileURL(join(folder, 'falling.mjs')).href
  writeFileSync(join(folder, 'falling.mjs'), `process.send({ ready: true }, () => process.exit(70))`)
  const child = startChild({ name: 'child', module: falling, log })
  try {
    expect(child.tooOften()).toBe(0)
    await expect.poll(child.tooOften).toBe(4)
    expect(waits()).toEqual([300, 600, 1200, 2400])
  } finally {
    await child.stop()
  }
})

test('one that cannot be started is tried again', async () => {
  const { execPath } = process
  process.execPath = join(folder, 'nothing')
  const child = startChild({ name: 'child', module, log })
  try {
    await expect.poll(waits).toEqual([300])
    expect([child.isUp(), child.pid()]).toEqual([false, undefined])
    process.execPath = execPath
    await child.ready
    expect(child.isUp()).toBe(true)
  } finally {
    process.execPath = execPath
    await child.stop()
  }
})

test('one that could not be started has nothing to stop', async () => {
  const failed = vi.spyOn(log, 'error')
  const { execPath } = process
  process.execPath = join(folder, 'nothing')
  const child = startChild({ name: 'child', module, log })
  process.execPath = execPath
  await child.stop()
  await expect.poll(() => failed.mock.calls).toHaveLength(1)
  expect([child.isUp(), waits()]).toEqual([false, []])
})

test.each(['metering', 'devices/broker'])('%s that cannot start says so in lines of the log', { timeout: 30_000 }, async (part) => {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    MASTHEAD_DATA_DIR: folder,
    MASTHEAD_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    MASTHEAD_RADIUS_AUTH_PORT: '0',
    MASTHEAD_RADIUS_ACCT_PORT: '0',
    MASTHEAD_MQTT_PORT: '0',
    MASTHEAD_MQTTS_PORT: '0',
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, part, 'main.ts')], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')])
  const lines = said.trim().split('\n')
  expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([])
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ level: 60, msg: expect.stringContaining('could not start') })
  expect(child.exitCode).toBe(1)
})
