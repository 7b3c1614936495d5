/**
 * The tables of edges §3 once more, written from that page as plainly as they can be said: a session is the list of what it was given, the rows are
 * asked in turn, and bytes are BigInt. Slow, and of nothing the meter has. Times are milliseconds, session times seconds.
 */
export type Reading = {
  kind: 'start' | 'interim' | 'stop'
  at: number
  timed: boolean
  arrival: number
  time: number | null
  up: number
  down: number
  wide: boolean
}
type Bytes = readonly [up: bigint, down: bigint]
type Verdict = { counted: Bytes; what: string }

/** What is left out is kept up to here. */
const most = (left: bigint) => (left > 2n ** 53n - 1n ? 2n ** 53n - 1n : left)
const none: Bytes = [0n, 0n]
const wrap = 2n ** 32n
const bytes = ({ up, down }: Reading): Bytes => [BigInt(up), BigInt(down)]
const minus = (a: Bytes, b: Bytes): Bytes => [a[0] - b[0], a[1] - b[1]]
const began = ({ at, time }: Reading) => at - (time ?? 0) * 1000
/** A Start has lasted for no time. */
const lasted = ({ kind, time }: Reading) => time ?? (kind === 'start' ? 0 : null)
const isUntimed = ({ time, timed }: Reading) => time === null && !timed

export class SlowSession {
  /** What counted, oldest first, as the next one is compared with it. */
  stands: { at: number; arrival: number; time: number | null; bytes: Bytes; wide: boolean }[] = []
  closed: { at: number; lives: number | null } | null = null
  odd: { reading: Reading; would: Bytes } | null = null
  uncounted: Bytes = none
  readonly started: number
  /** Up to when what is reported is of the session that had the id before. */
  readonly before: number | null
  readonly fastest: number
  /** The rows of the page that something fell under, in its words. */
  readonly rows: Set<string>

  constructor(first: Reading, before: number | null, fastest: number, rows: Set<string>) {
    this.started = began(first)
    this.before = before
    this.fastest = fastest
    this.rows = rows
  }

  last = () => this.stands.at(-1)!
  times = () => this.stands.flatMap(({ time }) => time ?? []).at(-1) ?? null

  /** A session begins, with what its first packet brings, or with nothing where that cannot be, or where it is from before our time. */
  static begin(
    first: Reading,
    fastest: number,
    { before = null, ours = true, rows }: { before?: number | null; ours?: boolean; rows: Set<string> }
  ) {
    const session = new SlowSession(first, before, fastest, rows)
    const can = BigInt(Math.floor(fastest === Infinity ? 2 ** 60 : Math.max(60, Math.min(lasted(first) ?? 86_400, 86_400)) * fastest))
    const brings = bytes(first)
    if (first.kind === 'stop') session.closed = { at: first.at, lives: null }
    if (!ours || (brings[0] <= can && brings[1] <= can)) {
      session.stand(first, brings)
      rows.add(ours ? 'unknown: the session begins here' : 'unknown: began before our time')
      if (!ours) session.uncounted = brings
      return { session, counted: ours ? brings : none, what: ours ? 'begun' : 'baseline' }
    }
    const since = Math.max(began(first), first.arrival - 86_400_000)
    session.stands = [{ at: since, arrival: since, time: first.time === null ? null : 0, bytes: none, wide: false }]
    session.odd = { reading: first, would: brings }
    rows.add(
      lasted(first) === null ? 'impossible: a first packet, more than a day' : 'impossible: a first packet, more than its session time'
    )
    return { session, counted: none, what: 'impossible' }
  }

  leaveOut([up, down]: Bytes) {
    this.uncounted = [most(this.uncounted[0] + up), most(this.uncounted[1] + down)]
  }

  stand(reading: Reading, now: Bytes) {
    const { at, arrival } = reading
    const before = this.stands.at(-1)
    const event = before && isUntimed(reading) ? Math.max(before.at, at) : at
    this.stands.push({
      at: event,
      arrival: Math.max(before?.arrival ?? arrival, arrival),
      time: lasted(reading),
      bytes: now,
      wide: reading.wide,
    })
    this.odd = null
  }

  /** A session time that moved by a day more than passed says nothing, nor one a day below a kept one that cannot have been. */
  readTime(reading: Reading): Reading {
    const highest = this.times()
    if (reading.time === null || highest === null || reading.kind === 'start') return reading
    const passed = Math.max(0, reading.arrival - this.last().arrival, reading.at - this.last().at)
    const isAbove = (reading.time - highest) * 1000 > passed + 86_400_000
    const isKeptAbove = (highest - reading.time) * 1000 > 86_400_000 && reading.at > this.last().at
    if (!isAbove && !isKeptAbove) return reading
    this.rows.add(isAbove ? 'a session time that cannot be' : 'a kept session time that cannot be')
    return { ...reading, time: null }
  }

  usedAgain(reading: Reading): boolean {
    const time = lasted(reading)
    if (reading.kind === 'start' && time === 0 && this.closed && reading.at > this.closed.at) {
      this.rows.add('used again: a start after the close')
      return true
    }
    const highest = this.times()
    if (time === null || highest === null || !reading.timed || time >= highest) return false
    const isAnew = reading.at - time * 1000 - 2000 > this.last().at && reading.at - time * 1000 - 2000 > this.started
    if (isAnew) this.rows.add('used again: a lower session time, begun after the kept event time')
    return isAnew
  }

  /** Seconds that usage since then may have taken. */
  between(since: { at: number; arrival: number }, sinceTime: number | null, reading: Reading): number {
    const arrivals = (reading.arrival - since.arrival) / 1000
    const moved = reading.time !== null ? reading.time - (sinceTime ?? 0) : reading.timed ? (reading.at - since.at) / 1000 : Infinity
    const bounds = { 'a day': 86_400, 'the session time moved': moved, 'the time since last seen': arrivals }
    const [[least, seconds] = ['', 0]] = Object.entries(bounds).toSorted(([, a], [, b]) => a - b)
    this.bound = seconds < 60 ? 'a minute' : least
    return Math.max(60, seconds)
  }
  /** What bounded a delta last. */
  bound = ''

  canBe = (counted: Bytes, seconds: number) => this.fastest === Infinity || counted.every((each) => Number(each) <= seconds * this.fastest)

  /** A packet of this session, for one that is not of an id used again. */
  receive(reading: Reading): Verdict {
    if (reading.kind === 'start') {
      this.rows.add('a start otherwise')
      return { counted: none, what: 'known' }
    }
    const { name, ...row } = this.row(reading)
    this.rows.add(name)
    if (row.what === 'late') return row
    const verdict = this.doubt(reading, row)
    this.state(reading, verdict)
    return verdict
  }

  doubt(reading: Reading, row: Verdict & { now?: Bytes }): Verdict {
    if (row.what === 'duplicate') return row
    const isOddAgain =
      this.odd !== null &&
      this.odd.reading.up === reading.up &&
      this.odd.reading.down === reading.down &&
      lasted(this.odd.reading) === reading.time &&
      (reading.time !== null || !reading.timed || this.odd.reading.at === reading.at)
    if (!isOddAgain && this.canBe(row.counted, this.between(this.last(), this.times(), reading))) {
      this.stand(reading, row.now ?? bytes(reading))
      return row
    }
    this.rows.add(isOddAgain ? 'impossible: once more' : `impossible: more than ${this.bound}`)
    return this.impossible(reading, row.counted)
  }

  impossible(reading: Reading, would: Bytes): Verdict {
    const { odd } = this
    if (odd && reading.kind !== 'start') {
      const more = minus(bytes(reading), bytes(odd.reading))
      const oddTime = lasted(odd.reading)
      const isNewer = isUntimed(reading)
        ? more[0] + more[1] > 0n
        : reading.time !== null && oddTime !== null
          ? reading.time > oddTime
          : reading.at > odd.reading.at
      if (more[0] >= 0n && more[1] >= 0n && isNewer && this.canBe(more, this.between(odd.reading, oddTime, reading))) {
        this.leaveOut(odd.would)
        const wide = this.stands.some((each) => each.wide) || odd.reading.wide
        this.stands.push({ at: odd.reading.at, arrival: odd.reading.arrival, time: oddTime, bytes: bytes(odd.reading), wide })
        this.stand(reading, bytes(reading))
        this.rows.add('impossible, and the next one goes on from it')
        return { counted: more, what: 'rebased' }
      }
    }
    this.odd = { reading, would }
    return { counted: none, what: 'impossible' }
  }

  /** First row that fits. */
  row(reading: Reading): Verdict & { name: string; now?: Bytes } {
    const last = this.last()
    const now = bytes(reading)
    const more = minus(now, last.bytes)
    const [up, down] = more
    const isEqual = up === 0n && down === 0n
    const isLower = up < 0n || down < 0n
    if (isUntimed(reading)) {
      if (isEqual) return { counted: none, what: this.closed ? 'duplicate' : 'counted', name: 'untimed: equal' }
      const exceeds: Bytes = [up > 0n ? up : 0n, down > 0n ? down : 0n]
      if (exceeds[0] + exceeds[1] === 0n) return { counted: none, what: 'late', name: 'untimed: lower' }
      return { counted: exceeds, what: 'counted', now: [last.bytes[0] + exceeds[0], last.bytes[1] + exceeds[1]], name: 'untimed: more' }
    }
    const highest = this.times()
    const moved = reading.time !== null && highest !== null ? reading.time - highest : null
    const by = moved === null ? 'event time' : 'session time'
    const [older, same] = moved === null ? [reading.at < last.at, reading.at === last.at] : [moved < 0, moved === 0]
    if (older) return { counted: none, what: 'late', name: `an earlier ${by}` }
    if (same && isEqual) return { counted: none, what: 'duplicate', name: `the same ${by}, equal counters` }
    if (same && isLower) return { counted: none, what: 'late', name: `the same ${by}, lower counters` }
    if (same) return { counted: more, what: 'counted', name: `the same ${by}, higher counters` }
    if (!isLower) return { counted: more, what: 'counted', name: 'newer, no counter lower' }
    const isNarrow = !reading.wide && this.stands.every((each) => !each.wide)
    const one = [up < 0n && down >= 0n, down < 0n && up >= 0n].indexOf(true)
    if (isNarrow && one >= 0) {
      const [fell, other] = [one, 1 - one] as [0 | 1, 0 | 1]
      const overHalf = last.bytes[fell] >= 2n ** 31n && now[fell] < 2n ** 31n
      const otherRose = last.bytes[other] > 0n && more[other] > 0n
      if (last.bytes[fell] < wrap && (overHalf || otherRose)) {
        const name = `newer, one counter fell ${overHalf ? 'over the half' : 'while the other rose'}`
        return { counted: fell === 0 ? [up + wrap, down] : [up, down + wrap], what: 'wrapped', name }
      }
    }
    return { counted: now, what: 'reset', name: 'newer, a counter lower otherwise' }
  }

  state({ kind, at }: Reading, { what }: Verdict) {
    if (kind === 'start') return
    if (what !== 'duplicate' && what !== 'impossible') this.rows.add(`${this.stateWords(at)}: a newer ${kind}`)
    if (kind === 'stop') {
      // `stand` has been: its event time may be later than the stop's.
      if (!this.closed) this.closed = { at: Math.max(this.last().at, at), lives: null }
      else this.closed = { ...this.closed, lives: null }
    } else if (this.closed && this.closed.lives !== null && at > this.closed.lives && what !== 'duplicate' && what !== 'impossible') {
      this.closed = null
    }
  }

  stateWords(at: number): string {
    if (!this.closed) return 'open'
    if (this.closed.lives === null) return 'closed by its own stop'
    return at > this.closed.lives ? 'believed closed before' : 'believed closed after'
  }

  /** Accounting-On or -Off of that time. */
  restarted(at: number) {
    if (this.closed) return
    const isLater = this.last().at > at
    this.rows.add(isLater ? 'an On of before the kept event time' : 'an On of after the kept event time')
    if (!isLater) this.closed = { at: this.last().at, lives: at }
  }
}

/** All that is reported under one id of one gateway, of one SIM. */
export class SlowMeter {
  session: SlowSession | null = null
  ended: SlowSession[] = []
  readonly fastest: number
  readonly rows: Set<string>
  constructor(fastest: number, rows = new Set<string>()) {
    this.fastest = fastest
    this.rows = rows
  }

  /** `again`: whether another session that begins under the id is ours to count. */
  receive(reading: Reading, ours = true, again = true): Verdict {
    const { session } = this
    if (!session) return this.begin(reading, { ours })
    return this.judge(session, session.usedAgain(reading) ? reading : session.readTime(reading), again)
  }

  judge(session: SlowSession, reading: Reading, ours: boolean): Verdict {
    if (session.before !== null && reading.at <= session.before) {
      this.rows.add('reading late of an earlier use of the id')
      return { counted: none, what: 'late' }
    }
    if (!session.usedAgain(reading)) return session.receive(reading)
    const before = Math.max(session.closed?.at ?? session.last().at, began(reading) - (reading.kind === 'start' ? 1 : 2000))
    const begin = (isOurs: boolean) => SlowSession.begin(reading, this.fastest, { before, ours: isOurs, rows: this.rows })
    if (begin(true).what !== 'impossible') {
      const again = begin(ours)
      this.ended.push(session)
      this.session = again.session
      return { counted: again.counted, what: 'begun anew' }
    }
    const verdict = session.impossible(reading, bytes(reading))
    session.state(reading, verdict)
    return verdict
  }

  begin(reading: Reading, options: { ours: boolean }): Verdict {
    const { session, ...verdict } = SlowSession.begin(reading, this.fastest, { ...options, rows: this.rows })
    this.session = session
    return verdict
  }
}
