import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AgentVersion, isNewer } from '@masthead/contract/devices/agent/update'
import { TestServer } from '../test-server.ts'
import { builtSum, version } from '../version.ts'
import { programOf } from './standing.ts'
import { buildPrograms, startDevice, type Programs } from './test-device.ts'

// Real processes: the built agent, started as its unit starts it, against a server that offers it other versions.

const waits = { timeout: 60_000 }
let programs: Programs
beforeAll(() => {
  programs = buildPrograms()
}, 60_000)
afterAll(() => programs[Symbol.dispose]())

const versionOf = (server: TestServer) => server.lastReport()?.versions.agent
const updateOf = (server: TestServer) => server.lastReport()?.update

test('the version was given to what is built now, and is newer than that of all agents that were built before each had its own', () => {
  const sum = createHash('sha256').update(programs.works('')).digest('hex')
  expect(sum, 'The agent has changed: run npm run agent:version').toBe(builtSum)
  expect([programs.version, AgentVersion.safeParse(version).success, isNewer(version, '0.1.0')]).toEqual([version, true, true])
})

test('a version that works is brought, runs, and stays after its trial', async () => {
  await using server = await new TestServer().start()
  using device = startDevice(server, programs, 8)
  await expect.poll(() => versionOf(server), waits).toBe(programs.version)
  expect(updateOf(server)).toBeNull()
  await server.update('one', '0.2.0', programs.works('0.2.0'))
  await expect.poll(() => versionOf(server), waits).toBe('0.2.0')
  expect(updateOf(server)).toMatchObject({ id: 'one', version: '0.2.0', state: 'on_trial' })
  await expect.poll(() => device.standing(), waits).toEqual({ current: '0.2.0', trial: null, left: null })
  expect(device.starts()).toBe(2)
  // It is not what is wanted again, nor after a crash.
  device.kill()
  await expect.poll(() => device.starts(), waits).toBe(3)
  await expect.poll(() => updateOf(server), waits).toBeNull()
  expect(versionOf(server)).toBe('0.2.0')
})

test('a version that crashes is left after three starts, one that hangs after its time; both are reported, and not tried again until they are asked for', async () => {
  await using server = await new TestServer().start()
  using device = startDevice(server, programs, 8)
  await expect.poll(() => versionOf(server), waits).toBe(programs.version)

  await server.update('crash', '0.2.0', programs.broken('0.2.0', 'process.exit(7)'))
  await expect.poll(() => updateOf(server), waits).toMatchObject({ id: 'crash', state: 'gone_back' })
  const back = `Version ${programs.version} is used again`
  expect(updateOf(server)!.words).toBe(`Version 0.2.0 ended 3 times within its first two minutes. ${back}`)
  expect(versionOf(server)).toBe(programs.version)
  expect(device.log().match(/broken 0\.2\.0/g)).toHaveLength(3)

  await server.update('hang', '0.3.0', programs.broken('0.3.0', 'for (;;);'))
  await expect.poll(() => updateOf(server), waits).toMatchObject({ id: 'hang', state: 'gone_back' })
  expect(updateOf(server)!.words).toContain('did not reach the server within two minutes')
  expect(device.log().match(/broken 0\.3\.0/g)).toHaveLength(1)

  const starts = device.starts()
  await server.update('hang', '0.3.0', programs.works('0.3.0'))
  await server.want(5, [])
  await expect.poll(() => server.lastReport()!.revision, waits).toBe(5)
  expect(device.starts()).toBe(starts)
  await server.update('again', '0.3.0', programs.works('0.3.0'))
  await expect.poll(() => versionOf(server), waits).toBe('0.3.0')
})

test('one that reports and then ends again and again is left, too', async () => {
  await using server = await new TestServer().start()
  using device = startDevice(server, programs)
  await expect.poll(() => versionOf(server), waits).toBe(programs.version)
  await server.update(
    'late',
    '0.2.0',
    `setTimeout(() => process.exit(1), 4000)\n${programs.works('0.2.0')}`.replace(/^/, "if (process.argv[2] !== 'version') ")
  )
  await expect.poll(() => versionOf(server), waits).toBe('0.2.0')
  await expect.poll(() => updateOf(server), waits).toMatchObject({ state: 'gone_back' })
  expect(versionOf(server)).toBe(programs.version)
  expect(device.standing()!.current).toBe(programs.version)
})

test('what is not what was promised is never started', async () => {
  await using server = await new TestServer().start()
  using device = startDevice(server, programs)
  await expect.poll(() => versionOf(server), waits).toBe(programs.version)
  await server.update('forged', '0.2.0', programs.works('0.2.0'), 'a'.repeat(64))
  await expect
    .poll(() => updateOf(server), waits)
    .toMatchObject({ state: 'failed', words: expect.stringContaining('is not version 0.2.0') as string })
  await server.update('other', '0.2.0', programs.works('0.4.0'))
  await expect
    .poll(() => updateOf(server), waits)
    .toMatchObject({ id: 'other', words: 'What the server sent says that it is version 0.4.0' })
  await server.update('torn', '0.2.0', 'this is no program')
  await expect.poll(() => updateOf(server)?.words, waits).toContain('Version 0.2.0 does not run on this device')
  expect(existsSync(programOf(device.home, '0.2.0'))).toBe(false)
  expect(device.starts()).toBe(1)
})

test('killed again and again while it updates, it ends with a version that runs', async () => {
  await using server = await new TestServer().start()
  using device = startDevice(server, programs, 6)
  await expect.poll(() => versionOf(server), waits).toBe(programs.version)
  await server.update('kills', '0.2.0', programs.works('0.2.0'))
  for (let i = 0; i < 12; i++) {
    await new Promise((resolve) => setTimeout(resolve, 300 + ((i * 397) % 1500)))
    device.kill()
  }
  const isSettled = () => {
    const { current, trial, left } = device.standing()!
    return trial === null && (current === '0.2.0' || left !== null)
  }
  await expect.poll(isSettled, waits).toBe(true)
  const { current } = device.standing()!
  const before = server.heard.length
  await expect.poll(() => server.heard.length, waits).toBeGreaterThan(before)
  await expect.poll(() => versionOf(server), waits).toBe(current)
  if (current === programs.version) expect(updateOf(server)).toMatchObject({ state: 'gone_back' })
})
