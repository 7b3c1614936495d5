import { createSocket } from 'node:dgram'
import type { Socket } from 'node:dgram'
import { once } from 'node:events'
import { createHistogram } from 'node:perf_hooks'
import { replyFault } from '@masthead/radius/authenticator'
import { codes, decode } from '@masthead/radius/packet'
import { packetMaker } from './load-packets.ts'
import type { LoadPacket } from './load-packets.ts'
import { LoadSessions } from './load-sessions.ts'
import type { LoadMix, LoadSession, LoadSim, Turn } from './load-sessions.ts'

export type LoadOptions = {
  target: { host: string; acct_port: number }
  secret: string
  /** NAS-Identifier and source address of the one gateway that sends. */
  gateway?: { name: string; address: string }
  sims: readonly LoadSim[]
  inFlight: number
  mix?: LoadMix
  /** Chance that an answered packet is sent once more, octet by octet. */
  duplicates?: number
  /** Chance that of two reports the newer is sent, and answered, first. */
  reordered?: number
  seed?: number
  /** Milliseconds after which an unanswered packet is sent again, and after which the whole run gives up. */
  retry_after?: number
  give_up_after?: number
}

/**
 * When a run ends: after so many packets (duplicates not counted) or seconds, or when the signal says so. `inFlight` may be less than the
 * load's; `rate` is the most packets per second.
 */
export type LoadLength = ({ count: number } | { seconds: number }) & { signal?: AbortSignal; inFlight?: number; rate?: number }

/** Times in milliseconds. `rate` is answered packets per second. `given_up` is above 0 when the server fell silent. */
export type LoadReport = {
  sent: number
  answered: number
  duplicates: number
  reordered: number
  retransmits: number
  strays: number
  given_up: number
  seconds: number
  rate: number
  latency: { p50: number; p99: number; max: number }
}

export type Load = {
  /** Sends until the run is over and every packet is answered or given up. Sessions go on in the next run. */
  run(length: LoadLength): Promise<LoadReport>
  /** Every session so far: what of it is promised, and what is in doubt. */
  sessions: readonly LoadSession[]
  /** Answers so far, in all runs. What is promised does not grow with the answer to a Start. */
  answered(): number
  close(): void
}

/** One load in one call; see `openLoad`. */
export async function sendLoad({ ...options }: LoadOptions & LoadLength): Promise<LoadReport & { sessions: readonly LoadSession[] }> {
  const load = await openLoad(options)
  try {
    return { ...(await load.run(options)), sessions: load.sessions }
  } finally {
    load.close()
  }
}

type Slot = {
  socket: Socket
  identifier: number
  turn: Turn | null
  packet: LoadPacket | null
  bytes: Buffer
  first: number
  last: number
  again: boolean
}

/** Keeps `inFlight` accounting packets of N SIMs before a server, as fast as it answers. Rejects when the address cannot be bound. */
export async function openLoad(options: LoadOptions): Promise<Load> {
  const { target, sims, inFlight, duplicates = 0, reordered = 0, retry_after = 2000, give_up_after = 15_000 } = options
  const secret = Buffer.from(options.secret)
  const gateway = options.gateway ?? { name: 'load', address: '127.0.0.1' }
  const make = packetMaker(gateway, secret)
  const dealer = new LoadSessions(sims, options.mix ?? { interims: 8 }, options.seed ?? 1, Date.now())
  const slots: Slot[] = []
  const sockets: Socket[] = []
  for (let opened = 0; opened < inFlight; opened += 256) {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
    const own = Array.from({ length: Math.min(256, inFlight - opened) }, (_, identifier): Slot => emptySlot(socket, identifier))
    socket.bind(0, gateway.address)
    await once(socket, 'listening')
    socket.connect(target.acct_port, target.host)
    await once(socket, 'connect')
    socket.on('error', () => {}) // refused while the server is away: the packet is sent again later
    socket.on('message', (reply) => receive(own, reply))
    sockets.push(socket)
    slots.push(...own)
  }
  const free = [...slots]
  let run: Run | null = null
  let answered = 0

  function receive(own: Slot[], bytes: Buffer) {
    const slot = own[bytes[1] ?? -1]
    const reply = slot?.packet ? decode(bytes) : 'nothing asked'
    if (!run) return
    if (
      !slot ||
      typeof reply === 'string' ||
      reply.code !== codes.accounting_response ||
      replyFault(reply, slot.bytes.subarray(4, 20), secret)
    ) {
      run.report.strays++
      return
    }
    const now = performance.now()
    run.latency.record(Math.max(1, Math.round((now - slot.first) * 1e6)))
    run.report.answered++
    answered++
    dealer.acknowledge(slot.turn!, slot.packet!)
    if (duplicates > 0 && !slot.again && dealer.chance() < duplicates) {
      run.report.duplicates++
      slot.again = true
      slot.first = slot.last = now
      slot.socket.send(slot.bytes)
    } else advance(slot, now)
  }

  /** Sends the next packet of the slot's turn, or frees the slot. */
  function advance(slot: Slot, now: number) {
    const packet = slot.turn!.packets.shift()
    if (packet) return send(slot, packet, now)
    dealer.done(slot.turn!)
    slot.turn = slot.packet = null
    free.push(slot)
    fill(now)
  }

  function send(slot: Slot, packet: LoadPacket, now: number) {
    slot.packet = packet
    slot.bytes = make(packet, slot.identifier)
    slot.first = slot.last = now
    slot.again = false
    run!.report.sent++
    slot.socket.send(slot.bytes)
  }

  function fill(now: number) {
    while (free.length > slots.length - run!.inFlight && run!.wantsMore(now) && run!.isDue(now)) {
      const turn = dealer.next(Date.now(), reordered)
      if (!turn) break
      if (turn.packets.length > 1) run!.report.reordered++
      const slot = free.pop()!
      slot.turn = turn
      send(slot, turn.packets.shift()!, now)
    }
    if (free.length === slots.length && (run!.isDue(now) || !run!.wantsMore(now))) run!.finish()
  }

  /** Sends again what waits too long. One packet nobody answers for long ends the run: what is in flight stays in doubt. */
  function lookAfter() {
    const now = performance.now()
    const waiting = slots.filter(({ packet }) => packet !== null)
    if (waiting.some(({ first }) => now - first >= give_up_after)) {
      run!.report.given_up = waiting.length
      for (const slot of waiting) slot.turn = slot.packet = null // their SIMs stay busy: nothing follows a doubt
      free.splice(0, free.length, ...slots)
      return run!.finish()
    }
    for (const slot of waiting) {
      if (now - slot.last < retry_after) continue
      slot.last = now
      run!.report.retransmits++
      slot.socket.send(slot.bytes)
    }
    fill(now)
  }

  return {
    sessions: dealer.sessions,
    answered: () => answered,
    async run(length) {
      const begun = performance.now()
      const timer = setInterval(lookAfter, length.rate === undefined ? Math.max(5, retry_after / 8) : 2)
      const over = new Promise<void>((finish) => (run = newRun({ inFlight, ...length }, begun, finish)))
      fill(begun)
      await over
      clearInterval(timer)
      const report = closed(run!, (performance.now() - begun) / 1000)
      run = null
      return report
    },
    close() {
      for (const socket of sockets) socket.close()
    },
  }
}

const emptySlot = (socket: Socket, identifier: number): Slot => ({
  socket,
  identifier,
  turn: null,
  packet: null,
  bytes: Buffer.alloc(0),
  first: 0,
  last: 0,
  again: false,
})

type Counts = Omit<LoadReport, 'seconds' | 'rate' | 'latency'>
type Run = {
  report: Counts
  latency: ReturnType<typeof createHistogram>
  inFlight: number
  wantsMore(now: number): boolean
  /** Whether the rate allows another. */
  isDue(now: number): boolean
  finish(): void
}

function newRun(length: LoadLength & { inFlight: number }, begun: number, finish: () => void): Run {
  const report: Counts = { sent: 0, answered: 0, duplicates: 0, reordered: 0, retransmits: 0, strays: 0, given_up: 0 }
  return {
    report,
    latency: createHistogram(),
    inFlight: length.inFlight,
    finish,
    isDue: (now) => report.sent < ((length.rate ?? Infinity) * Math.max(1, now - begun)) / 1000,
    wantsMore: (now) => !length.signal?.aborted && ('count' in length ? report.sent < length.count : now - begun < length.seconds * 1000),
  }
}

function closed({ report, latency }: Run, seconds: number): LoadReport {
  const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e3) / 1e3
  return {
    ...report,
    seconds,
    rate: Math.round(report.answered / seconds),
    latency: { p50: ms(latency.percentile(50)), p99: ms(latency.percentile(99)), max: ms(latency.max) },
  }
}
