import { WebSocket } from 'ws'
import { readFrame, takenEach, ToBrowser } from '@masthead/contract/terminal/wire'

/** A shell that is typed into and heard. */
export type Way = { type: (text: string) => void; onBytes: (hear: (bytes: Buffer) => void) => void }

export type Window = Way & {
  /** When the shell is there; rejects where the window closes before. */
  shell: Promise<void>
  /** It reads nothing any more. */
  stall: () => void
  isClosed: () => boolean
  /** The reason, once the session has ended. */
  ended: () => string | null
  closed: Promise<void>
  close: () => void
}

type To = { url: string; cookie: string; session: string; client?: string }

/** A window on a terminal session, as the console opens it. */
export function openWindow({ url, cookie, session, client = 'bench' }: To): Window {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/terminal-sessions/${session}/socket?client=${client}`, {
    headers: { cookie, origin: url },
    perMessageDeflate: false,
    handshakeTimeout: 10_000,
  })
  let [place, told] = [0, 0]
  let heard = (_: Buffer) => {}
  let ended: string | null = null
  const shell = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code, why) => reject(new Error(`The window closed: ${code} ${String(why)}`)))
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        place += data.length
        if (place - told >= takenEach) socket.send(JSON.stringify({ t: 'taken', at: (told = place) }))
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
    stall: () => socket.pause(),
    isClosed: () => socket.readyState === WebSocket.CLOSED,
    ended: () => ended,
    closed: new Promise((resolve) => void socket.once('close', () => resolve())),
    close: () => socket.close(),
  }
}
