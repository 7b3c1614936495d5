import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { duplexPair, type Duplex } from 'node:stream'
import { TLSSocket, type SecureContext } from 'node:tls'
import type { WebSocket } from 'ws'
import { mostConnections, mostRefusals, type ConnectionResult } from '@masthead/contract/terminal/tunnel'
import { TunnelStream } from '@masthead/contract/terminal/tunnel-stream'
import { FromTunnelDevice, largestPiece, readPiece, window, type ToTunnelDevice } from '@masthead/contract/terminal/tunnel-wire'
import { readFrame } from '@masthead/contract/terminal/wire'
import { storable } from '../storable.ts'
import { plainFrom } from './sources.ts'

type Closed = { result: ConnectionResult; words?: string | null; bytes_in: number; bytes_out: number }

type Given = {
  device: WebSocket
  /** By which our port speaks TLS; null: it hands on what comes as it is. */
  certificate: SecureContext | null
  isAllowed: (address: string) => boolean
  /** Answers how it ended: to be called once. */
  onConnection: (from: string) => (closed: Closed) => void
  onRefused: (from: string, result: ConnectionResult) => void
  /** The device is gone. */
  onGone: () => void
}

const handshakeWithin = 10_000 // ms
/** ms that a device has to say whether it could connect; an agent gives its port half of it. */
const opensWithin = 20_000
/** Bytes that wait for a device: more than all of its connections may have on their way. */
const mostUnread = 2 * mostConnections * (window + largestPiece)

type Held = {
  socket: Duplex
  stream: TunnelStream | undefined
  ended: (closed: Closed) => void
  words: string | null
  late: NodeJS.Timeout
}

/** A connection from within this process. `refusal`: why the device could not connect to its port, in its words; null: it did, or it is not known yet. */
export type Way = { stream: Duplex; refusal: () => string | null }

/** The outer end of a tunnel: a port of ours, its connections, and the one WebSocket by which their bytes go to the device. */
export class TunnelRelay {
  #given: Given
  #server: Server | undefined
  #held = new Map<number, Held>()
  /** In the handshake of TLS. */
  #shaking = new Set<TLSSocket>()
  #next = 0
  #over = false
  /** Since they were taken last. */
  #figures = { bytes_in: 0, bytes_out: 0, connections: 0, refused: 0 }
  /** Of connections that go on: what was counted of them already. */
  #counted = new Map<number, { read: number; written: number }>()
  #refusals = 0

  constructor(given: Given) {
    this.#given = given
    const { device, onGone } = given
    device.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        const piece = readPiece(data)
        if (piece) this.#held.get(piece.connection)?.stream?.hand(piece.bytes)
        return
      }
      const said = readFrame(FromTunnelDevice, data.toString())
      if (said) this.#receive(said)
    })
    device.on('error', () => {})
    device.once('close', () => {
      this.#cut()
      onGone()
    })
  }

  /** Listens at the first port that is free; null: none is. */
  async listen(host: string, ports: readonly number[]): Promise<number | null> {
    for (const port of ports) {
      const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (socket) => this.#accept(socket))
      const bound = await new Promise<boolean>((resolve) => {
        server.once('error', () => resolve(false))
        server.listen({ host, port, backlog: 64 }, () => resolve(true))
      })
      if (!bound) continue
      server.on('error', () => {})
      this.#server?.close()
      this.#server = server
      if (this.#over) server.close()
      return (server.address() as AddressInfo).port
    }
    return null
  }

  get connectionsNow(): number {
    return this.#held.size
  }

  /** What went through since this was asked last. */
  takeFigures() {
    for (const [c, { stream }] of this.#held) if (stream) this.#count(c, stream)
    const figures = this.#figures
    this.#figures = { bytes_in: 0, bytes_out: 0, connections: 0, refused: 0 }
    return figures
  }

  /** What could not be written is counted with the next. */
  giveBack({ bytes_in, bytes_out, connections, refused }: ReturnType<TunnelRelay['takeFigures']>): void {
    this.#figures.bytes_in += bytes_in
    this.#figures.bytes_out += bytes_out
    this.#figures.connections += connections
    this.#figures.refused += refused
  }

  /** It is over: the device does not come again. */
  end(): void {
    this.#sendWords({ t: 'over' })
    this.#cut()
    this.#given.device.close(1000)
  }

  /** The device comes again, here or elsewhere. */
  drop(): void {
    this.#cut()
    this.#given.device.close(1000)
  }

  /** The same, and nothing more is heard of what is there now. */
  refuse(): void {
    this.#given.device.terminate()
    this.#cut()
  }

  #accept(socket: Socket) {
    socket.on('error', () => {})
    const from = plainFrom(socket.remoteAddress ?? '')
    if (!from || this.#over) return socket.destroy()
    const refused = this.#refusal(from)
    if (refused) return socket.destroy()
    if (this.#given.certificate === null) this.#take(socket, from)
    else this.#secure(socket, from, this.#given.certificate)
    return undefined
  }

  /** One that does not speak TLS never becomes a connection of the tunnel. */
  #secure(socket: Socket, from: string, secureContext: SecureContext) {
    const secured = new TLSSocket(socket, { isServer: true, secureContext })
    this.#shaking.add(secured)
    const late = setTimeout(() => secured.destroy(), handshakeWithin)
    const over = () => {
      clearTimeout(late)
      this.#shaking.delete(secured)
    }
    secured.on('error', () => {})
    secured.once('close', over)
    secured.once('secure', () => {
      over()
      if (this.#over) secured.destroy()
      else this.#take(secured, from)
    })
  }

  /** A connection from within this process, for whom it was asked; or why there is none. */
  connect(from: string): Way | 'none' | 'source' | 'too_many' {
    if (this.#over || from === '') return 'none'
    const refused = this.#refusal(from)
    if (refused) return refused
    const [theirs, ours] = duplexPair({ allowHalfOpen: true })
    theirs.on('error', () => {})
    ours.on('error', () => {})
    theirs.once('close', () => ours.destroy())
    ours.once('close', () => theirs.destroy())
    const held = this.#take(ours, from)
    return { stream: theirs, refusal: () => held.words }
  }

  #take(socket: Duplex, from: string): Held {
    const c = (this.#next = (this.#next + 1) >>> 0)
    this.#figures.connections++
    const late = setTimeout(() => this.#fail(c, `The device did not answer within ${opensWithin / 1000} s`), opensWithin)
    const held: Held = { socket, stream: undefined, ended: this.#given.onConnection(from), words: null, late }
    this.#held.set(c, held)
    // Until the device has connected nothing is read, so that nothing has to be kept.
    socket.once('close', () => !held.stream && this.#gone(c, 'closed', true))
    this.#sendWords({ t: 'open', c })
    return held
  }

  #refusal(from: string): 'source' | 'too_many' | null {
    const result = !this.#given.isAllowed(from) ? 'source' : this.#held.size + this.#shaking.size >= mostConnections ? 'too_many' : null
    if (result === null) return null
    this.#figures.refused++
    if (++this.#refusals <= mostRefusals) this.#given.onRefused(from, result)
    return result
  }

  #receive(said: ReturnType<typeof FromTunnelDevice.parse>) {
    const held = this.#held.get(said.c)
    if (!held) return
    if (said.t === 'opened') return this.#opened(said.c, held)
    if (said.t === 'failed') this.#fail(said.c, storable(said.words))
    else if (said.t === 'taken') held.stream?.taken(said.n)
    else if (said.t === 'end') held.stream?.ended()
    else held.stream?.closed()
  }

  /** The device could not connect, or does not say. */
  #fail(c: number, words: string) {
    const held = this.#held.get(c)
    if (!held) return
    held.words = words
    this.#gone(c, 'device', true)
    held.socket.destroy()
  }

  #opened(c: number, held: Held) {
    if (held.stream) return
    clearTimeout(held.late)
    held.stream = new TunnelStream({
      socket: held.socket,
      connection: c,
      say: (words) => this.#sendWords(words),
      send: (frame) => this.#send(frame),
      onOver: () => this.#gone(c, this.#over ? 'cut' : 'closed', false),
    })
    held.socket.resume()
  }

  #gone(c: number, result: ConnectionResult, notifies: boolean) {
    const held = this.#held.get(c)
    if (!held) return
    clearTimeout(held.late)
    if (held.stream) this.#count(c, held.stream)
    this.#held.delete(c)
    this.#counted.delete(c)
    if (notifies) this.#sendWords({ t: 'close', c })
    const { read: bytes_in = 0, written: bytes_out = 0 } = held.stream ?? {}
    held.ended({ result, words: held.words, bytes_in, bytes_out })
  }

  #count(c: number, { read, written }: TunnelStream) {
    const before = this.#counted.get(c) ?? { read: 0, written: 0 }
    this.#figures.bytes_in += read - before.read
    this.#figures.bytes_out += written - before.written
    this.#counted.set(c, { read, written })
  }

  #cut() {
    this.#over = true
    this.#server?.close()
    for (const secured of this.#shaking) secured.destroy()
    for (const [c, { socket, stream }] of this.#held) {
      if (stream) stream.close()
      else {
        this.#gone(c, 'cut', false)
        socket.destroy()
      }
    }
  }

  #sendWords(words: ToTunnelDevice) {
    this.#send(JSON.stringify(words))
  }

  #send(frame: string | Uint8Array) {
    const { device } = this.#given
    if (device.readyState !== device.OPEN) return
    // It says that it handed on what it never read, and would fill the memory.
    if (device.bufferedAmount > mostUnread) this.refuse()
    else device.send(frame)
  }
}
