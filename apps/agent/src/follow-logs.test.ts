import { expect, test } from 'vitest'
import { keptFollowed, mostFollowedLines, type LogLine, type LogPart, type LogParts } from '@masthead/contract/devices/agent/messages'
import type { Engine } from './engine/engine.ts'
import { logReader } from './engine/log-lines.ts'
import { followLogs } from './follow-logs.ts'

const lineOf = (text: string): LogLine => ({ at: null, stream: 'stdout', text })
const until = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

/** A follower of one container whose log is `written`, and what it sent. */
function following(written: (signal: AbortSignal) => AsyncGenerator<LogLine[]>) {
  const sent: LogParts[] = []
  let [at, checks] = [0, 0]
  const engine = {
    list: () => Promise.resolve([{ Id: 'c1', State: { Status: 'running' }, Config: { Labels: { 'masthead.container': 'relay' } } }]),
    follow: (_id: string, _tail: number, signal: AbortSignal) => written(signal),
  } as unknown as Engine
  const logs = followLogs({ engine, now: () => (checks++, new Date(at)), send: (parts) => sent.push(parts), every: 10 })
  const parts = (): LogPart[] => sent.flatMap((each) => Object.values(each))
  return { logs, sent, parts, checks: () => checks, advance: (ms: number) => void (at += ms) }
}

test('lines come as they are written, a little at a time, until nobody asks for more', async () => {
  const { logs, sent, parts, checks, advance } = following(async function* (signal) {
    yield Array.from({ length: 100 }, (_, i) => lineOf(`line ${i}`))
    await until(signal)
  })
  logs.follow('relay', 30)
  await expect.poll(() => parts().flatMap(({ lines }) => lines).length).toBe(100)
  expect(parts().every(({ lines }) => lines.length <= mostFollowedLines)).toBe(true)
  expect(parts().map(({ from }) => from)).toEqual(
    parts().map((_, i) =>
      parts()
        .slice(0, i)
        .reduce((sum, { lines }) => sum + lines.length, 0)
    )
  )
  expect(new Set(sent.flatMap(Object.keys)).size).toBeLessThanOrEqual(keptFollowed)
  advance(20_000)
  logs.follow('relay', 30)
  advance(20_000)
  const before = checks()
  // One that ended it would be the last.
  await expect.poll(checks).toBeGreaterThan(before + 1)
  expect(logs.size()).toBe(1)
  advance(20_000)
  await expect.poll(() => logs.size()).toBe(0)
})

test('of a log that is written too fast the oldest lines are left out, and counted', async () => {
  const { logs, parts } = following(async function* () {
    yield Array.from({ length: 1000 }, (_, i) => lineOf(`line ${i}`))
  })
  logs.follow('relay', 30)
  await expect.poll(() => parts().at(-1)).toMatchObject({ ended: true, skipped: 600, from: 600, words: 'The container has ended' })
  expect(parts().at(-1)!.lines[0]!.text).toBe('line 600')
})

test('a container that is not there is reported; no more than three are followed', async () => {
  const { logs, parts } = following(async function* (signal) {
    await until(signal)
    yield []
  })
  logs.follow('gone', 30)
  await expect.poll(() => parts().at(-1)).toMatchObject({ container: 'gone', ended: true, words: 'There is no container gone' })
  for (const name of ['relay', 'a', 'b', 'c']) logs.follow(name, 30)
  expect(logs.size()).toBe(3)
  logs.stop()
})

test('frames of a log may be cut anywhere', () => {
  const frame = (stream: number, text: string) => {
    const head = Buffer.from([stream, 0, 0, 0, 0, 0, 0, 0])
    head.writeUInt32BE(Buffer.byteLength(text), 4)
    return Buffer.concat([head, Buffer.from(text)])
  }
  const all = Buffer.concat([frame(1, '2026-11-25T10:00:00Z up\nhalf '), frame(2, 'wrong\n'), frame(1, 'a line\n')])
  for (let size = 1; size < all.length; size++) {
    const read = logReader()
    const lines: LogLine[] = []
    for (let at = 0; at < all.length; at += size) lines.push(...read(all.subarray(at, at + size)))
    expect(lines.map(({ stream, text }) => `${stream} ${text}`)).toEqual(['stdout up', 'stderr wrong', 'stdout half a line'])
  }
})
