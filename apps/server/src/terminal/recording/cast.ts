import { isUtf8 } from 'node:buffer'
import type { Size } from '@masthead/contract/terminal/session'

/**
 * The lines of a recording (asciicast v2). A character whose bytes come in two pieces is written with the second. What is no UTF-8 at all
 * cannot stand in JSON: the line shows it as well as it can, and a line behind it, of a kind that players pass over, has its bytes.
 */
export class Cast {
  #held: Uint8Array = new Uint8Array()

  /** `at`: in seconds since 1970. */
  begin({ cols, rows }: Size, at: number, title: string): string {
    return line({ version: 2, width: cols, height: rows, timestamp: Math.floor(at), title, env: { TERM: 'xterm-256color' } })
  }

  /** `s`: seconds since it began. */
  output(s: number, bytes: Uint8Array): string {
    const all = this.#held.byteLength > 0 ? Buffer.concat([this.#held, bytes]) : bytes
    const whole = all.byteLength - cutCharacter(all)
    this.#held = Uint8Array.prototype.slice.call(all, whole)
    return whole === 0 ? '' : shown(s, all.subarray(0, whole))
  }

  input = (s: number, bytes: Uint8Array): string => line([round(s), 'i', Buffer.from(bytes).toString()])
  resize = (s: number, { cols, rows }: Size): string => line([round(s), 'r', `${cols}x${rows}`])
  marker = (s: number, words: string): string => line([round(s), 'm', words])

  /** What is left of a character whose rest never came. */
  end(s: number): string {
    const rest = this.#held
    this.#held = new Uint8Array()
    return rest.byteLength === 0 ? '' : shown(s, rest)
  }
}

/** The kind of the lines with bytes, base64, of the line before. */
const exactly = 'masthead.bytes'

const shown = (s: number, bytes: Uint8Array) => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const seen = line([round(s), 'o', text.toString()])
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

/** The bytes that the shell wrote, from the lines of a recording. */
export function bytesOf(text: string): Buffer {
  const pieces: Buffer[] = []
  for (const each of text.split('\n').slice(1)) {
    if (each === '') continue
    const [, kind, data] = JSON.parse(each) as [number, string, string]
    if (kind === 'o') pieces.push(Buffer.from(data))
    else if (kind === exactly) pieces[pieces.length - 1] = Buffer.from(data, 'base64')
  }
  return Buffer.concat(pieces)
}
