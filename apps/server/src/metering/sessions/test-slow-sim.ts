import type { Received } from './test-slow-gateways.ts'
import { SlowMeter, SlowSession, type Reading } from './test-slow-meter.ts'

/** A SIM as one account had it for a time: registered anew it is another. */
export class SlowSim {
  isHere = true
  isServed = true
  counted: [up: bigint, down: bigint] = [0n, 0n]
  sessions: SlowSession[] = []
  fed: { feed: number; to: number } | null = null
  readonly registered: number
  constructor(registered: number) {
    this.registered = registered
  }
  isOpen = () => this.sessions.some((session) => session.closed === null)
  count([up, down]: readonly [bigint, bigint]) {
    this.counted = [this.counted[0] + up, this.counted[1] + down]
  }
}

/** The IMSI that a packet names, whoever has it. */
export const imsiOf = ({ card, by }: Received) => (by === 'imsi' || by === 'unknown imsi' ? `${by} ${card}` : null)

/** `imsi`: what the first packet of a session named. */
export const isAnotherImsi = (imsi: string | null, received: Received) => imsi !== null && ![null, imsi].includes(imsiOf(received))

/** Whether it would move the session, as tried on a copy: what is late, a duplicate or a start of it would not. */
export function wouldCount({ fastest, session }: SlowMeter, reading: Reading): boolean {
  const meter = new SlowMeter(fastest)
  meter.session = Object.assign(Object.create(SlowSession.prototype) as SlowSession, session, { stands: [...session!.stands] })
  return !['late', 'duplicate', 'known'].includes(meter.receive(reading).what)
}
