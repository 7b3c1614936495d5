import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export type ZipEntry = { name: string; text: AsyncIterable<string> | Iterable<string> }

/** More needs fields of 64 bits, which not every reader of spreadsheets knows. */
const most = 0xffff_ffff

/** A file of such a size cannot be in this format. */
export class ZipTooLarge extends Error {
  readonly name = 'ZipTooLarge'
}

/** A ZIP file as it comes (APPNOTE 6.3): sizes and checksum stand behind each entry, so that nothing is kept but the list of entries. */
export async function* zipped(entries: AsyncIterable<ZipEntry>, at: Date): AsyncGenerator<Buffer> {
  let offset = 0
  const said: Buffer[] = []
  const stamp = dosTime(at)
  for await (const { name, text } of entries) {
    const begins = offset
    const header = localHeader(name, stamp)
    offset += header.length
    yield header
    const counted = { crc: 0, size: 0, packed: 0 }
    for await (const chunk of deflated(text, counted)) {
      counted.packed += chunk.length
      offset += chunk.length
      if (offset > most || counted.size > most) throw new ZipTooLarge()
      yield chunk
    }
    const behind = Buffer.alloc(16)
    behind.writeUInt32LE(0x0807_4b50, 0)
    writeCounts(behind, 4, counted)
    offset += behind.length
    yield behind
    said.push(centralHeader(name, stamp, counted, begins))
  }
  const list = Buffer.concat(said)
  if (offset + list.length > most) throw new ZipTooLarge()
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(said.length, 8)
  end.writeUInt16LE(said.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([list, end])
}

type Counts = { crc: number; size: number; packed: number }

function deflated(text: ZipEntry['text'], counted: Counts): AsyncIterable<Buffer> {
  async function* bytes() {
    for await (const piece of text) {
      const chunk = Buffer.from(piece)
      counted.crc = crc32(chunk, counted.crc)
      counted.size += chunk.length
      yield chunk
    }
  }
  // A level above makes it a tenth smaller and takes twice as long.
  const packing = createDeflateRaw({ level: 3 })
  // What fails is thrown to who reads.
  pipeline(Readable.from(bytes(), { objectMode: true, highWaterMark: 1 }), packing, () => {})
  return packing
}

function writeCounts(into: Buffer, at: number, { crc, packed, size }: Counts) {
  into.writeUInt32LE(crc, at)
  into.writeUInt32LE(packed, at + 4)
  into.writeUInt32LE(size, at + 8)
}

/** Sizes behind the entry, names in UTF-8. */
const flags = 0x0808
const version = 20
const byDeflate = 8

function localHeader(name: string, stamp: number): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x0403_4b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(byDeflate, 8)
  header.writeUInt32LE(stamp, 10)
  header.writeUInt16LE(Buffer.byteLength(name), 26)
  return Buffer.concat([header, Buffer.from(name)])
}

function centralHeader(name: string, stamp: number, counted: Counts, begins: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x0201_4b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(version, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(byDeflate, 10)
  header.writeUInt32LE(stamp, 12)
  writeCounts(header, 16, counted)
  header.writeUInt16LE(Buffer.byteLength(name), 28)
  header.writeUInt32LE(begins, 42)
  return Buffer.concat([header, Buffer.from(name)])
}

/** Time and date as MS-DOS had them, in UTC. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((Math.max(at.getUTCFullYear(), 1980) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return ((date << 16) | time) >>> 0
}
