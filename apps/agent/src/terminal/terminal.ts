import type { WebSocket } from 'ws'
import { mostFiles } from '@masthead/contract/terminal/file'
import { awayFor, type Size } from '@masthead/contract/terminal/session'
import { Unacked } from '@masthead/contract/terminal/unacked'
import { onTheWay, readFrame, takenEach, ToDevice, type FromDevice } from '@masthead/contract/terminal/wire'
import type { Login } from '../link.ts'
import { openSocket } from '../open-socket.ts'
import { openFileConnection } from './files/file-connection.ts'
import type { Shell, StartShell } from './shell.ts'

type TerminalGiven = {
  login: Login & { server: string }
  session: string
  size: Size
  start: StartShell
  say: (words: string) => void
  onEnd: () => void
  waits?: number
}

const mostInput = 256 * 1024 // bytes of one frame; the server sends less
/** Bytes that the shell has not taken yet: a server that sends on is not read until it has. */
const mostUntaken = 2 * onTheWay
const goodbye = 2000 // ms for the last words

/** A shell, and the connection to the server that it is shown by. While that is broken the shell goes on, for a minute. */
export function openTerminal({ login, session, size, start, say, onEnd, waits = 500 }: TerminalGiven) {
  const output = new Unacked()
  const files = new Map<string, ReturnType<typeof openFileConnection>>()
  let shell: Shell | undefined
  let socket: WebSocket | undefined
  let starting = false
  let paused = false
  /** What is said again when the connection is new. */
  let state: FromDevice | undefined
  let ended = false
  /** The server has sent something on this connection, and knows what it has. */
  let heard = false
  let untaken = 0
  let timer: NodeJS.Timeout | undefined
  let gaveUp: NodeJS.Timeout | undefined

  connect()
  awaitServer()

  function connect() {
    const mine = openSocket(login, `terminal/${session}`, mostInput)
    socket = mine
    let owed = 0
    const taken = (bytes: number) => {
      untaken -= bytes
      owed += bytes
      if (mine.isPaused && untaken < mostUntaken) mine.resume()
      if (mine !== socket || (owed < takenEach && untaken > 0)) return
      sendWords({ t: 'took', n: owed })
      owed = 0
    }
    mine.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        untaken += data.byteLength
        if (untaken >= mostUntaken) mine.pause()
        return shell ? shell.write(data, () => taken(data.byteLength)) : taken(data.byteLength)
      }
      const said = readFrame(ToDevice, data.toString())
      if (said) hear(said)
    })
    mine.on('error', (error) => say(`Terminal: ${error.message}`))
    // It is not known here, or not any more.
    mine.on('unexpected-response', (_request, { statusCode = 0 }) => {
      say(`Terminal: the server answered ${statusCode}`)
      mine.terminate()
      if (statusCode >= 400 && statusCode < 500) finish()
    })
    mine.once('close', () => {
      heard = false
      if (ended) return
      if (mine === socket) timer = setTimeout(connect, waits)
      awaitServer()
    })
  }

  /** Nobody comes back for a shell whose server is away for longer. */
  function awaitServer() {
    gaveUp ??= setTimeout(finish, awayFor)
  }

  function hear(said: ToDevice) {
    if (said.t === 'size') return shell?.resize(said)
    if (said.t === 'end') return finish()
    if (said.t === 'file') return comeFor(said.id)
    output.taken(said.at)
    if (said.t === 'taken') return goOn()
    clearTimeout(gaveUp)
    gaveUp = undefined
    heard = true
    // From now on it counts what the shell has taken.
    sendWords({ t: 'took', n: 0 })
    if (state?.t === 'started') sendWords(state)
    // Before its output there is none.
    const rest = output.since(said.at)
    if (!rest) return finish()
    for (const chunk of rest) socket?.send(chunk)
    goOn()
    if (state && state.t !== 'started') sayLast(state)
    if (!starting) begin()
  }

  function comeFor(file: string) {
    if (!shell?.folder || ended || files.has(file) || files.size >= mostFiles) return
    const { folder } = shell
    files.set(file, openFileConnection({ login, file, folder, say, onEnd: () => void files.delete(file) }))
  }

  function begin() {
    starting = true
    start(size, {
      onBytes: (bytes) => {
        output.add(bytes)
        if (heard) socket?.send(bytes)
        if (!output.full || paused) return
        paused = true
        shell?.pause()
      },
      onExit: (code) => last({ t: 'exit', code }),
    }).then(
      (started) => {
        shell = started
        if (ended) return shell.end()
        if (state) return undefined
        state = { t: 'started', user: started.user }
        sendWords(state)
      },
      (error: Error) => last({ t: 'failed', words: error.message.slice(0, 300) })
    )
  }

  function goOn() {
    if (!paused || output.full) return
    paused = false
    shell?.resume()
  }

  function last(words: FromDevice) {
    state = words
    if (heard) sayLast(words)
  }

  function sayLast(words: FromDevice) {
    sendWords(words)
    // The server closes it once it has all; if it does not, so be it.
    setTimeout(finish, goodbye).unref()
  }

  function sendWords(words: FromDevice) {
    if (heard) socket?.send(JSON.stringify(words))
  }

  function finish() {
    if (ended) return
    ended = true
    clearTimeout(timer)
    clearTimeout(gaveUp)
    for (const file of files.values()) file.end()
    if (state?.t !== 'exit') shell?.end()
    socket?.close()
    setTimeout(() => socket?.terminate(), goodbye).unref()
    onEnd()
  }

  return {
    end: finish,
    /** For tests: as if the network broke. */
    breakOff: () => socket?.terminate(),
    breakOffFiles: () => files.forEach((file) => file.breakOff()),
    files: () => files.size,
  }
}
