import type { Socket } from 'node:net'
import { networkOf } from '../../kernel/network-of.ts'

/** How many connections may be open that have not signed in: of one address (of IPv6: a /64), and of all. */
export type WaitingBounds = { ofAddress: number; ofAll: number }

const portOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

/** Connections that are open and have not signed in. Whoever says nothing holds a socket and memory all the same. */
export class PendingConnections {
  #bounds: WaitingBounds
  /** By address, and the end of the waiting of each by its address and port: TLS hands over another socket than came in. */
  #counts = new Map<string, number>()
  #leave = new Map<string, () => void>()

  constructor(bounds: WaitingBounds) {
    this.#bounds = bounds
  }

  /** Takes a socket of an address as one that waits, until `left` or until it is closed; false: there are too many, and it is closed. */
  enter(socket: Socket, ip = socket.remoteAddress): boolean {
    const port = portOf(socket)
    if (this.#leave.has(port)) return true
    const network = networkOf(ip ?? null)
    const waiting = this.#counts.get(network) ?? 0
    if (waiting >= this.#bounds.ofAddress || this.#leave.size >= this.#bounds.ofAll) {
      socket.on('error', () => {}).destroy()
      return false
    }
    this.#counts.set(network, waiting + 1)
    const leave = () => {
      if (this.#leave.get(port) !== leave) return
      this.#leave.delete(port)
      const others = this.#counts.get(network)! - 1
      if (others > 0) this.#counts.set(network, others)
      else this.#counts.delete(network)
    }
    this.#leave.set(port, leave)
    socket.once('close', leave)
    return true
  }

  /** It has signed in. */
  left = (socket: Socket) => this.#leave.get(portOf(socket))?.()
}
