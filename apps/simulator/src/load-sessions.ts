import type { LoadPacket, LoadStatus } from './load-packets.ts'
import { seededRandom } from './random.ts'

export type LoadSim = { imsi: string; msisdn?: string }

/** One session of a load. Octets are cumulative, as its packets carried them. */
export type LoadSession = {
  session_id: string
  imsi: string
  /** The highest counters in a packet that was answered: these are promised. */
  acknowledged_input: number
  acknowledged_output: number
  /** The highest counters in a packet that was sent: what is above the acknowledged ones is in doubt. */
  sent_input: number
  sent_output: number
  /** Whether any of its packets was answered, and whether its Stop was. */
  known: boolean
  stopped: boolean
}

export type LoadMix = { /** Reports between Start and Stop. */ interims: number }

type Life = { sim: LoadSim; session: LoadSession | null; interims: number; seconds: number; isBusy: boolean }
export type Turn = { life: Life; session: LoadSession; packets: LoadPacket[] }

const secondsPerReport = 300

/**
 * Deals out what N SIMs send next, in turn; a SIM has one turn at a time. In the first round all start a session; first
 * sessions differ in length, so that from then on Start, Interim and Stop are mixed.
 */
export class LoadSessions {
  readonly sessions: LoadSession[] = []
  readonly #lives: Life[]
  readonly #mix: LoadMix
  readonly #prefix: string
  readonly #random
  #cursor = 0

  constructor(sims: readonly LoadSim[], mix: LoadMix, seed: number, now: number) {
    this.#lives = sims.map((sim) => ({ sim, session: null, interims: 0, seconds: 0, isBusy: false }))
    this.#mix = mix
    // Milliseconds: two loads from one gateway must not share session ids.
    this.#prefix = (now % 2 ** 32).toString(16).padStart(8, '0')
    this.#random = seededRandom(seed)
  }

  /** The next SIM's turn, or null when every SIM has one. `reordered`: the chance that two reports change places. */
  next(now: number, reordered: number): Turn | null {
    const life = this.#nextIdle()
    if (!life) return null
    life.isBusy = true
    if (!life.session) {
      life.session = this.#begin(life)
      return { life, session: life.session, packets: [this.#packet(life, 'start', now)] }
    }
    const { session } = life
    if (life.interims === 0) {
      const packets = [this.#packet(life, 'stop', now)]
      life.session = null
      return { life, session, packets }
    }
    life.interims--
    const packets = [this.#packet(life, 'interim', now)]
    if (life.interims > 0 && reordered > 0 && this.#random.next() < reordered) {
      life.interims--
      packets.unshift(this.#packet(life, 'interim', now))
    }
    return { life, session, packets }
  }

  /** A packet was answered. */
  acknowledge({ session }: Turn, { input, output, status }: LoadPacket): void {
    session.known = true
    session.stopped ||= status === 'stop'
    session.acknowledged_input = Math.max(session.acknowledged_input, input)
    session.acknowledged_output = Math.max(session.acknowledged_output, output)
  }

  /** All packets of a turn were answered: its SIM may have another. */
  done({ life }: Turn): void {
    life.isBusy = false
  }

  chance(): number {
    return this.#random.next()
  }

  #nextIdle(): Life | null {
    for (let tried = 0; tried < this.#lives.length; tried++) {
      const life = this.#lives[this.#cursor]!
      this.#cursor = (this.#cursor + 1) % this.#lives.length
      if (!life.isBusy) return life
    }
    return null
  }

  #begin(life: Life): LoadSession {
    const session_id = this.#prefix + this.sessions.length.toString(16).padStart(8, '0')
    const isFirst = life.seconds === 0
    life.interims = isFirst ? this.#random.whole(0, this.#mix.interims) : this.#mix.interims
    life.seconds = -secondsPerReport
    const session: LoadSession = {
      session_id,
      imsi: life.sim.imsi,
      acknowledged_input: 0,
      acknowledged_output: 0,
      sent_input: 0,
      sent_output: 0,
      known: false,
      stopped: false,
    }
    this.sessions.push(session)
    return session
  }

  #packet(life: Life, status: LoadStatus, now: number): LoadPacket {
    const session = life.session!
    life.seconds += secondsPerReport
    if (status !== 'start') {
      session.sent_input += this.#random.whole(0, 50_000)
      // Now and then more than 32 bits can count, so that gigawords are never forgotten.
      session.sent_output += this.#random.whole(0, 1000) === 0 ? 3e9 : this.#random.whole(0, 200_000)
    }
    return {
      status,
      session_id: session.session_id,
      imsi: life.sim.imsi,
      msisdn: life.sim.msisdn ?? '',
      input: session.sent_input,
      output: session.sent_output,
      session_time: life.seconds,
      event_timestamp: Math.floor(now / 1000),
    }
  }
}
