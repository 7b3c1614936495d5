import type { LayerFile } from '@masthead/contract/registry/layer-file'

const block = 512
/** What stands before a file in place of its name is that long at most. */
const longestExtra = 1024 * 1024
/** A path as Linux takes it (PATH_MAX), in bytes: of one that is longer its begin is kept, or few MB of gzip would fill the memory with names. */
const longestPath = 4096

export class NoTar extends Error {
  readonly name = 'NoTar'
}

/** Bytes in pieces, read by their number. */
class Reader {
  readonly #pieces: AsyncIterator<Uint8Array>
  #kept: Buffer = Buffer.alloc(0)

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#pieces = bytes[Symbol.asyncIterator]()
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next()
    if (done) return false
    this.#kept =
      this.#kept.length === 0 ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.concat([this.#kept, value])
    return true
  }

  /** It may end where something could begin, and not within. */
  #ended(): null {
    if (this.#kept.length > 0) throw new NoTar()
    return null
  }

  /** Null at the end. Throws NoTar where there are fewer. */
  async take(size: number): Promise<Buffer | null> {
    while (this.#kept.length < size) if (!(await this.#more())) return this.#ended()
    const taken = this.#kept.subarray(0, size)
    this.#kept = this.#kept.subarray(size)
    return taken
  }

  async skip(size: number): Promise<boolean> {
    let left = size
    while (left > this.#kept.length) {
      left -= this.#kept.length
      this.#kept = Buffer.alloc(0)
      if (!(await this.#more())) return false
    }
    this.#kept = this.#kept.subarray(left)
    return true
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }
}

/** Cut as bytes: a part of a text would keep the whole of it in memory. */
const textOf = (bytes: Buffer) => {
  const first = bytes.subarray(0, longestPath)
  const end = first.indexOf(0)
  return first.subarray(0, end < 0 ? undefined : end).toString('utf8')
}
/** Octal, or in 256s where the first bit is set. */
function numberOf(bytes: Buffer): number {
  if (bytes[0]! & 0x80) return bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, bytes[0]! & 0x7f)
  return parseInt(textOf(bytes).trim() || '0', 8)
}

const kinds: Record<string, LayerFile['kind']> = { '0': 'file', '\0': 'file', '7': 'file', '1': 'link', '2': 'link', '5': 'folder' }
const whiteout = /(^|\/)\.wh\.([^/]+)$/

function checked(header: Buffer): Buffer {
  const sum = header.reduce((all, byte, place) => all + (place >= 148 && place < 156 ? 0x20 : byte), 0)
  if (sum !== numberOf(header.subarray(148, 156))) throw new NoTar()
  return header
}

/** What stands in a tar, one after the other (POSIX, with names of any length as GNU and pax write them). Throws NoTar. */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<LayerFile> {
  const reader = new Reader(bytes)
  const extra: { path?: string; target?: string; size?: number } = {}
  try {
    for (let header = await reader.take(block); header && header.some((byte) => byte !== 0); header = await reader.take(block)) {
      checked(header)
      const type = String.fromCharCode(header[156]!)
      const size = extra.size ?? numberOf(header.subarray(124, 136))
      if (!Number.isSafeInteger(size) || size < 0) throw new NoTar()
      const padded = Math.ceil(size / block) * block
      if ('xLKg'.includes(type)) {
        if (size > longestExtra) throw new NoTar()
        const said = await reader.take(padded)
        if (!said) throw new NoTar()
        if (type === 'L') extra.path = textOf(said.subarray(0, size))
        else if (type === 'K') extra.target = textOf(said.subarray(0, size))
        else if (type === 'x') Object.assign(extra, pax(said.subarray(0, size)))
        continue
      }
      yield entryOf(header, type, size, extra)
      delete extra.path
      delete extra.target
      delete extra.size
      if (!(await reader.skip(type === '1' || type === '2' || type === '5' ? 0 : padded))) throw new NoTar()
    }
  } finally {
    await reader.close()
  }
}

function entryOf(header: Buffer, type: string, size: number, extra: { path?: string; target?: string }): LayerFile {
  const prefix = header.subarray(257, 262).toString() === 'ustar' ? textOf(header.subarray(345, 500)) : ''
  const own = textOf(header.subarray(0, 100))
  const path = (extra.path ?? (prefix ? `${prefix}/${own}` : own)).replace(/^(\.?\/)+/, '').replace(/\/$/, '')
  const removed = whiteout.exec(path)
  const kind = removed ? 'removed' : (kinds[type] ?? 'other')
  return {
    path: removed ? path.replace(whiteout, '$1$2') : path,
    kind,
    bytes: kind === 'file' ? size : 0,
    mode: (numberOf(header.subarray(100, 108)) & 0o7777).toString(8).padStart(4, '0'),
    target: kind === 'link' ? (extra.target ?? textOf(header.subarray(157, 257))) : null,
  }
}

/** Lines of `LENGTH NAME=VALUE`. */
function pax(said: Buffer): { path?: string; target?: string; size?: number } {
  const read: { path?: string; target?: string; size?: number } = {}
  for (let at = 0; at < said.length;) {
    const [whole = '', length = ''] = /^(\d+) /.exec(said.subarray(at, at + 20).toString()) ?? []
    if (whole === '' || Number(length) <= whole.length) break
    const line = said.subarray(at + whole.length, at + Number(length) - 1)
    const equals = line.indexOf('=')
    const [name, value] = [textOf(line.subarray(0, equals)), textOf(line.subarray(equals + 1))]
    if (name === 'path') read.path = value
    else if (name === 'linkpath') read.target = value
    else if (name === 'size') read.size = Number(value)
    at += Number(length)
  }
  return read
}
