import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'

type Backend = { socket: Socket; first: Buffer[] }

const readyForQuery = 'Z'.charCodeAt(0)
const sync = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)))
const terminate = 'X'.charCodeAt(0)
const sslRequest = 80_877_103
const authentication = 'R'.charCodeAt(0)
const authenticated = Buffer.from([authentication, 0, 0, 0, 8, 0, 0, 0, 0])

/** Cuts what arrives into whole messages: a letter, four bytes of length, the rest. */
function messages(take: (message: Buffer) => void) {
  let rest = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1
      take(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}

const userOf = ({ username, searchParams }: URL) => decodeURIComponent(username) || (searchParams.get('user') ?? 'postgres')

/** A session of PostgreSQL, with what it sent when it began. `pg` signs in, as it knows how the server asks for a password. */
async function openBackend(url: URL): Promise<Backend> {
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection
  const sent: Buffer[] = []
  socket.on(
    'data',
    messages((message) => void sent.push(Buffer.from(message)))
  )
  await client.connect()
  socket.removeAllListeners('data')
  return { socket, first: [authenticated, ...sent.filter(([letter]) => letter !== authentication && letter !== readyForQuery)] }
}

/**
 * A pooler as pgbouncer is with `pool_mode = transaction`: many clients on few sessions, each for as long as a transaction lasts. What a client
 * leaves in a session the next one finds there. It asks nobody for a password.
 */
export async function openPooler(target: string, sessions = 2) {
  const url = new URL(target)
  const free = await Promise.all(Array.from({ length: sessions }, () => openBackend(url)))
  const all = [...free]
  const wanting: ((backend: Backend) => void)[] = []
  const lend = () => new Promise<Backend>((resolve) => (free.length ? resolve(free.pop()!) : wanting.push(resolve)))
  const give = (backend: Backend) => {
    backend.socket.removeAllListeners('data')
    const next = wanting.shift()
    if (next) next(backend)
    else free.push(backend)
  }
  const [{ first }] = all as [Backend]
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => {})
    let begun = false
    let asked = 0
    let backend: Promise<Backend> | undefined
    const borrow = () =>
      (backend ??= lend().then((taken) => {
        taken.socket.on(
          'data',
          messages((answer) => {
            client.write(Buffer.from(answer))
            if (answer[0] !== readyForQuery || --asked > 0 || answer[5] !== 'I'.charCodeAt(0)) return
            backend = undefined
            give(taken)
          })
        )
        return taken
      }))
    const take = messages((message) => {
      if (message[0] === terminate) return
      if (sync.has(message[0]!)) asked++
      const copy = Buffer.from(message)
      void borrow().then(({ socket }) => socket.write(copy))
    })
    client.on('data', (chunk: Buffer) => {
      if (begun) return take(chunk)
      if (chunk.readInt32BE(4) === sslRequest) return void client.write('N')
      begun = true
      client.write(Buffer.concat([...first, Buffer.from([readyForQuery, 0, 0, 0, 5, 'I'.charCodeAt(0)])]))
    })
    client.on('close', () => clients.delete(client))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `postgresql://${userOf(url)}@127.0.0.1:${port}${url.pathname}`,
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.destroy()
      for (const { socket } of all) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
