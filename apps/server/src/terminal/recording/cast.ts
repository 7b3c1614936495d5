import { isUtf8 } from 'node:buffer'
import type { Size } from '@masthead/contract/terminal/session'

/** What was shown, or typed. */
type Stream = 'o' | 'i'

/**
 * The lines of a recording (asciicast v2). A character whose bytes come in two pieces is written with the second. What is no UTF-8 at all
 * cannot stand in JSON: the line shows it as well as it can, and a line behind it, of a kind that players pass over, has its bytes.
 */
export class Cast {
  #held: Record<Stream, Uint8Array> = { o: new Uint8Array(), i: new Uint8Array() }

  /** `at`: in seconds since 1970. */
  begin({ cols, rows }: Size, at: number, title: string): string {
    return line({ version: 2, width: cols, height: rows, timestamp: Math.floor(at), title, env: { TERM: 'xterm-256color' } })
  }

  /** `s`: seconds since it began. */
  output = (s: number, bytes: Uint8Array): string => this.#add('o', s, bytes)
  input = (s: number, bytes: Uint8Array): string => this.#add('i', s, bytes)
  resize = (s: number, { cols, rows }: Size): string => line([round(s), 'r', `${cols}x${rows}`])
  marker = (s: number, words: string): string => line([round(s), 'm', words])

  /** What is left of characters whose rest never came. */
  end(s: number): string {
    const rest = this.#held
    this.#held = { o: new Uint8Array(), i: new Uint8Array() }
    return (['i', 'o'] as const).map((stream) => (rest[stream].byteLength === 0 ? '' : written(stream, s, rest[stream]))).join('')
  }

  #add(stream: Stream, s: number, bytes: Uint8Array): string {
    const held = this.#held[stream]
    const all = held.byteLength > 0 ? Buffer.concat([held, bytes]) : bytes
    const whole = all.byteLength - cutCharacter(all)
    this.#held[stream] = Uint8Array.prototype.slice.call(all, whole)
    return whole === 0 ? '' : written(stream, s, all.subarray(0, whole))
  }
}

/** The kind of the lines with bytes, base64, of the line before. */
const exactly = 'masthead.bytes'

const written = (stream: Stream, s: number, bytes: Uint8Array) => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const seen = line([round(s), stream, text.toString()])
  return isUtf8(bytes) ? seen : seen + line([round(s), exactly, text.toString('base64')])
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`
const round = (s: number) => Math.round(s * 1e6) / 1e6

/** How many bytes at the end are the beginning of a character. */
function cutCharacter(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]!
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const needs = byte >= 0b1111_0000 && byte < 0b1111_1000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1
    return byte < 0b1111_1000 && needs > back ? back : 0
  }
  return 0
}

/** The bytes that the shell wrote, or was typed, from the lines of a recording. */
export function bytesOf(text: string, stream: Stream = 'o'): Buffer {
  const pieces: Buffer[] = []
  let before = ''
  for (const each of text.split('\n').slice(1)) {
    if (each === '') continue
    const [, kind, data] = JSON.parse(each) as [number, string, string]
    if (kind === stream) pieces.push(Buffer.from(data))
    else if (kind === exactly && before === stream) pieces[pieces.length - 1] = Buffer.from(data, 'base64')
    before = kind
  }
  return Buffer.concat(pieces)
}
