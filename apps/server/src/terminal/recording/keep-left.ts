import { createHash } from 'node:crypto'
import { DraftGone, type Blobs } from '../../kernel/blobs/blobs.ts'
import { Cast } from './cast.ts'
import { recordingDraft, recordingKey } from './recording-key.ts'

const brokenOff = 'The server stopped: the recording ends here'

/** Keeps what a server that is gone had recorded, with a marker where it ends; false: there is nothing. */
export async function keepLeft({ drafts, find }: Blobs, session: { account_id: string; id: string }): Promise<boolean> {
  const draft = recordingDraft(session)
  const size = await drafts.size(draft)
  if (size === null) return (await find(recordingKey(session))) !== null
  try {
    const left = await readLeft(drafts.read(draft, size))
    if (left.bytes === 0) {
      await drafts.drop(draft)
      return false
    }
    // Where it was kept in vain before, it has its marker.
    const end = left.last.includes(JSON.stringify(brokenOff)) ? '' : new Cast().marker(secondOf(left.last), brokenOff)
    if (left.bytes !== size || end !== '') await drafts.append(draft, left.bytes, only(end))
    await drafts.keep(draft, recordingKey(session), {
      size: left.bytes + Buffer.byteLength(end),
      sha256: left.hash.update(end).digest('hex'),
    })
    return true
  } catch (error) {
    if (error instanceof DraftGone) return false
    throw error
  }
}

const newline = 0x0a

/** The whole lines of it, and the last one: a line that was half written when the server stopped is left out. */
async function readLeft(chunks: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let [bytes, last, rest] = [0, '', Buffer.alloc(0)]
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    const end = rest.lastIndexOf(newline)
    if (end === -1) continue
    hash.update(rest.subarray(0, end + 1))
    bytes += end + 1
    last = rest.toString('utf8', end === 0 ? 0 : rest.lastIndexOf(newline, end - 1) + 1, end)
    rest = rest.subarray(end + 1)
  }
  return { hash, bytes, last }
}

/** When a line was written, in seconds since the recording began; the head stands at its beginning. */
const secondOf = (line: string) => Number(/^\[([\d.e-]+),/.exec(line)?.[1] ?? 0)

async function* only(text: string): AsyncIterable<Uint8Array> {
  if (text !== '') yield Buffer.from(text)
}
