import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { makeOthersGiveWay, shareOfWaiting, wantsWay } from './give-way.ts'

test('others step back at once, and come back after a second of quiet', () => {
  const look = wantsWay()
  const looks = (share: number, times: number) => Array.from({ length: times }, () => look(share)).at(-1)
  expect(looks(0.4, 20)).toBe(false)
  expect(look(0.6)).toBe(true)
  expect(looks(0.4, 50)).toBe(true)
  expect(looks(0.1, 9)).toBe(true)
  expect(look(0.3)).toBe(true)
  expect(looks(0.1, 9)).toBe(true)
  expect(look(0.1)).toBe(false)
})

test('the priority of another process follows, where it may be raised again', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'])
  await once(child, 'spawn')
  let share = 1
  const way = makeOthersGiveWay(
    () => [child.pid!],
    () => share
  )
  try {
    const root = process.getuid?.() === 0
    const [back, forth] = root ? [10, 0] : [1, 1]
    await expect.poll(() => getPriority(child.pid), { timeout: 10_000 }).toBe(back)
    share = 0
    await expect.poll(() => getPriority(child.pid), { timeout: 10_000 }).toBe(forth)
  } finally {
    way.stop()
    child.kill()
  }
})

test('a process that has ended is passed over', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  let looks = 0
  const way = makeOthersGiveWay(
    () => [child.pid!],
    () => (looks++, 1)
  )
  await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(2)
  way.stop()
})

test('somebody waits from their request to the end of its answer, or until they go; whoever listens to a stream does not', async () => {
  const server = createServer()
  const share = shareOfWaiting(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async (path: string) => {
    const asking = request({ port, path }).on('error', () => {})
    asking.end()
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
    share() // what was before
    return { asking, response, closed: once(response, 'close') }
  }
  const shareAfter = async () => {
    await new Promise(setImmediate)
    return share()
  }
  const stream = await ask('/v1/live?topics=x')
  expect(await shareAfter()).toBe(0)
  const list = await ask('/v1/assets')
  expect(await shareAfter()).toBe(1)
  const other = await ask('/v1/tags')
  list.response.end()
  await list.closed
  expect(await shareAfter()).toBe(1)
  other.asking.destroy()
  await other.closed
  share()
  expect(await shareAfter()).toBe(0)
  stream.asking.destroy()
  server.close()
})
