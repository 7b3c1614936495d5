import { WebSocket } from 'ws'
import { readFrame, takenEach, ToBrowser } from '@masthead/contract/terminal/wire'

/** A shell that is typed into and read. */
export type Way = { type: (text: string) => void; onBytes: (hear: (bytes: Buffer) => void) => void }

export type Window = Way & {
  /** When the shell is there; rejects where the window closes before. */
  shell: Promise<void>
  /** It shows nothing any more: it reads nothing for some seconds, as long as a connection may be silent, and from then on takes nothing. */
  stall: () => void
  isClosed: () => boolean
  /** The reason, once the session has ended. */
  ended: () => string | null
  closed: Promise<void>
  close: () => void
}

const silentFor = 8000 // ms; the server ends a connection that answers no ping until the next, 10 s later

type To = { url: string; cookie: string; session: string; client?: string }

/** A window on a terminal session, as the console opens it. */
export function openWindow({ url, cookie, session, client = 'bench' }: To): Window {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/terminal-sessions/${session}/socket?client=${client}`, {
    headers: { cookie, origin: url },
    perMessageDeflate: false,
    handshakeTimeout: 10_000,
  })
  let [place, told, takes] = [0, 0, true]
  let heard = (_: Buffer) => {}
  let ended: string | null = null
  const shell = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code, why) => reject(new Error(`The window closed: ${code} ${String(why)}`)))
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        place += data.length
        if (takes && place - told >= takenEach) socket.send(JSON.stringify({ t: 'taken', at: (told = place) }))
        return heard(data)
      }
      const said = readFrame(ToBrowser, data.toString())
      if (said?.t === 'step' && said.step === 'shell') resolve()
      else if (said?.t === 'ended') ended = said.reason
      return undefined
    })
  })
  shell.catch(() => {})
  return {
    shell,
    type: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(Buffer.from(text))
    },
    onBytes: (hear) => void (heard = hear),
    stall: () => {
      takes = false
      socket.pause()
      setTimeout(() => socket.resume(), silentFor).unref()
    },
    isClosed: () => socket.readyState === WebSocket.CLOSED,
    ended: () => ended,
    closed: new Promise((resolve) => void socket.once('close', () => resolve())),
    close: () => socket.close(),
  }
}
