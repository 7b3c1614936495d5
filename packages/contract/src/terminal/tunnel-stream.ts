import { handedOnEach, largestPiece, pieceOf, window } from './tunnel-wire.ts'
import { addPiece } from './unacked.ts'

/** So many pieces are being written at once. What comes meanwhile is put together: single bytes that nobody reads would fill the memory. */
const mostWriting = 256

/** A TCP connection, as far as it is needed here. */
type Pipe = {
  write: (bytes: Uint8Array, written: () => void) => unknown
  pause: () => unknown
  resume: () => unknown
  end: (flushed: () => void) => unknown
  destroy: () => unknown
  on: ((event: 'data', hear: (bytes: Uint8Array) => void) => unknown) & ((event: 'end' | 'close' | 'error', hear: () => void) => unknown)
}
type Words = { t: 'taken'; c: number; n: number } | { t: 'end' | 'close'; c: number }
type Given = {
  socket: Pipe
  connection: number
  say: (words: Words) => void
  send: (frame: Uint8Array) => void
  /** It is over on this side. `byPeer`: the other side said so. */
  onOver: (byPeer: boolean) => void
}

/**
 * One connection of a tunnel at either of its ends: between a TCP connection and the frames that go to the other end. It reads on only while the
 * other end has handed on what was sent, so that whoever does not read holds up whoever writes, through the whole tunnel.
 */
export class TunnelStream {
  #given: Given
  #sent = 0
  #held = 0
  #owed = 0
  #over = false
  /** How many pieces are being written, and those that are after them. */
  #writing = 0
  #next: Uint8Array[] = []
  /** The other end has sent all: from then on until it is handed on. */
  #flushing = false
  #closing = false
  read = 0
  written = 0

  constructor(given: Given) {
    this.#given = given
    const { socket, connection, say, send } = given
    socket.on('data', (bytes) => {
      if (this.#over) return
      this.read += bytes.byteLength
      for (let at = 0; at < bytes.byteLength; at += largestPiece) send(pieceOf(connection, bytes.subarray(at, at + largestPiece)))
      this.#sent += bytes.byteLength
      if (this.#sent >= window) socket.pause()
    })
    socket.on('end', () => this.#over || say({ t: 'end', c: connection }))
    socket.on('error', () => {})
    socket.on('close', () => this.#finish(false))
  }

  /** Bytes from the other end. */
  hand(bytes: Uint8Array): void {
    if (this.#over) return
    this.#held += bytes.byteLength
    // The other end keeps to no window: it would fill the memory.
    if (this.#held > window + largestPiece * 2) return this.close()
    if (this.#next.length > 0 || this.#writing >= mostWriting) addPiece(this.#next, bytes)
    else this.#write(bytes)
  }

  #write(bytes: Uint8Array) {
    const { socket, connection, say } = this.#given
    this.#writing++
    socket.write(bytes, () => {
      this.#writing--
      this.written += bytes.byteLength
      this.#held -= bytes.byteLength
      this.#owed += bytes.byteLength
      if (this.#over) return
      if (this.#writing === 0) this.#writeNext()
      if (this.#owed < handedOnEach) return
      say({ t: 'taken', c: connection, n: this.#owed })
      this.#owed = 0
    })
  }

  #writeNext() {
    for (const bytes of this.#next.splice(0)) this.#write(bytes)
  }

  /** The other end has handed on so many more. */
  taken(n: number): void {
    this.#sent = Math.max(0, this.#sent - n)
    if (!this.#over && this.#sent < window) this.#given.socket.resume()
  }

  /** The other end sends no more. */
  ended(): void {
    if (this.#over || this.#flushing) return
    this.#flushing = true
    this.#writeNext()
    this.#given.socket.end(() => {
      this.#flushing = false
      if (this.#closing) this.closed()
    })
  }

  /** The other end closed it: at once, or when all it sent before its end is handed on. */
  closed(): void {
    this.#closing = true
    if (this.#flushing) return
    this.#finish(true)
    this.#given.socket.destroy()
  }

  /** This end closes it. */
  close(): void {
    this.#finish(false)
    this.#given.socket.destroy()
  }

  #finish(byPeer: boolean) {
    if (this.#over) return
    this.#over = true
    if (!byPeer) this.#given.say({ t: 'close', c: this.#given.connection })
    this.#given.onOver(byPeer)
  }
}
