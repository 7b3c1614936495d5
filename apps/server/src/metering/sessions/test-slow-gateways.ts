import type { Rows } from './test-rows.ts'
import { imsiOf, isAnotherImsi, SlowSim, wouldCount } from './test-slow-sim.ts'
import { SlowMeter, SlowSession, type Reading } from './test-slow-meter.ts'

/**
 * The rows of edges §3 that one session's packets do not decide alone, once more and slowly: which gateway and name, whose SIM, which feed, and what is
 * cut. Written from that page and decision 5, of nothing the meter has; what one session counts is `SlowMeter`'s. Times are milliseconds.
 */
const [minute, day] = [60_000, 86_400_000]

export type By = 'imsi' | 'number' | 'name' | 'unknown imsi' | 'unknown number' | 'nothing'
/** Where a packet is received, and whom it names. */
export type Received = { gateway: number; nas: number; id: number; card: number; by: By; reading: Reading }
export type SlowRecord = { feed: number; id: string; card: number; from: number; to: number; bytes: number }

/** What a gateway calls a session, and the one that has the name now. `job`: a cut that was asked for and not tried yet. */
export type SlowKey = {
  gateway: number
  nas: number
  id: number
  meter: SlowMeter
  sim: SlowSim
  imsi: string | null
  cause: string | null
  asked: number | null
  job: { was_closed: boolean } | null
}
type Name = Pick<SlowKey, 'gateway' | 'nas' | 'id'>

type World = { added: readonly number[]; cards: readonly SlowSim[]; fastest: number; kept_since: number; rows: Rows }

const second = (ms: number) => Math.floor(ms / 1000) * 1000
const began = ({ at, time }: Reading) => at - (time ?? 0) * 1000

export class SlowGateways {
  keys: SlowKey[] = []
  begun = 0
  /** Packets in quarantine, by what can be done about them. */
  quarantined = { unknown: 0, elsewhere: 0, uncounted: 0 }
  readonly cards: SlowSim[]
  readonly #world: World
  #records = new Set<string>()
  #going: SlowKey[] = []

  constructor(world: World) {
    this.#world = world
    this.cards = [...world.cards]
  }

  note = (row: string) => void this.#world.rows.add(row)
  find = ({ gateway, nas, id }: Name) => this.keys.find((key) => key.gateway === gateway && key.nas === nas && key.id === id)

  /** The SIM that a packet names: by its IMSI, else its number, else the IMSI in its name. One that nobody has is not overruled by another. */
  #named({ card, by }: Received): SlowSim | null {
    const sim = this.cards[card]!
    if (by === 'unknown imsi' || by === 'nothing' || !sim.isHere) return null
    if (by !== 'imsi') this.note(`known by ${by === 'number' ? 'its number' : 'the IMSI in its name'}`)
    return sim
  }

  receive(received: Received) {
    const { reading } = received
    const key = this.find(received)
    const session = key?.meter.session
    if (!key || !session) {
      if (began(reading) <= this.#world.kept_since) return this.#set('unknown', 'unknown: began before what is kept')
      const sim = this.#named(received)
      if (!sim) return this.#set('unknown', received.by === 'unknown imsi' ? 'unknown: an IMSI that nobody has' : 'unknown: of nobody')
      if (this.#isElsewhere(received, sim)) return this.#set('elsewhere', 'open at another gateway')
      return this.#begin(received, sim)
    }
    const { closed } = session
    const isFirst = reading.kind === 'start' && !reading.time
    const isAfter = (isFirst || (reading.time !== null && closed !== null)) && began(reading) > (closed?.at ?? session.last().at)
    const isAnew = session.usedAgain(reading)
    const goesOn = closed !== null && closed.lives !== null && reading.at > closed.lives
    const asks = isAfter || isAnew || goesOn
    const sim = asks ? this.#named(received) : null
    if (asks && !sim) {
      if (goesOn && !key.sim.isHere) this.note('goes on after its SIM was released')
      const isOfNobody = (isAnew || (isAfter && closed !== null)) && received.by !== 'nothing'
      const hasLeft = closed !== null && !key.sim.isHere
      if (hasLeft && reading.kind !== 'stop') this.#going.push(key)
      if (isOfNobody || hasLeft) return this.#set('unknown', 'used again: of nobody')
      this.note('used again, or going on: no SIM is named')
    }
    const isAnothers = sim !== null && sim !== key.sim
    if ((closed !== null || isAnothers) && this.#isElsewhere(received, sim ?? key.sim)) {
      return this.#set(
        'elsewhere',
        closed === null ? 'open at another gateway: another SIM’s id' : 'open at another gateway: an id that is over'
      )
    }
    if (isAnothers) {
      this.note(
        closed === null
          ? 'another SIM: its start ends an open session'
          : goesOn && !isAfter
            ? 'another SIM: goes on'
            : 'another SIM: began after the close'
      )
      return this.#begin(received, sim, key)
    }
    const isNamed = isAnotherImsi(key.imsi, received) && this.#named(received) !== key.sim
    if (isNamed && wouldCount(key.meter, reading)) return this.#set('unknown', 'another SIM: while the session is its own')
    if (isAnew && this.#wasElsewhere(received, key.sim)) return this.#set('elsewhere', 'over at another gateway: an id used again')
    const before = closed && { ...closed }
    // What a feed counted since a session was over is not counted again when it goes on, or another one is found to have begun.
    const fed = closed !== null && key.sim.isHere ? key.sim.fed : null
    const isAgain = fed === null || began(reading) >= fed.to
    const isBehind = fed !== null && fed.to > session.last().at
    const { counted, what } = key.meter.receive(reading, true, isAgain)
    const isLeft = what === 'begun anew' ? !isAgain : isBehind && counted[0] + counted[1] > 0n
    if (isLeft) this.note(`a baseline: ${what === 'begun anew' ? 'another session' : 'it went on'} while a feed counted`)
    if (isLeft && what !== 'begun anew') session.leaveOut(counted)
    else key.sim.count(counted)
    if (what === 'begun anew') this.#replace(key, session, received)
    this.#close(key, reading, before)
    if (what === 'impossible' || isLeft) this.#setAside(key)
    if (reading.kind !== 'stop') this.#going.push(key)
  }

  /** A session begins: of `sim`, under a key that another one had or under a new one. */
  #begin(received: Received, sim: SlowSim, key?: SlowKey) {
    const { reading, gateway, nas, id } = received
    const { fastest, rows, added } = this.#world
    const reason =
      began(reading) < second(added[gateway]!)
        ? 'before its gateway was added'
        : began(reading) < second(sim.registered)
          ? 'before its SIM was registered'
          : sim.fed && began(reading) < sim.fed.to
            ? 'while a feed counted'
            : null
    if (reason) this.note(`a baseline: began ${reason}`)
    else if (this.#wasElsewhere(received, sim)) return this.#set('elsewhere', 'over at another gateway: it began before that')
    const last = key?.meter.session
    const over = last ? (last.closed?.at ?? last.last().at) : null
    const before = over === null ? null : Math.max(over, began(reading) - (reading.kind === 'start' ? 1 : 2000))
    if (last) last.closed ??= { at: last.last().at, lives: null }
    const { session, counted, what } = SlowSession.begin(reading, fastest, { before, ours: reason === null, rows })
    sim.count(counted)
    sim.sessions.push(session)
    this.begun++
    const meter = new SlowMeter(fastest, rows)
    meter.session = session
    if (key) this.keys.splice(this.keys.indexOf(key), 1)
    const made: SlowKey = {
      gateway,
      nas,
      id,
      meter,
      sim,
      imsi: imsiOf(received),
      cause: session.closed && 'User request',
      asked: null,
      job: null,
    }
    this.keys.push(made)
    if (reason || what === 'impossible') this.#setAside(made)
    if (reading.kind !== 'stop') this.#going.push(made)
  }

  /** The same SIM has the key, by another session. */
  #replace(key: SlowKey, last: SlowSession, received: Received) {
    last.closed ??= { at: last.last().at, lives: null }
    key.sim.sessions.push(key.meter.session!)
    // What it was asked to be cut for is of the session before.
    this.#going = this.#going.filter((each) => each !== key)
    this.begun++
    Object.assign(key, { imsi: imsiOf(received), asked: null, job: null, cause: received.reading.kind === 'stop' ? 'User request' : null })
  }

  #close(key: SlowKey, { kind }: Reading, before: SlowSession['closed']) {
    const { closed } = key.meter.session!
    if (closed === null) {
      if (before && key.cause) this.note(`live again: ${key.cause}`)
      key.cause = null
    } else if (kind === 'stop') key.cause ??= 'User request'
  }

  #set(kind: 'unknown' | 'elsewhere', row: string) {
    this.quarantined[kind]++
    this.note(row)
  }

  #setAside({ meter: { session } }: SlowKey) {
    const { uncounted, odd } = session!
    if (uncounted[0] + uncounted[1] + (odd ? odd.would[0] + odd.would[1] : 0n) > 0n) this.quarantined.uncounted++
  }

  #others = ({ gateway, nas, id }: Name, sim: SlowSim) =>
    this.keys.filter((key) => key.gateway !== gateway && key.nas === nas && key.id === id && key.sim === sim)
  #isElsewhere = (of: Name, sim: SlowSim) => this.#others(of, sim).some(({ meter }) => !meter.session!.closed)
  /** What begins here began before it was over there: it is one session. */
  #wasElsewhere = (of: Received, sim: SlowSim) =>
    this.#others(of, sim).some(({ meter }) => began(of.reading) <= (meter.session!.closed?.at ?? -Infinity))

  /** What a batch brought has been counted at this time: what goes on without service is to be cut, each session once in 30 s. */
  askForCuts(now: number) {
    for (const key of new Set(this.#going)) {
      if (!this.keys.includes(key) || (key.sim.isHere && key.sim.isServed)) continue
      if (key.asked !== null && Math.abs(now - key.asked) < minute / 2) {
        this.note('a cut: not again within 30 s')
        continue
      }
      const was_closed = key.meter.session!.closed !== null
      this.note(`a cut: ${!key.sim.isHere ? 'its SIM was released' : was_closed ? 'of one believed closed, or stopped' : 'of an open one'}`)
      key.asked = now
      // One that waits is tried at once; of a closed session it is another.
      if (was_closed || !key.job) key.job = { was_closed }
    }
    this.#going = []
  }

  /** The gateway confirms what it was asked for. */
  confirm(key: SlowKey, now: number) {
    const { job, sim, meter } = key
    const session = meter.session!
    key.job = null
    if (!job || (sim.isHere && sim.isServed) || (session.closed && !job.was_closed)) return
    const lives = now + minute
    if (!session.closed) {
      session.closed = { at: Math.max(now, session.last().at), lives }
      key.cause = 'Cut by Masthead'
      if (key.asked === null || key.asked <= now - minute / 2) key.asked = now
    } else if (session.closed.lives !== null && sim.isHere) session.closed = { ...session.closed, lives }
  }

  /** Accounting-On or -Off. */
  restart(of: Omit<Name, 'id'>, kind: 'on' | 'off', at: number) {
    for (const key of this.keys) {
      const session = key.meter.session!
      if (session.closed) continue
      if (key.gateway === of.gateway && key.nas === of.nas) {
        session.restarted(at)
        if (session.closed) key.cause = kind === 'on' ? 'Gateway restarted' : 'Gateway shut down'
        if (session.closed) this.note(`${kind}: closes`)
      } else this.note(`${kind}: leaves ${key.gateway === of.gateway ? 'another name of the gateway' : 'another gateway'}`)
    }
  }

  /** Nothing was received for more than a day. */
  closeSilent(now: number) {
    for (const key of this.keys) {
      const session = key.meter.session!
      const { at, arrival } = session.last()
      if (session.closed || arrival >= now - 26 * 60 * minute) continue
      session.closed = { at, lives: at }
      key.cause = 'Lost stop'
      this.note('silence closes')
    }
  }

  /** False while one of its sessions is open. */
  release(card: number): boolean {
    const sim = this.cards[card]!
    if (sim.isOpen()) return false
    sim.isHere = false
    this.note('released')
    return true
  }

  register = (card: number, at: number) => (this.cards[card] = new SlowSim(at))

  /** A record of a feed: a gateway's sessions come first, then the feed that counted for the SIM. */
  takeRecord({ feed, id, card, from, to, bytes }: SlowRecord): 'counted' | 'compared' | 'quarantined' | 'duplicates' {
    const sim = this.cards[card]!
    const is = this.#judgeRecord({ feed, id, from, to }, sim)
    this.note(`a record: ${is}`)
    if (is === 'counted') {
      sim.count([BigInt(bytes), 0n])
      this.begun++
      sim.fed = { feed, to: sim.fed?.feed === feed ? Math.max(sim.fed.to, to) : to }
    }
    if (is === 'quarantined' && sim.isHere) {
      this.begun++
      if (bytes > 0) this.quarantined.uncounted++
    } else if (is === 'quarantined') this.quarantined.unknown++
    return is
  }

  #judgeRecord({ feed, id, from, to }: Omit<SlowRecord, 'card' | 'bytes'>, sim: SlowSim) {
    if (this.#records.has(`${feed} ${id}`)) return 'duplicates'
    this.#records.add(`${feed} ${id}`)
    if (!sim.isHere) return 'quarantined'
    // It was open when it began, also where a clock that was set back has its end before that.
    const isNear = ({ started, closed }: SlowSession) => started <= to + day && Math.max(started, closed?.at ?? Infinity) >= from - 7 * day
    if (sim.sessions.some(isNear)) return 'compared'
    if (sim.fed && sim.fed.feed !== feed) {
      const isSilent = sim.fed.to < from - 7 * day
      this.note(`a record: another feed ${isSilent ? 'has been silent for 7 days' : 'counts'}`)
      if (!isSilent) return 'compared'
    }
    return from < second(sim.registered) ? 'quarantined' : 'counted'
  }
}
