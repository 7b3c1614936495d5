import * as z from 'zod/mini'
import { FileEnd, FileWay, largestFile, longestPath } from './file.ts'

// What goes through the two WebSockets of a file: that of the window and that of the device. Whoever receives the bytes says which it wants
// next, and the other sends these, so that nothing has to be kept between the two, and a connection that is new begins with what is wanted then.
// Bytes are binary frames: their place in the file in eight bytes, the highest first, then what stands there. All else is JSON in text frames.

const place = z.int().check(z.nonnegative(), z.maximum(largestFile))
const line = z.string().check(z.maxLength(300))
const path = z.string().check(z.maxLength(longestPath))
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** Bytes of one piece. */
export const filePiece = 64 * 1024
/** Pieces that are wanted at once. */
export const piecesAhead = 4

const want = z.object({ t: z.literal('want'), at: place, n: z.int().check(z.minimum(1), z.maximum(filePiece)) })
export type Want = Omit<z.output<typeof want>, 't'>

const Begin = z.object({
  t: z.literal('begin'),
  way: FileWay,
  /** On the device. One that does not begin with / is looked for where the shell is. A folder: with the name of the file. */
  path,
  name: line,
  /** Of a file that goes to the device; 0 for one that comes from there. */
  size: place,
  /** A file that is there already is replaced. */
  replace: z.boolean(),
})

/** `begin` or `resume` comes first. */
export const FileFromBrowser = z.discriminatedUnion('t', [
  Begin,
  z.object({ t: z.literal('resume'), id: line }),
  want,
  /** All of a file that comes from the device is here. */
  z.object({ t: z.literal('got') }),
  z.object({ t: z.literal('cancel') }),
])
export type FileFromBrowser = z.output<typeof FileFromBrowser>

export const FileToBrowser = z.discriminatedUnion('t', [
  z.object({ t: z.literal('id'), id: line }),
  /** The device has found or made it: its path, name and size there. */
  z.object({ t: z.literal('ready'), path, name: line, size: place }),
  want,
  z.object({ t: z.literal('done'), path, sha256 }),
  z.object({ t: z.literal('over'), end: FileEnd, words: z.nullable(line) }),
])
export type FileToBrowser = z.output<typeof FileToBrowser>

export const FileFromDevice = z.discriminatedUnion('t', [
  z.object({ t: z.literal('ready'), path, name: line, size: place }),
  want,
  /** All of it was read or written. */
  z.object({ t: z.literal('sum'), sha256 }),
  /** It has its name. */
  z.object({ t: z.literal('kept') }),
  z.object({ t: z.literal('failed'), end: FileEnd, words: z.nullable(line) }),
])
export type FileFromDevice = z.output<typeof FileFromDevice>

/** `keep`: the checksum is right. `over`: it is, and what there is of it goes. */
export const FileToDevice = z.discriminatedUnion('t', [
  z.object({ ...Begin.shape, t: z.literal('do') }),
  want,
  z.object({ t: z.literal('keep') }),
  z.object({ t: z.literal('over') }),
])
export type FileToDevice = z.output<typeof FileToDevice>

/** A frame of bytes of a file. */
export function filePieceOf(at: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(8 + bytes.byteLength)
  new DataView(frame.buffer).setBigUint64(0, BigInt(at))
  frame.set(bytes, 8)
  return frame
}

/** Undefined: it is no such frame. */
export function readFilePiece(frame: Uint8Array): { at: number; bytes: Uint8Array } | undefined {
  if (frame.byteLength < 9) return undefined
  const at = Number(new DataView(frame.buffer, frame.byteOffset, 8).getBigUint64(0))
  return { at, bytes: frame.subarray(8) }
}

/** The pieces that are wanted of a file of so many bytes, one after the other. */
export function wanted(from: number, size: number): Want | undefined {
  return from < size ? { at: from, n: Math.min(filePiece, size - from) } : undefined
}
