import { connect, type Socket } from 'node:net'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

export type HttpReport = {
  answered: number
  /** Answers other than 200. */
  failed: number
  /** Answers per second. */
  rate: number
  /** Milliseconds. At a fixed rate from when the request was due, so that a wait for a free client counts. */
  p50: number
  p99: number
  max: number
}
/** What to ask as the n-th request: a path, and the Cookie header. */
export type Asks = (n: number) => { path: string; cookie: string }

/** `clients` connections kept alive, each with one request under way: as fast as they are answered, or at a fixed rate. */
export async function openHttpLoad({ url, clients }: { url: string; clients: number }) {
  const { hostname, port } = new URL(url)
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(hostname, Number(port))))
  return {
    /** `rate` in requests per second; without it as many as are answered. */
    async run({ asks, seconds, rate, signal }: { asks: Asks; seconds: number; rate?: number; signal?: AbortSignal }): Promise<HttpReport> {
      const latency = createHistogram()
      const counts = { answered: 0, failed: 0, asked: 0 }
      const begun = performance.now()
      const over = () => performance.now() - begun > seconds * 1000 || signal?.aborted === true
      const one = async (connection: Connection, due: number) => {
        const { path, cookie } = asks(counts.asked++)
        const status = await connection.get(path, cookie)
        if (status === 200) counts.answered++
        else counts.failed++
        note(latency, performance.now() - due)
      }
      if (rate === undefined)
        await Promise.all(
          connections.map(async (connection) => {
            while (!over()) await one(connection, performance.now())
          })
        )
      else await atRate(rate, connections, begun, over, one)
      const took = (performance.now() - begun) / 1000
      const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e4) / 100
      return {
        answered: counts.answered,
        failed: counts.failed,
        rate: Math.round(counts.answered / took),
        p50: ms(latency.percentile(50)),
        p99: ms(latency.percentile(99)),
        max: ms(latency.max),
      }
    },
    close() {
      for (const { socket } of connections) socket.destroy()
    },
  }
}

const note = (latency: RecordableHistogram, ms: number) => latency.record(Math.max(1, Math.round(ms * 1e6)))

/** Starts requests when they are due on whichever connection is free; those that find none wait, and their wait is counted. */
async function atRate(
  rate: number,
  connections: readonly Connection[],
  begun: number,
  over: () => boolean,
  one: (connection: Connection, due: number) => Promise<void>
) {
  const free = [...connections]
  let started = 0
  await new Promise<void>((resolve) => {
    const fill = () => {
      const now = performance.now()
      for (let due = begun + (started * 1000) / rate; !over() && due <= now && free.length > 0; due = begun + (started * 1000) / rate) {
        started++
        const connection = free.shift()! // in turn, so that none is idle until the server closes it
        void one(connection, due).then(() => {
          free.push(connection)
          fill()
        })
      }
      if (!over() || free.length < connections.length) return
      clearInterval(timer)
      resolve()
    }
    const timer = setInterval(fill, 1)
  })
}

type Connection = { socket: Socket; get: (path: string, cookie: string) => Promise<number> }

/** As little of an HTTP client as will do: answers with a Content-Length. A connection that breaks answers 0. */
async function openConnection(host: string, port: number): Promise<Connection> {
  const socket = connect(port, host)
  socket.setNoDelay(true)
  let pieces: Buffer[] = []
  let size = 0
  let whole = 0
  let status = 0
  let answer = (_status: number) => {}
  socket.on('data', (piece) => {
    pieces.push(piece as Buffer)
    size += piece.length
    if (whole === 0) {
      const text = Buffer.concat(pieces)
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = text.toString('latin1', 0, end)
      status = Number(head.slice(9, 12))
      whole = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    }
    if (size < whole) return
    pieces = []
    size = whole = 0
    answer(status)
  })
  const broken = () => answer(0)
  socket.on('error', broken)
  socket.on('close', broken)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    get: (path, cookie) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve(0)
        answer = resolve
        socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\ncookie: ${cookie}\r\n\r\n`)
      }),
  }
}
