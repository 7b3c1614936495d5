import type { Server } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, tooSlow } from '@masthead/contract/kernel/problem'
import type { Config } from '../config.ts'

type Bounds = Config['requests']

/** For Node: how long the first line and the headers of a request may take. A connection that says nothing counts as one. */
export const headerBounds = ({ headersWithin }: Bounds) => ({
  headersTimeout: headersWithin,
  connectionsCheckingInterval: Math.ceil(headersWithin / 4),
})

/**
 * Sees to it that the body of a request arrives: all of it within `bodyWithin`, or, of an upload that is read as it comes, at least
 * `uploadRate` bytes a second. Without, a byte now and then keeps a connection for as long as somebody likes. While we are the ones who read
 * slowly nothing is counted. `fail` answers in words; then the connection is closed.
 */
export function boundBody(request: FastifyRequest, reply: FastifyReply, bounds: Bounds, fail: (problem: Problem) => void): void {
  const { raw } = request
  if (raw.complete || (raw.headers['transfer-encoding'] === undefined && Number(raw.headers['content-length'] ?? 0) === 0)) return
  const { socket } = raw
  const refuse = (words: string) => {
    clearInterval(watch)
    if (reply.sent) return void raw.destroy()
    void reply.header('connection', 'close')
    fail(new Problem(tooSlow, words))
  }
  const seconds = bounds.bodyWithin / 1000
  let before = socket.bytesRead
  const watch = setInterval(() => {
    if (raw.complete) return clearInterval(watch)
    const arrived = socket.bytesRead - before
    before = socket.bytesRead
    // What is still to come of a request that was answered is worth nothing.
    if (!request.routeOptions.config.upload || reply.sent)
      return refuse(`The body has to arrive within ${seconds} seconds, and nothing was done`)
    if (raw.readableLength > 0 || arrived >= bounds.uploadRate * seconds) return
    refuse(`An upload has to bring ${bounds.uploadRate} bytes a second at least. What had arrived by then may have been kept`)
  }, bounds.bodyWithin).unref()
  for (const over of ['end', 'close']) raw.once(over, () => clearInterval(watch))
}

/** Closes what one address opens beyond `most` at once. Behind a proxy all come from its address, and it is the one to count. */
export function boundConnections(server: Server, most: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    if (address === undefined) return
    const now = (open.get(address) ?? 0) + 1
    open.set(address, now)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (now > most) socket.destroy()
  })
}
