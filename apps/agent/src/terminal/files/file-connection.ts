import { basename } from 'node:path'
import { WebSocket } from 'ws'
import {
  filePiece,
  filePieceOf,
  FileToDevice,
  piecesAhead,
  readFilePiece,
  wanted,
  type FileFromDevice,
  type Want,
} from '@masthead/contract/terminal/file-wire'
import { awayFor } from '@masthead/contract/terminal/session'
import { readFrame } from '@masthead/contract/terminal/wire'
import type { Login } from '../../link.ts'
import { openSocket } from '../../open-socket.ts'
import { pathFrom, troubleOf } from './place.ts'
import { ReadFile } from './read-file.ts'
import { WrittenFile } from './written-file.ts'

type Given = {
  login: Login & { server: string }
  file: string
  /** Where the shell is. */
  folder: () => string
  say: (words: string) => void
  onEnd: () => void
  waits?: number
}

/** One file on its way to this device or from it, and the connection by which it goes. While that is broken the file waits, for a minute. */
export function openFileConnection({ login, file, folder, say, onEnd, waits = 500 }: Given) {
  let socket: WebSocket | undefined
  let heard = false
  let written: WrittenFile | undefined
  let read: ReadFile | undefined
  let path = ''
  /** What is said again when the connection is new. */
  let last: FileFromDevice | undefined
  let begun = false
  let over = false
  /** The place up to which pieces are wanted. */
  let ahead = 0
  let timer: NodeJS.Timeout | undefined
  let gaveUp: NodeJS.Timeout | undefined
  /** One after the other. */
  let turn: Promise<void> = Promise.resolve()

  connect()
  awaitServer()

  function connect() {
    const mine = openSocket(login, `terminal-file/${file}`, filePiece + 1024)
    socket = mine
    mine.on('message', (data: Buffer, isBinary) => {
      const said = isBinary ? undefined : readFrame(FileToDevice, data.toString())
      if (said?.t === 'over') return finish()
      if (isBinary) return next(() => take(mine, data))
      return said && next(() => hear(mine, said))
    })
    mine.on('error', (error) => say(`File: ${error.message}`))
    // It is over, or not of this device.
    mine.on('unexpected-response', (_request, { statusCode = 0 }) => {
      mine.terminate()
      if (statusCode >= 400 && statusCode < 500) finish()
    })
    mine.once('close', () => {
      heard = false
      if (over) return
      if (mine === socket) timer = setTimeout(connect, waits)
      awaitServer()
    })
  }

  function awaitServer() {
    gaveUp ??= setTimeout(finish, awayFor)
  }

  function next(act: () => Promise<void>) {
    turn = turn.then(async () => {
      if (over) return
      await act().catch((error: unknown) => {
        const { end, message } = troubleOf(error, path)
        sendWords({ t: 'failed', end, words: message.slice(0, 300) }, true)
      })
    })
  }

  async function hear(mine: WebSocket, said: Exclude<FileToDevice, { t: 'over' }>) {
    if (mine !== socket) return
    if (said.t === 'want') return send(mine, said)
    if (said.t === 'keep') {
      await written?.keep()
      return sendWords({ t: 'kept' }, true)
    }
    clearTimeout(gaveUp)
    gaveUp = undefined
    heard = true
    if (!begun) {
      begun = true
      path = pathFrom(said.path, folder())
      if (said.way === 'up') written = await WrittenFile.begin({ ...said, path })
      else read = await ReadFile.begin({ path })
      // It was over while it was looked for.
      if (over) return tidy()
    }
    const { path: at = path, size = 0 } = written ?? read ?? {}
    if (written || read) sendWords({ t: 'ready', path: at, name: basename(at), size }, false)
    if (last) sendWords(last, false)
    else if (written) {
      ahead = written.at
      more()
    } else if (read) sumUp()
  }

  async function take(mine: WebSocket, frame: Uint8Array) {
    const piece = readFilePiece(frame)
    if (mine !== socket || !written || !piece || piece.at !== written.at || piece.bytes.byteLength > written.size - written.at) return
    await written.write(piece.bytes)
    more()
  }

  function more() {
    if (!written) return
    for (let want = wanted(ahead, written.size); want && ahead - written.at < piecesAhead * filePiece; want = wanted(ahead, written.size)) {
      sendWords({ t: 'want', ...want }, false)
      ahead += want.n
    }
    if (written.isWhole && last === undefined) sendWords({ t: 'sum', sha256: written.sum }, true)
  }

  async function send(mine: WebSocket, { at, n }: Want) {
    if (!read || at + n > read.size) return
    const bytes = await read.read(at, n)
    if (mine === socket && mine.readyState === WebSocket.OPEN) mine.send(filePieceOf(at, bytes))
    sumUp()
  }

  function sumUp() {
    if (read?.isWhole && last === undefined) sendWords({ t: 'sum', sha256: read.sum }, true)
  }

  function sendWords(words: FileFromDevice, lasts: boolean) {
    if (lasts) last = words
    if (heard && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(words))
  }

  function tidy() {
    return Promise.all([written?.drop(), read?.drop()]).then(() => {})
  }

  function finish() {
    if (over) return
    over = true
    clearTimeout(timer)
    clearTimeout(gaveUp)
    socket?.close()
    // What is being written or looked for is let come to its end first.
    void turn.then(tidy).then(onEnd)
  }

  return { end: finish, /** For tests: as if the network broke. */ breakOff: () => socket?.terminate() }
}
