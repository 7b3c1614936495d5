import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { FromTunnelDevice } from '@masthead/contract/terminal/tunnel-wire'
import type * as z from 'zod/mini'
import { TunnelRelay, type Way } from './tunnel-relay.ts'

afterEach(() => vi.useRealTimers())

/** A device that reads nothing, and says what the test has it say. */
function open() {
  const closed: object[] = []
  const device: EventEmitter & { OPEN: number; readyState: number; bufferedAmount: number } = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (frame: string | Uint8Array) => void (device.bufferedAmount += frame.length),
    close: () => {},
    terminate: () => void (device.readyState = 3),
  })
  const relay = new TunnelRelay({
    device: device as unknown as WebSocket,
    certificate: null,
    isAllowed: () => true,
    onConnection: () => (how) => void closed.push(how),
    onRefused: () => {},
    onGone: () => {},
  })
  const say = (words: z.input<typeof FromTunnelDevice>) => device.emit('message', Buffer.from(JSON.stringify(words)), false)
  return { relay, device, closed, say, way: relay.connect('127.0.0.1') as Way }
}

test('a connection of which the device says nothing ends within 20 seconds, in words', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { relay, closed, way } = open()
  vi.advanceTimersByTime(19_999)
  expect([closed, relay.connectionsNow]).toEqual([[], 1])
  vi.advanceTimersByTime(1)
  expect(closed).toMatchObject([{ result: 'device', words: 'The device did not answer within 20 s' }])
  expect([relay.connectionsNow, way.refusal()]).toEqual([0, 'The device did not answer within 20 s'])
})

test('one that was opened lasts', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { relay, closed, say } = open()
  say({ t: 'opened', c: 1 })
  vi.advanceTimersByTime(60_000)
  expect([closed, relay.connectionsNow]).toEqual([[], 1])
})

test('what a device says of its failure is kept without what the database does not keep', () => {
  const { closed, say } = open()
  say({ t: 'failed', c: 1, words: 'no\0 service' })
  expect(closed).toMatchObject([{ result: 'device', words: 'no service' }])
})

test('a device that says it handed on what it does not read is let go, and fills no memory', async () => {
  const { relay, device, say, way } = open()
  say({ t: 'opened', c: 1 })
  let written = 0
  way.stream.on('error', () => {})
  const pump = () => {
    for (;;) {
      if (device.readyState !== 1) return
      written += 64 * 1024
      if (!way.stream.write(Buffer.alloc(64 * 1024))) return void way.stream.once('drain', pump)
    }
  }
  pump()
  const lies = setInterval(() => say({ t: 'taken', c: 1, n: 4_000_000_000 }), 1)
  await vi.waitFor(() => expect(device.readyState).toBe(3), { timeout: 30_000, interval: 10 })
  clearInterval(lies)
  expect(device.bufferedAmount).toBeLessThan(32 * 1024 * 1024)
  expect(written).toBeGreaterThan(16 * 1024 * 1024)
  expect(relay.connectionsNow).toBe(0)
}, 60_000)
