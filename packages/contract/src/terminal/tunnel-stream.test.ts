import { duplexPair } from 'node:stream'
import { expect, test } from 'vitest'
import { TunnelStream } from './tunnel-stream.ts'

function openStream() {
  const [outside, socket] = duplexPair({ allowHalfOpen: true, highWaterMark: 1024 })
  const over: boolean[] = []
  const stream = new TunnelStream({ socket, connection: 1, say: () => {}, send: () => {}, onOver: (byPeer) => over.push(byPeer) })
  for (const end of [outside, socket]) end.on('error', () => {})
  return { outside, socket, stream, over }
}
const sent = Buffer.alloc(100_000, 'x')

test('what was sent before the end reaches a slow reader, though the other end has closed', async () => {
  const { outside, stream, over, socket } = openStream()
  stream.hand(sent)
  stream.ended()
  stream.closed()
  expect(over).toEqual([])
  const got: Buffer[] = []
  for await (const piece of outside) got.push(piece as Buffer)
  expect(Buffer.concat(got).equals(sent)).toBe(true)
  await expect.poll(() => [over, stream.written, socket.destroyed]).toEqual([[true], sent.byteLength, true])
})

test('without an end before it a close is at once', () => {
  const { stream, over, socket } = openStream()
  stream.hand(sent)
  stream.closed()
  expect([over, socket.destroyed]).toEqual([[true], true])
})

test('what is cut while it is handed on is over once', async () => {
  const { stream, over, socket } = openStream()
  stream.hand(sent)
  stream.ended()
  stream.closed()
  stream.close()
  expect([over, socket.destroyed]).toEqual([[false], true])
  await new Promise((resolve) => setImmediate(resolve))
  expect(over).toEqual([false])
})

test('what comes byte by byte for who does not read it is written in few pieces, in its order, before the end', () => {
  const writes: { bytes: Uint8Array; written: () => void }[] = []
  const said: object[] = []
  let ended = false
  const stream = new TunnelStream({
    socket: {
      write: (bytes, written) => writes.push({ bytes, written }),
      pause() {},
      resume() {},
      end: () => (ended = true),
      destroy() {},
      on() {},
    },
    connection: 1,
    say: (words) => said.push(words),
    send: () => {},
    onOver: () => {},
  })
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, nth) => nth % 251))
  const hand = (from: number, to: number) => {
    for (let at = from; at < to; at++) stream.hand(bytes.subarray(at, at + 1))
  }
  hand(0, 150_000)
  expect(writes.length).toBeLessThan(1000)
  // What was written last is followed by what came meanwhile.
  for (const { written } of writes.slice()) written()
  hand(150_000, 200_000)
  expect(writes.length).toBeLessThan(2000)
  stream.ended()
  expect(Buffer.concat(writes.map((each) => each.bytes)).equals(bytes)).toBe(true)
  expect(ended).toBe(true)
})
