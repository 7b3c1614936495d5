import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('one that says it is up and falls, again and again, is started later each time, and told of', { timeout: 30_000 }, async () => {
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
