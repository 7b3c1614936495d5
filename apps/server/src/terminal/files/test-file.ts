import { WebSocket } from 'ws'
import { filePieceOf, FileToBrowser, readFilePiece, wanted, type FileFromBrowser } from '@masthead/contract/terminal/file-wire'
import { readFrame } from '@masthead/contract/terminal/wire'
import type { Person } from '@masthead/testkit/house'

type Where = { address: string; person: Pick<Person, 'cookie'>; terminal: string; client?: string; origin?: string }
type Begin = Omit<Extract<FileFromBrowser, { t: 'begin' }>, 't'>

/** A window that sends or fetches a file as the console does; `goOn` is its next connection. */
export async function carry(
  { address, person, terminal, client = 'one', origin = address }: Where,
  begin: Begin,
  source = Buffer.alloc(0),
  /** The place at which it stops to send. */
  until = Infinity
) {
  const words: FileToBrowser[] = []
  const got: Buffer[] = []
  let [id, at, ahead, of, status] = ['', 0, 0, -1, 101]
  let socket!: WebSocket
  const most = { sent: 0 }
  const say = (said: FileFromBrowser) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(said))
  const more = () => {
    for (let want = wanted(ahead, of); want && ahead - at < 4 * 65_536; want = wanted(ahead, of)) {
      say({ t: 'want', ...want })
      ahead += want.n
    }
    if (at === of) say({ t: 'got' })
  }
  async function goOn() {
    socket = new WebSocket(`${address.replace('http', 'ws')}/v1/terminal-sessions/${terminal}/file?client=${client}`, {
      headers: { cookie: person.cookie, origin },
      perMessageDeflate: false,
    })
    const mine = socket
    mine.on('error', () => {})
    mine.on('unexpected-response', (_request, answer) => {
      status = answer.statusCode ?? 0
      mine.terminate()
    })
    mine.on('open', () => say(id ? { t: 'resume', id } : { t: 'begin', ...begin }))
    mine.on('message', (data: Buffer, isBinary) => {
      if (isBinary) {
        const piece = readFilePiece(data)!
        if (piece.at !== at) return
        got.push(Buffer.from(piece.bytes))
        at += piece.bytes.byteLength
        return more()
      }
      const said = readFrame(FileToBrowser, data.toString())!
      words.push(said)
      if (said.t === 'id') id = said.id
      if (said.t === 'want' && said.at < until) {
        most.sent = Math.max(most.sent, said.at + said.n)
        mine.send(filePieceOf(said.at, source.subarray(said.at, said.at + said.n)))
      }
      if (said.t !== 'ready') return
      of = said.size
      ahead = at
      if (begin.way === 'down') more()
    })
    await new Promise<void>((resolve) => void mine.once('open', resolve).once('close', () => resolve()))
  }
  await goOn()
  return {
    words,
    status: () => status,
    got: () => Buffer.concat(got),
    place: () => Math.max(most.sent, at),
    say,
    goOn,
    breakOff: () => socket.terminate(),
    result: async () => {
      for (;;) {
        const last = words.find(({ t }) => t === 'done' || t === 'over')
        if (last) return last
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
