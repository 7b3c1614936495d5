import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

type Backend = { socket: Socket; first: Buffer[] }

const readyForQuery = 'Z'.charCodeAt(0)
const sync = new Set(['S', 'Q'].map((letter) => letter.charCodeAt(0)))
const terminate = 'X'.charCodeAt(0)
const [sslRequest, startUp] = [80_877_103, 196_608]

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

function startMessage(user: string, database: string) {
  const text = Buffer.from(`user\0${user}\0database\0${database}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(text.length + 8, 0)
  head.writeInt32BE(startUp, 4)
  return Buffer.concat([head, text])
}

/** A session of PostgreSQL, with what it sent when it began. */
async function openBackend(url: URL): Promise<Backend> {
  const { searchParams, hostname, port } = url
  const folder = searchParams.get('host')
  const socket = folder ? connect(`${folder}/.s.PGSQL.${searchParams.get('port') ?? 5432}`) : connect(Number(port || 5432), hostname)
  await once(socket, 'connect')
  const { promise, resolve } = Promise.withResolvers<Buffer[]>()
  const first: Buffer[] = []
  const take = messages((message) => (message[0] === readyForQuery ? resolve(first) : first.push(Buffer.from(message))))
  socket.on('data', take)
  socket.write(startMessage(userOf(url), url.pathname.slice(1)))
  await promise
  socket.removeAllListeners('data')
  return { socket, first }
}

/**
 * A pooler as pgbouncer is with `pool_mode = transaction`: many clients on few sessions, each for as long as a transaction lasts. What a client
 * leaves in a session the next one finds there. For a PostgreSQL that trusts who connects.
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
