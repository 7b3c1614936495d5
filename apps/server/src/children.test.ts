import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { startChild } from './children.ts'

const log = pino({ level: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'masthead-child-'))
afterAll(() => rmSync(folder, { recursive: true }))
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
    await expect.poll(child.tooOften, { timeout: 20_000 }).toBe(4)
    // It waits 2.4 s now; by the wait of the first time it would have fallen a fifth time long ago.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(child.tooOften()).toBe(4)
  } finally {
    await child.stop()
  }
})

test('one that cannot be started is tried again', async () => {
  const { execPath } = process
  process.execPath = join(folder, 'nothing')
  const child = startChild({ name: 'child', module, log })
  try {
    await new Promise((resolve) => setTimeout(resolve, 100))
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
  const { execPath } = process
  process.execPath = join(folder, 'nothing')
  const child = startChild({ name: 'child', module, log })
  process.execPath = execPath
  await child.stop()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(child.isUp()).toBe(false)
})
