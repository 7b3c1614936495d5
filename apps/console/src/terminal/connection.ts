import { onTheWay, readFrame, takenEach, ToBrowser, type FromBrowser } from '@masthead/contract/terminal/wire'
import type * as z from 'zod/mini'
import { apiRoot } from '../api/client.ts'

type Words = z.output<typeof ToBrowser>
type Handlers = {
  /** `shown`: to be called once they are on the screen. */
  onBytes: (bytes: Uint8Array, shown: () => void) => void
  onWords: (words: Exclude<Words, { t: 'took' }>) => void
  /** The connection broke; it is tried again, or not. */
  onLost: (goesOn: boolean) => void
}

const pieces = 16 * 1024 // bytes of a paste at once
const again = 1000 // ms
const tries = 60
const pingEvery = 5000 // ms
const silentFor = 15_000 // ms without an answer: the connection is gone, and nobody says so

/** The WebSocket of a session, for as long as the window is there. One that breaks goes on where it was. */
export function connect(id: string, { onBytes, onWords, onLost }: Handlers) {
  const client = crypto.getRandomValues(new Uint32Array(4)).join('-')
  let socket: WebSocket | undefined
  let place: number | undefined
  let [shown, taken, failures] = [0, 0, 0]
  let over = false
  let timer: number | undefined
  let asked = 0
  /** What is typed, and on its way to the shell: a paste waits here, so that all else passes it. */
  let waiting: Uint8Array<ArrayBuffer>[] = []
  let untaken = 0
  let heardAt = performance.now()
  const pings = setInterval(() => {
    if (performance.now() - heardAt > silentFor) breakOff()
    say({ t: 'ping', n: (asked = Math.round(performance.now())) })
  }, pingEvery)

  function open() {
    const url = new URL(`${apiRoot}/terminal-sessions/${id}/socket`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    url.searchParams.set('client', client)
    if (place !== undefined) url.searchParams.set('from', String(place))
    const mine = new WebSocket(url)
    mine.binaryType = 'arraybuffer'
    socket = mine
    heardAt = performance.now()
    // The rest of a paste of which a piece was lost runs what nobody wrote.
    waiting = []
    untaken = 0
    mine.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      heardAt = performance.now()
      if (typeof data === 'string') receive(data)
      else show(new Uint8Array(data))
    }
    mine.onclose = ({ code }) => {
      if (!over && mine === socket) lost(code !== 1000 && code !== 4000 && code !== 4003)
    }
  }

  function lost(mayComeBack: boolean) {
    const goesOn = mayComeBack && ++failures <= tries
    onLost(goesOn)
    if (goesOn) timer = window.setTimeout(open, again)
    else end()
  }

  /** A socket whose connection is gone closes only when the system gives it up. */
  function breakOff() {
    const gone = socket
    socket = undefined
    gone?.close()
    heardAt = performance.now()
    clearTimeout(timer)
    lost(true)
  }

  function show(bytes: Uint8Array) {
    const at = (place = (place ?? 0) + bytes.byteLength)
    onBytes(bytes, () => {
      shown = Math.max(shown, at)
      if (shown - taken < takenEach) return
      taken = shown
      say({ t: 'taken', at: shown })
    })
  }

  function receive(text: string) {
    const words = readFrame(ToBrowser, text)
    if (!words) return
    failures = 0
    if (words.t === 'from') place = shown = taken = words.at
    if (words.t === 'ended') end()
    if (words.t === 'took') {
      untaken -= words.n
      return sendWaiting()
    }
    onWords(words)
  }

  function say(words: z.input<typeof FromBrowser>) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(words))
  }

  function sendWaiting() {
    while (untaken < onTheWay && waiting.length > 0 && socket?.readyState === WebSocket.OPEN) {
      const piece = waiting.shift()!
      untaken += piece.byteLength
      socket.send(piece)
    }
  }

  function end() {
    over = true
    clearTimeout(timer)
    clearInterval(pings)
    socket?.close()
  }

  open()
  return {
    client,
    say,
    type(bytes: Uint8Array<ArrayBuffer>) {
      if (socket?.readyState !== WebSocket.OPEN) return
      // Ctrl-C gives up what is not sent yet.
      if (bytes.byteLength === 1 && bytes[0] === 3) waiting = []
      for (let at = 0; at < bytes.byteLength; at += pieces) waiting.push(bytes.subarray(at, at + pieces))
      sendWaiting()
    },
    /** Of a `pong`: how long the round trip took, in ms. */
    wayOf: (n: number) => (n === asked ? Math.round(performance.now() - n) : null),
    tryNow() {
      if (over || socket?.readyState === WebSocket.OPEN) return
      clearTimeout(timer)
      open()
    },
    end,
  }
}
export type Connection = ReturnType<typeof connect>
