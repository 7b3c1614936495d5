import * as z from 'zod/mini'

// What goes through the WebSocket of a tunnel, one for all of its connections. Bytes are binary frames: the number of the connection in four
// bytes, the highest first, then what was read. All else is JSON in text frames. Each side sends of a connection no more than `window` bytes
// that the other has not handed on.

const number = z.int().check(z.nonnegative(), z.maximum(0xffffffff))
const line = z.string().check(z.maxLength(300))

/** Bytes of one connection that are on their way in each direction. */
export const window = 256 * 1024
/** Whoever hands them on says so after so many. */
export const handedOnEach = 32 * 1024
/** Bytes of one frame. */
export const largestPiece = 64 * 1024

const taken = z.object({ t: z.literal('taken'), c: number, n: number })
/** Nothing more comes in this direction; the other goes on. */
const end = z.object({ t: z.literal('end'), c: number })
const close = z.object({ t: z.literal('close'), c: number })

/** `open`: the device connects to the port that its tunnel is for. `over`: the tunnel is, so that it does not come again. */
export const ToTunnelDevice = z.discriminatedUnion('t', [
  z.object({ t: z.literal('open'), c: number }),
  taken,
  end,
  close,
  z.object({ t: z.literal('over') }),
])
export type ToTunnelDevice = z.output<typeof ToTunnelDevice>

export const FromTunnelDevice = z.discriminatedUnion('t', [
  z.object({ t: z.literal('opened'), c: number }),
  z.object({ t: z.literal('failed'), c: number, words: line }),
  taken,
  end,
  close,
])
export type FromTunnelDevice = z.output<typeof FromTunnelDevice>

/** A frame of bytes of a connection. */
export function pieceOf(connection: number, bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(4 + bytes.byteLength)
  new DataView(frame.buffer).setUint32(0, connection)
  frame.set(bytes, 4)
  return frame
}

/** Undefined: it is no such frame. */
export function readPiece(frame: Uint8Array): { connection: number; bytes: Uint8Array } | undefined {
  if (frame.byteLength < 5) return undefined
  return { connection: new DataView(frame.buffer, frame.byteOffset, 4).getUint32(0), bytes: frame.subarray(4) }
}
