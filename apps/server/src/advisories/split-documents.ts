import { createGunzip } from 'node:zlib'
import { pipeline, Readable } from 'node:stream'

/** A document of OSV is that large at most; of a larger one nothing but its size is read. */
const largestDocument = 4 * 1024 * 1024

const [quote, back, open, close] = [0x22, 0x5c, 0x7b, 0x7d]

/** The objects of JSON that stand one after the other, whatever is between them. Null: one was too large. */
export async function* splitDocuments(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string | null> {
  let kept: Buffer[] = []
  let [size, depth, inText, escaped] = [0, 0, false, false]
  for await (const piece of bytes) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (escaped) escaped = false
      else if (inText) {
        if (byte === back) escaped = true
        else if (byte === quote) inText = false
      } else if (byte === quote) inText = depth > 0
      else if (byte === open) {
        if (depth++ === 0) from = at
      } else if (byte === close && depth > 0 && --depth === 0) {
        size += at + 1 - from
        yield size > largestDocument ? null : Buffer.concat([...kept, chunk.subarray(from, at + 1)]).toString('utf8')
        kept = []
        size = 0
      }
    }
    if (depth > 0) {
      size += chunk.length - from
      if (size <= largestDocument) kept.push(Buffer.from(chunk.subarray(from)))
      else kept = []
    }
  }
  // It broke off within one.
  if (depth > 0) yield ''
}

/** What is packed with gzip is unpacked as it comes. */
export async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  const first = await pieces.next()
  if (first.done) return
  const all = (async function* () {
    yield first.value
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
  })()
  const [one, two] = first.value
  if (one !== 0x1f || two !== 0x8b) return yield* all
  const unpack = createGunzip()
  // Its failure is read at its end.
  pipeline(Readable.from(all, { objectMode: false }), unpack, () => undefined)
  yield* unpack as AsyncIterable<Uint8Array>
}
