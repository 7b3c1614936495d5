import { fileEnds, type FileEnd } from '@masthead/contract/terminal/file'
import {
  filePiece,
  filePieceOf,
  FileToBrowser,
  piecesAhead,
  readFilePiece,
  wanted,
  type FileFromBrowser,
} from '@masthead/contract/terminal/file-wire'
import { readFrame } from '@masthead/contract/terminal/wire'
import { apiRoot } from '../../api/client.ts'
import { saveFile } from '../../ui/save-file.ts'

export type Carried =
  | { way: 'up'; file: File; path: string; replace: boolean }
  /** `path`: on the device. */
  | { way: 'down'; path: string }

/** How far a file is. `of`: null until the device has found it. */
export type FileProgress = {
  phase: 'going' | 'waiting' | 'done' | 'over'
  name: string
  path: string
  at: number
  of: number | null
  words: string
  sha256: string
}

type At = { session: string; client: string }

const again = 1000 // ms
const tries = 60
/** Bytes that are held here, before they are the browser's to keep wherever it has room. */
const heldAtOnce = 4 * 1024 * 1024

/** Carries one file between here and a device, by a connection of its own. One that breaks goes on where it was. */
export function carryFile({ session, client }: At, what: Carried, report: (change: Partial<FileProgress>) => void) {
  let socket: WebSocket | undefined
  let timer: number | undefined
  let id: string | undefined
  let [failures, ahead, at] = [0, 0, 0]
  let of: number | undefined
  let over = false
  let name = what.way === 'up' ? what.file.name : ''
  let held: Uint8Array<ArrayBuffer>[] = []
  let heldBytes = 0
  const kept: Blob[] = []
  /** Read one after the other, as they are wanted. */
  let turn: Promise<void> = Promise.resolve()

  function open() {
    const url = new URL(`${apiRoot}/terminal-sessions/${session}/file`, location.href)
    url.protocol = url.protocol.replace('http', 'ws')
    url.searchParams.set('client', client)
    const mine = new WebSocket(url)
    mine.binaryType = 'arraybuffer'
    socket = mine
    mine.onopen = () => {
      report({ phase: 'going' })
      if (id !== undefined) return say({ t: 'resume', id })
      const { way, path } = what
      if (way === 'up') say({ t: 'begin', way, path, name: what.file.name, size: what.file.size, replace: what.replace })
      else say({ t: 'begin', way, path, name: '', size: 0, replace: false })
    }
    mine.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (over || mine !== socket) return
      if (typeof data === 'string') read(mine, data)
      else take(new Uint8Array(data))
    }
    mine.onclose = () => {
      if (over || mine !== socket) return
      if (++failures > tries) return end('left')
      report({ phase: 'waiting' })
      timer = window.setTimeout(open, again)
    }
  }

  function read(mine: WebSocket, text: string) {
    const said = readFrame(FileToBrowser, text)
    if (!said) return
    failures = 0
    if (said.t === 'id') id = said.id
    else if (said.t === 'ready') {
      of = said.size
      name = said.name
      report({ name, path: said.path, of })
      if (what.way === 'down') {
        ahead = at
        more()
      }
    } else if (said.t === 'want') send(mine, said.at, said.n)
    else if (said.t === 'done') done(said.path, said.sha256)
    else end(said.end, said.words)
  }

  function send(mine: WebSocket, from: number, n: number) {
    if (what.way !== 'up') return
    const { file } = what
    turn = turn.then(async () => {
      const bytes = await file
        .slice(from, from + n)
        .arrayBuffer()
        .catch(() => null)
      if (over) return
      if (!bytes || bytes.byteLength !== n) {
        say({ t: 'cancel' })
        return end('changed')
      }
      if (mine.readyState === WebSocket.OPEN) mine.send(filePieceOf(from, new Uint8Array(bytes)))
      at = Math.max(at, from + n)
      report({ at })
    })
  }

  function more() {
    if (of === undefined) return
    for (let want = wanted(ahead, of); want && ahead - at < piecesAhead * filePiece; want = wanted(ahead, of)) {
      say({ t: 'want', ...want })
      ahead += want.n
    }
    if (at === of) say({ t: 'got' })
  }

  function take(frame: Uint8Array<ArrayBuffer>) {
    const piece = readFilePiece(frame)
    if (what.way !== 'down' || piece?.at !== at) return
    held.push(piece.bytes as Uint8Array<ArrayBuffer>)
    heldBytes += piece.bytes.byteLength
    at += piece.bytes.byteLength
    if (heldBytes >= heldAtOnce) keep()
    report({ at })
    more()
  }

  function keep() {
    kept.push(new Blob(held))
    held = []
    heldBytes = 0
  }

  function done(path: string, sha256: string) {
    over = true
    if (what.way === 'down') {
      keep()
      saveFile(name, new Blob(kept))
    }
    report({ phase: 'done', path, sha256, at: of ?? at })
  }

  function end(why: FileEnd, words: string | null = null) {
    if (over) return
    over = true
    clearTimeout(timer)
    socket?.close()
    report({ phase: 'over', words: words ? `${fileEnds[why]}: ${words}` : fileEnds[why] })
  }

  function say(words: FileFromBrowser) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(words))
  }

  open()
  return {
    cancel() {
      say({ t: 'cancel' })
      end('cancelled')
    },
  }
}
