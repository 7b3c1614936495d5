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
