import { randomBytes, randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { bytesOf, Cast } from './cast.ts'

const recorded = (pieces: Uint8Array[]) => {
  const cast = new Cast()
  const lines = [
    cast.begin({ cols: 80, rows: 24 }, 0, 'Truck'),
    ...pieces.map((piece, at) => cast.output(at, piece)),
    cast.end(pieces.length),
  ]
  return lines.join('')
}
const cut = (bytes: Buffer, most: number) => {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length;) pieces.push(bytes.subarray(at, (at += randomInt(1, most))))
  return pieces
}

test('10 MB of random bytes, in pieces of any size, are in the recording as they were', () => {
  const bytes = randomBytes(10_000_000)
  expect(bytesOf(recorded(cut(bytes, 4096))).equals(bytes)).toBe(true)
})

test('characters whose bytes come apart are written whole, and nothing else is needed for them', () => {
  const text = 'grüße 日本 🚚 '.repeat(2000)
  for (const most of [2, 3, 5, 100]) {
    const lines = recorded(cut(Buffer.from(text), most))
    expect(lines).not.toContain('�')
    expect(lines).not.toContain('masthead.bytes')
    expect(bytesOf(lines).toString()).toBe(text)
  }
})

test('a character whose rest never comes, and bytes that begin none', () => {
  for (const bytes of [
    [0x61, 0xf0, 0x9f],
    [0xff, 0xfe, 0x80],
    [0xe2, 0x82],
    [0xf8, 0x88, 0x80, 0x80],
    [0xc3, 0x28],
  ])
    expect([...bytesOf(recorded(bytes.map((byte) => Uint8Array.of(byte))))]).toEqual(bytes)
})

test('what is typed is there byte for byte, too, and apart from what is shown', () => {
  const cast = new Cast()
  // A report of the mouse by bytes, a character in two pieces, and one whose rest never comes.
  const typed = [[0x1b, 0x5b, 0x4d, 0x20, 0xff, 0x85], [0xc3], [0xbc], [0x61, 0xf0]]
  const lines = [cast.begin({ cols: 80, rows: 24 }, 0, 'Truck')]
  for (const bytes of typed) lines.push(cast.input(0, Uint8Array.from(bytes)), cast.output(0, Uint8Array.of(0xe2)))
  lines.push(cast.end(1))
  expect([...bytesOf(lines.join(''), 'i')]).toEqual(typed.flat())
  expect([...bytesOf(lines.join(''))]).toEqual([0xe2, 0xe2, 0xe2, 0xe2])
})
