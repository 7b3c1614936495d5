import type { Agenda, Appointment } from './agenda.ts'
import type { Gateway } from './gateway.ts'
import type { SimPlan } from './network-plan.ts'
import { patterns, trafficOf } from './pattern.ts'
import type { Pattern } from './pattern.ts'
import type { Random } from './random.ts'
import type { Cause, Device, Octets, Session } from './session.ts'

/** What a subscriber needs of the network it lives in. */
export type Surroundings = {
  agenda: Agenda
  /** Simulated seconds per second. */
  speed: number
  /** The simulated moment, milliseconds since 1970. */
  simulatedNow(): number
  gatewayFor(sim: SimPlan, mccmnc: string): Gateway
}

const minute = 60_000
// Real milliseconds: however fast the simulation, a gateway does not report or ask more often than this.
const shortestInterim = 2000
const shortestRetry = 5000
// Simulated seconds, where the server named none.
const usualInterim = 600

/** One SIM that lives by its pattern: comes in, moves bytes, roams, leaves, and takes no for an answer. */
export class Subscriber {
  readonly sim: SimPlan
  state: 'resting' | 'attaching' | 'online' = 'resting'
  session: Session | null = null
  /** The words of the last Access-Reject; null once it was let in. */
  rejectedWith: string | null = null
  attempts = 0
  /** All the octets that were acknowledged, over all its sessions. */
  readonly acknowledged: Octets = { input: 0, output: 0 }
  readonly #pattern: Pattern
  readonly #daily: number
  readonly #around: Surroundings
  readonly #random: Random
  readonly #framed_ip: string
  #leg = 0
  #refusals = 0
  #firstOnline = 0
  #countedTo = 0
  #leaveAt = 0
  #roamAt = 0
  #timeoutAt = 0
  #next: Appointment | null = null
  #lastStop: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(sim: SimPlan, framed_ip: string, around: Surroundings, random: Random) {
    this.sim = sim
    this.#pattern = patterns[sim.pattern]
    this.#daily = sim.daily_bytes ?? this.#pattern.daily_bytes
    this.#around = around
    this.#random = random
    this.#framed_ip = framed_ip
  }

  /** Begins to live; those that want service at once come in over the given real milliseconds. */
  begin(within: number): void {
    const rest = this.#pattern.rest(this.#around.simulatedNow(), this.#random) / this.#around.speed
    this.#in(rest + this.#random.between(0, within), () => void this.#attach())
  }

  /** Ends what it does for good. Resolves when its last Stop was answered. */
  async end(cause: Cause): Promise<void> {
    this.#isOver = true
    this.#next?.cancel()
    this.#leave(cause)
    await this.#lastStop
  }

  #in(ms: number, run: () => void) {
    this.#next?.cancel()
    if (!this.#isOver && ms !== Infinity) this.#next = this.#around.agenda.in(ms, run)
  }

  #attachIn(simulated: number) {
    this.#in(simulated / this.#around.speed, () => void this.#attach())
  }

  #visited() {
    return this.sim.route[this.#leg % this.sim.route.length]!
  }

  async #attach(): Promise<void> {
    this.state = 'attaching'
    this.attempts++
    const visited = this.#visited()
    const gateway = this.#around.gatewayFor(this.sim, visited.mccmnc)
    const device: Device = { ...this.sim, visited, area: this.#random.whole(1, 65_000), cell: this.#random.whole(256, 2 ** 28 - 1) }
    const answer = await gateway.authorise(device, this.#framed_ip)
    if (this.#isOver) return
    if (answer.kind !== 'accepted') {
      this.state = 'resting'
      if (answer.kind === 'rejected') this.rejectedWith = answer.words
      this.#tryAgain()
      return
    }
    this.#refusals = 0
    this.rejectedWith = null
    this.state = 'online'
    const now = this.#around.simulatedNow()
    this.session = gateway.open(device, answer.grant, { onCut: () => this.#cut(), total: this.acknowledged })
    this.#firstOnline ||= now
    this.#countedTo = now
    this.#leaveAt = now + this.#pattern.stay(this.#random)
    this.#timeoutAt = now + (answer.grant.session_timeout ?? Infinity) * 1000
    this.#roamAt = this.sim.route.length > 1 ? now + this.#pattern.roam(this.#random) : Infinity
    // The first report comes at a moment of its own, or all that began together would report together for ever.
    this.#wait(this.#random.between(0.3, 1))
  }

  /** Backs off: a minute, then twice as long each time up to an hour, never quite the same. */
  #tryAgain() {
    const backOff = Math.min(minute * 2 ** this.#refusals++, 60 * minute) * this.#random.between(0.75, 1.25)
    this.#in(Math.max(backOff / this.#around.speed, shortestRetry * this.#random.between(1, 1.5)), () => void this.#attach())
  }

  /** Waits for whatever comes next of report, roaming, end of stay and end of what was granted. */
  #wait(part = 1) {
    const { speed } = this.#around
    const now = this.#around.simulatedNow()
    const interim = (this.session!.interim_interval ?? usualInterim) * 1000
    const events = [this.#leaveAt, this.#roamAt, this.#timeoutAt].map((at) => Math.max(0, at - now) / speed)
    this.#in(Math.min(Math.max(shortestInterim, (interim / speed) * part), ...events), () => this.#step())
  }

  #step() {
    const session = this.session!
    const now = this.#around.simulatedNow()
    // What a division rounded off must not cost another round.
    const isDue = (at: number) => at - now < this.#around.speed
    if (isDue(this.#timeoutAt)) {
      this.#leave('Session-Timeout')
      this.#in(shortestInterim, () => void this.#attach())
    } else if (isDue(this.#roamAt)) {
      this.#leg++
      this.#leave('Lost-Carrier')
      this.#attachIn(this.#random.between(0.3, 1.5) * minute)
    } else if (isDue(this.#leaveAt)) {
      this.#leave('User-Request')
      this.#attachIn(this.#pattern.rest(now, this.#random))
    } else {
      this.#count()
      void session.report()
      this.#wait()
    }
  }

  #count() {
    const now = this.#around.simulatedNow()
    const span = { from: this.#countedTo, to: now, age: now - this.#firstOnline, daily_bytes: this.#daily }
    this.session?.count(trafficOf(this.#pattern, span, this.#random))
    this.#countedTo = now
  }

  /** The server had the session ended: the device notices and tries again before long. */
  #cut() {
    this.#leave('Admin-Reset')
    this.#attachIn(this.#random.between(1, 3) * minute)
  }

  #leave(cause: Cause) {
    if (!this.session) return
    this.#count()
    this.#lastStop = this.session.stop(cause)
    this.session = null
    this.state = 'resting'
  }
}
