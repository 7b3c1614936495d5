import { createHash } from 'node:crypto'
import type { WebSocket } from 'ws'
import { largestFile, type FileEnd, type FileWay } from '@masthead/contract/terminal/file'
import {
  filePiece,
  piecesAhead,
  readFilePiece,
  type FileFromBrowser,
  type FileFromDevice,
  type FileToBrowser,
  type FileToDevice,
  type Want,
} from '@masthead/contract/terminal/file-wire'
import { answersWithin, awayFor } from '@masthead/contract/terminal/session'

/** Bytes that wait for whoever receives: more than it may want ahead. */
const mostUnread = 4 * piecesAhead * filePiece

type Begin = Extract<FileFromBrowser, { t: 'begin' }>
export type FileEnding = { end: FileEnd | 'done'; path: string; size: number; moved: number; sha256: string | null }

type Given = {
  id: string
  begin: Begin
  /** In ms, however the time is set meanwhile. */
  now: () => number
  /** Bytes go through. */
  onMove: () => void
  onEnd: (ending: FileEnding) => void
}

/**
 * One file between a window and a device. It keeps none of it: a piece goes on as it comes, and comes only because the other side wants it. Either side
 * may break off and come again; what is wanted is then asked for once more.
 */
export class Transfer {
  readonly id: string
  #given: Given
  #browser: WebSocket | undefined
  #device: WebSocket | undefined
  #ready: { path: string; name: string; size: number } | undefined
  /** What the one who receives wants and has not been sent. */
  #wants: Want[] = []
  #hash = createHash('sha256')
  #hashed = 0
  #sum: string | undefined
  #theirs: string | undefined
  #result: FileToBrowser | undefined
  #since: { browser: number; device: number }
  #came = false
  #got = false

  constructor(given: Given) {
    this.#given = given
    this.id = given.id
    this.#since = { browser: given.now(), device: given.now() }
  }

  get #way(): FileWay {
    return this.#given.begin.way
  }
  get isOver(): boolean {
    return this.#result !== undefined
  }

  // The window.

  joinBrowser(socket: WebSocket): void {
    const before = this.#browser
    this.#browser = socket
    before?.close(4000, 'another window took its place')
    this.#sendToBrowser({ t: 'id', id: this.id })
    if (this.#ready) this.#sendToBrowser({ t: 'ready', ...this.#ready })
    if (this.#result) return this.#sendToBrowser(this.#result)
    if (this.#way === 'up') for (const want of this.#wants) this.#sendToBrowser({ t: 'want', ...want })
    // What it wants it says again.
    else this.#wants = []
  }

  fromBrowser(socket: WebSocket, said: FileFromBrowser): void {
    if (socket !== this.#browser || this.#result) return
    if (said.t === 'cancel') return this.end('cancelled')
    if (this.#way !== 'down') return
    if (said.t === 'got') {
      this.#got = true
      return this.#compare()
    }
    if (said.t !== 'want') return
    const { at, n } = said
    if (!this.#ready || this.#wants.length >= piecesAhead || at + n > this.#ready.size) return socket.close(1008, 'too much is wanted')
    this.#wants.push({ at, n })
    this.#sendToDevice({ t: 'want', at, n })
  }

  leaveBrowser(socket: WebSocket): void {
    if (socket !== this.#browser) return
    this.#browser = undefined
    this.#since.browser = this.#given.now()
  }

  /** As if its connection broke: it is to come again. */
  dropBrowser(): void {
    const socket = this.#browser
    if (!socket) return
    this.leaveBrowser(socket)
    socket.close(4002, 'the session has another secret')
  }

  // The device.

  joinDevice(socket: WebSocket): void {
    const before = this.#device
    this.#device = socket
    this.#came = true
    before?.close(4000, 'another connection took its place')
    if (this.#result) return this.#sendToDevice({ t: 'over' })
    this.#sendToDevice({ ...this.#given.begin, t: 'do' })
    if (this.#way === 'up') this.#wants = []
    else for (const want of this.#wants) this.#sendToDevice({ t: 'want', ...want })
  }

  fromDevice(socket: WebSocket, said: FileFromDevice): void {
    if (socket !== this.#device || this.#result) return
    if (said.t === 'failed') return this.end(said.end, said.words)
    if (said.t === 'ready') return this.#begin(said)
    if (said.t === 'sum') {
      this.#theirs = said.sha256
      return this.#compare()
    }
    if (said.t === 'kept') return this.#way === 'up' && this.#sum === this.#theirs && this.#sum !== undefined ? this.#finish() : undefined
    const { at, n } = said
    if (this.#way !== 'up' || this.#wants.some((want) => want.at === at)) return
    if (!this.#ready || this.#wants.length >= piecesAhead * 2 || at + n > this.#ready.size) return socket.close(1008, 'too much is wanted')
    this.#wants.push({ at, n })
    this.#sendToBrowser({ t: 'want', at, n })
  }

  leaveDevice(socket: WebSocket): void {
    if (socket !== this.#device) return
    this.#device = undefined
    this.#since.device = this.#given.now()
  }

  /**
   * Bytes of whichever side sends. They come in the order in which they are wanted: others were wanted before a side came again, which has asked for them
   * once more, and go nowhere. Sent on, they would come before those that it waits for, and be missing after them.
   */
  piece(socket: WebSocket, frame: Uint8Array): void {
    const up = this.#way === 'up'
    if (socket !== (up ? this.#browser : this.#device) || this.#result) return
    const piece = readFilePiece(frame)
    const next = this.#wants[0]
    if (!piece || piece.at !== next?.at || piece.bytes.byteLength !== next.n) return
    this.#wants.shift()
    const { at, bytes } = piece
    if (at <= this.#hashed && at + bytes.byteLength > this.#hashed) {
      this.#hash.update(bytes.subarray(this.#hashed - at))
      this.#hashed = at + bytes.byteLength
    }
    this.#given.onMove()
    this.#send(up ? this.#device : this.#browser, frame)
    if (!up) this.#compare()
  }

  // Its end.

  check(): void {
    const now = this.#given.now()
    if (this.#result) return
    if (!this.#device && !this.#came && now - this.#since.device > answersWithin) this.end('no_answer')
    else if (!this.#device && now - this.#since.device > awayFor) this.end('device_left')
    else if (!this.#browser && now - this.#since.browser > awayFor) this.end('left')
  }

  end(end: FileEnd, words: string | null = null): void {
    this.#close({ t: 'over', end, words }, end)
  }

  #begin({ path, name, size }: { path: string; name: string; size: number }) {
    const isRight = this.#way === 'up' ? size === this.#given.begin.size : size <= largestFile
    if (!isRight) return this.end('not_understood')
    // The same each time that the device comes again.
    if (this.#ready) return undefined
    this.#ready = { path, name, size }
    this.#sendToBrowser({ t: 'ready', ...this.#ready })
    return undefined
  }

  /** Once all has gone through: what we saw has to be what the device read, or wrote. */
  #compare() {
    if (!this.#ready || this.#hashed < this.#ready.size || this.#theirs === undefined) return
    this.#sum ??= this.#hash.digest('hex')
    if (this.#sum !== this.#theirs) this.end('checksum')
    else if (this.#way === 'up') this.#sendToDevice({ t: 'keep' })
    else if (this.#got) this.#finish()
  }

  #finish() {
    this.#close({ t: 'done', path: this.#ready!.path, sha256: this.#sum! }, 'done')
  }

  #close(result: FileToBrowser, end: FileEnding['end']) {
    if (this.#result) return
    this.#result = result
    this.#wants = []
    this.#sendToBrowser(result)
    this.#sendToDevice({ t: 'over' })
    this.#browser?.close(1000)
    this.#device?.close(1000)
    const { path, size } = this.#ready ?? this.#given.begin
    this.#given.onEnd({ end, path, size, moved: this.#hashed, sha256: this.#sum ?? null })
  }

  #sendToBrowser(words: FileToBrowser) {
    this.#send(this.#browser, JSON.stringify(words))
  }
  #sendToDevice(words: FileToDevice) {
    this.#send(this.#device, JSON.stringify(words))
  }
  #send(to: WebSocket | undefined, frame: string | Uint8Array) {
    // It goes on and reads nothing, which would fill the memory. It may come again.
    if (to && to.bufferedAmount > mostUnread) to.terminate()
    else to?.send(frame)
  }
}
