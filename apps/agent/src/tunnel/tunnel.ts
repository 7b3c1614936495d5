import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { TunnelStream } from '@masthead/contract/terminal/tunnel-stream'
import { readPiece, ToTunnelDevice, type FromTunnelDevice } from '@masthead/contract/terminal/tunnel-wire'
import { readFrame } from '@masthead/contract/terminal/wire'
import type { Login } from '../link.ts'
import { openSocket } from '../open-socket.ts'

/** Begins a connection, which emits `connect`, or `error` and `close`. */
export type Dial = (to: { host: string; port: number }) => Duplex

const dialTcp: Dial = (to) => connect({ ...to, allowHalfOpen: true, noDelay: true })

type TunnelGiven = {
  login: Login & { server: string }
  tunnel: string
  port: number
  /** Null: this device. */
  address: string | null
  say: (words: string) => void
  onEnd: () => void
  waits?: number
  dial?: Dial | undefined
}

/** Bytes of one frame; the server sends less. */
const largestFrame = 128 * 1024
const connectsWithin = 10_000 // ms
/** More than the server lets in. */
const most = 64

/** A tunnel's connection from the server to a port. Its connections end with the connection to the server, which is made again until the tunnel is over. */
export function openTunnel({ login, tunnel, port, address, say, onEnd, waits = 2000, dial = dialTcp }: TunnelGiven) {
  const streams = new Map<number, TunnelStream>()
  const dialled = new Map<number, Duplex>()
  let socket: WebSocket | undefined
  let timer: NodeJS.Timeout | undefined
  let ended = false
  join()

  function join() {
    const mine = openSocket(login, `tunnel/${tunnel}`, largestFrame)
    socket = mine
    mine.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return hand(data)
      const said = readFrame(ToTunnelDevice, data.toString())
      if (said) hear(said)
    })
    mine.on('error', (error) => say(`Tunnel: ${error.message}`))
    // It is over, or not of this device.
    mine.on('unexpected-response', (_request, { statusCode = 0 }) => {
      mine.terminate()
      if (statusCode >= 400 && statusCode < 500) finish()
    })
    mine.once('close', () => {
      cutAll()
      if (!ended && mine === socket) timer = setTimeout(join, waits)
    })
  }

  function hand(frame: Uint8Array) {
    const piece = readPiece(frame)
    if (piece) streams.get(piece.connection)?.hand(piece.bytes)
  }

  function hear(said: ToTunnelDevice) {
    if (said.t === 'over') return finish()
    if (said.t === 'open') return begin(said.c)
    const stream = streams.get(said.c)
    if (said.t === 'taken') stream?.taken(said.n)
    else if (said.t === 'end') stream?.ended()
    else {
      dialled.get(said.c)?.destroy()
      stream?.closed()
    }
  }

  function begin(c: number) {
    if (streams.has(c) || dialled.has(c) || streams.size + dialled.size >= most)
      return sendWords({ t: 'failed', c, words: 'The device has too many connections open' })
    const to = dial({ host: address ?? '127.0.0.1', port })
    dialled.set(c, to)
    const late = setTimeout(() => to.destroy(new Error(`${address ?? 'The device'} did not answer at port ${port}`)), connectsWithin)
    let words = ''
    const failed = () => {
      clearTimeout(late)
      if (dialled.delete(c)) sendWords({ t: 'failed', c, words: words.slice(0, 300) || 'It was closed' })
    }
    to.once('error', (error: Error) => (words = error.message))
    to.once('close', failed)
    to.once('connect', () => {
      clearTimeout(late)
      to.off('close', failed)
      dialled.delete(c)
      const stream = new TunnelStream({ socket: to, connection: c, say: sendWords, send, onOver: () => streams.delete(c) })
      streams.set(c, stream)
      sendWords({ t: 'opened', c })
    })
  }

  function send(frame: Uint8Array) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(frame)
  }
  function sendWords(words: FromTunnelDevice) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(words))
  }
  function cutAll() {
    for (const to of dialled.values()) to.destroy()
    for (const stream of streams.values()) stream.closed()
  }

  function finish() {
    if (ended) return
    ended = true
    clearTimeout(timer)
    cutAll()
    socket?.close()
    onEnd()
  }

  return { end: finish, /** For tests: as if the network broke. */ breakOff: () => socket?.terminate(), connections: () => streams.size }
}
