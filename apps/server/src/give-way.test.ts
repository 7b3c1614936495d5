import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { expect, test } from 'vitest'
import { databaseProcesses, makeOthersGiveWay, shareOfWaiting, wantsWay } from './give-way.ts'
import { openPool } from './kernel/database/pool.ts'
import { openHouse } from '@masthead/testkit/house'

test('others step back at once, and come back after a second of quiet', () => {
  const look = wantsWay()
  const looks = (share: number, times: number) => Array.from({ length: times }, () => look(share)).at(-1)
  expect(looks(0.4, 80)).toBe(false)
  expect(look(0.6)).toBe(true)
  expect(looks(0.4, 200)).toBe(true)
  expect(looks(0.1, 39)).toBe(true)
  expect(look(0.3)).toBe(true)
  expect(looks(0.1, 39)).toBe(true)
  expect(look(0.1)).toBe(false)
})

test('nobody steps back for a while after it pressed the others, and longer each time it soon does again', () => {
  const look = wantsWay()
  const press = () => {
    // They have just stepped back: it takes half a second until that can be what presses them.
    for (let looks = 0; looks < 20; looks++) expect(look(0.9, true)).toBe(true)
    expect(look(0.9, true)).toBe(false)
  }
  /** How many looks the others are let alone for. */
  const pause = (pressed = press) => {
    pressed()
    for (let looks = 1; ; looks++) if (look(0.9)) return looks
  }
  expect(look(0.9)).toBe(true)
  expect(pause()).toBe(40)
  expect(pause()).toBe(80)
  // That others are pressed while nobody steps back is not our doing.
  press()
  expect(look(0.9, true)).toBe(false)
  for (let i = 0; i < 158; i++) look(0.9)
  expect(look(0.9)).toBe(true)
  expect([pause(), pause(), pause(), pause()]).toEqual([320, 640, 1200, 1200])
  for (let i = 0; i < 400; i++) expect(look(0.9)).toBe(true)
  expect(pause(() => expect(look(0.9, true)).toBe(false))).toBe(40)
})

/** A session of its own, as the meter and the database's processes are. */
async function openOther(script = 'setInterval(() => {}, 1e6)', { detached = true } = {}) {
  const child = spawn(process.execPath, ['-e', script], { detached })
  await once(child, 'spawn')
  return Object.assign(child, { pid: child.pid!, [Symbol.dispose]: () => void child.kill() })
}

/** As far as this machine has it: of the session, of the process where it may be put back. */
const priorities = (pid: number) => {
  const [, session] = (existsSync(`/proc/${pid}/autogroup`) ? readFileSync(`/proc/${pid}/autogroup`, 'utf8') : '').split('nice ')
  return [...(session ? [Number(session)] : []), ...(process.getuid?.() === 0 ? [getPriority(pid)] : [])]
}

const all = (pid: number, priority: number) =>
  expect.poll(() => priorities(pid), { timeout: 10_000 }).toEqual(priorities(pid).map(() => priority))

test('others step back while somebody waits, also one that comes later, and all come back', async () => {
  using first = await openOther()
  const others = [first.pid]
  let share = 1
  const way = makeOthersGiveWay({ others: async () => others, share: () => share, pressed: () => false })
  await all(first.pid, 19)
  using second = await openOther()
  others.push(second.pid)
  await all(second.pid, 19)
  share = 0
  await all(first.pid, 0)
  await all(second.pid, 0)
  share = 1
  await all(second.pid, 19)
  way.stop()
  await all(second.pid, 0)
})

test('who was found before steps back at once, whenever it is told again who they are', async () => {
  using first = await openOther()
  const asked = [async () => [first.pid], () => new Promise<number[]>(() => {})]
  let share = 1
  const way = makeOthersGiveWay({ others: () => asked.shift()!(), share: () => share, pressed: () => false })
  await all(first.pid, 19)
  share = 0
  await all(first.pid, 0)
  share = 1
  await all(first.pid, 19)
  expect(asked).toEqual([])
  way.stop()
  await all(first.pid, 0)
})

test('one that is no session of its own steps back by itself, and takes nobody with it', async () => {
  using other = await openOther(undefined, { detached: false })
  const before = priorities(process.pid)
  const lowest = process.getuid?.() === 0 ? 19 : 0 // who may not put it back leaves it
  let share = 1
  const way = makeOthersGiveWay({ others: async () => [other.pid], share: () => share, pressed: () => false })
  await expect.poll(() => getPriority(other.pid), { timeout: 10_000 }).toBe(lowest)
  expect(priorities(process.pid)).toEqual(before)
  share = 0
  await expect.poll(() => getPriority(other.pid), { timeout: 10_000 }).toBe(0)
  way.stop()
})

test.runIf(process.getuid?.() === 0)('a process that had a priority of its own has it again', async () => {
  using other = await openOther()
  setPriority(other.pid, 5)
  let share = 1
  const way = makeOthersGiveWay({ others: async () => [other.pid], share: () => share, pressed: () => false })
  await expect.poll(() => getPriority(other.pid), { timeout: 10_000 }).toBe(19)
  share = 0
  await expect.poll(() => getPriority(other.pid), { timeout: 10_000 }).toBe(5)
  way.stop()
})

test('a process that has ended is passed over, and others that cannot be told are none', async () => {
  using gone = await openOther('')
  if (gone.exitCode === null) await once(gone, 'exit')
  let looks = 0
  const way = makeOthersGiveWay({
    others: async () => {
      if (looks++ % 2) throw new Error('The database is away')
      return [gone.pid]
    },
    share: () => 1,
    pressed: () => false,
  })
  await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(2)
  way.stop()
})

test('the database tells its processes of named connections', async () => {
  await using house = await openHouse()
  const named = openPool(house.databaseUrl, { max: 1, name: 'masthead meter' })
  try {
    const { rows } = await named.query<{ pid: number }>('select pg_backend_pid() as pid')
    expect(await databaseProcesses(house.db, ['masthead meter'])).toContain(rows[0]!.pid)
    expect(await databaseProcesses(house.db, ['masthead other'])).not.toContain(rows[0]!.pid)
  } finally {
    await named.end()
  }
})

test('somebody waits from their request to the beginning of its answer, or until they go; whoever sends or is sent much does not', async () => {
  const server = createServer()
  const share = shareOfWaiting(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async ({ upload = false } = {}) => {
    const asking = request({ port, ...(upload && { method: 'POST', headers: { 'content-length': 5 } }) }).on('error', () => {})
    if (upload) asking.flushHeaders()
    else asking.end()
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
    share() // what was before
    return { asking, response, closed: once(response, 'close') }
  }
  const shareAfter = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return share()
  }
  const stream = await ask()
  expect(await shareAfter()).toBe(1)
  stream.response.write('first')
  share()
  expect(await shareAfter()).toBe(0)
  const upload = await ask({ upload: true })
  expect(await shareAfter()).toBe(0)
  const list = await ask()
  expect(await shareAfter()).toBe(1)
  const other = await ask()
  list.response.end()
  await list.closed
  expect(await shareAfter()).toBe(1)
  other.asking.destroy()
  await other.closed
  share()
  expect(await shareAfter()).toBe(0)
  upload.asking.end('whole')
  await new Promise((resolve) => setTimeout(resolve, 50))
  share()
  expect(await shareAfter()).toBe(1)
  for (const { asking } of [stream, upload]) asking.destroy()
  server.close()
})
