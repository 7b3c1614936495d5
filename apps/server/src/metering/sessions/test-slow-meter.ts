/**
 * The tables of edges §3 once more, written from that page as plainly as they can be said: a session is the list of what it was given, the rows are
 * asked in turn, and bytes are BigInt. Slow, and of nothing the meter has. Times are milliseconds, session times seconds.
 */
export type Told = {
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
const bytes = ({ up, down }: Told): Bytes => [BigInt(up), BigInt(down)]
const minus = (a: Bytes, b: Bytes): Bytes => [a[0] - b[0], a[1] - b[1]]
const began = ({ at, time }: Told) => at - (time ?? 0) * 1000
/** A Start has lasted for no time. */
const lasted = ({ kind, time }: Told) => time ?? (kind === 'start' ? 0 : null)
const isUntimed = ({ time, timed }: Told) => time === null && !timed

export class SlowSession {
  /** What counted, oldest first, as the next one is compared with it. */
  stands: { at: number; arrival: number; time: number | null; bytes: Bytes; wide: boolean }[] = []
  closed: { at: number; lives: number | null } | null = null
  odd: { told: Told; would: Bytes } | null = null
  uncounted: Bytes = none
  readonly started: number
  /** Up to when what is reported is of the session that had the id before. */
  readonly before: number | null
  readonly fastest: number
  /** The rows of the page that something fell under, in its words. */
  readonly rows: Set<string>

  constructor(first: Told, before: number | null, fastest: number, rows: Set<string>) {
    this.started = began(first)
    this.before = before
    this.fastest = fastest
    this.rows = rows
  }

  last = () => this.stands.at(-1)!
  times = () => this.stands.flatMap(({ time }) => time ?? []).at(-1) ?? null

  /** A session begins, with what its first packet brings, or with nothing where that cannot be, or where it is from before our time. */
  static begin(
    first: Told,
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
    session.odd = { told: first, would: brings }
    rows.add(
      lasted(first) === null ? 'impossible: a first packet, more than a day' : 'impossible: a first packet, more than its session time'
    )
    return { session, counted: none, what: 'impossible' }
  }

  stand(told: Told, now: Bytes) {
    const { at, arrival } = told
    const before = this.stands.at(-1)
    const event = before && isUntimed(told) ? Math.max(before.at, at) : at
    this.stands.push({ at: event, arrival: Math.max(before?.arrival ?? arrival, arrival), time: lasted(told), bytes: now, wide: told.wide })
    this.odd = null
  }

  /** A session time that moved by a day more than passed says nothing. */
  readTime(told: Told): Told {
    const highest = this.times()
    if (told.time === null || highest === null || told.kind === 'start') return told
    const passed = Math.max(0, told.arrival - this.last().arrival, told.at - this.last().at)
    if ((told.time - highest) * 1000 <= passed + 86_400_000) return told
    this.rows.add('a session time that cannot be')
    return { ...told, time: null }
  }

  usedAgain(told: Told): boolean {
    const time = lasted(told)
    if (told.kind === 'start' && time === 0 && this.closed && told.at > this.closed.at) {
      this.rows.add('used again: a start after the close')
      return true
    }
    const highest = this.times()
    if (time === null || highest === null || !told.timed || time >= highest) return false
    const isAnew = told.at - time * 1000 - 2000 > this.last().at && told.at - time * 1000 - 2000 > this.started
    if (isAnew) this.rows.add('used again: a lower session time, begun after the kept event time')
    return isAnew
  }

  /** Seconds that usage since then may have taken. */
  between(since: { at: number; arrival: number }, sinceTime: number | null, told: Told): number {
    const arrivals = (told.arrival - since.arrival) / 1000
    const moved = told.time !== null ? told.time - (sinceTime ?? 0) : told.timed ? (told.at - since.at) / 1000 : Infinity
    const bounds = { 'a day': 86_400, 'the session time moved': moved, 'the time since last seen': arrivals }
    const [[least, seconds] = ['', 0]] = Object.entries(bounds).toSorted(([, a], [, b]) => a - b)
    this.bound = seconds < 60 ? 'a minute' : least
    return Math.max(60, seconds)
  }
  /** What bounded a delta last. */
  bound = ''

  canBe = (counted: Bytes, seconds: number) => this.fastest === Infinity || counted.every((each) => Number(each) <= seconds * this.fastest)

  /** A packet of this session, for one that is not of an id used again. */
  receive(told: Told): Verdict {
    if (told.kind === 'start') {
      this.rows.add('a start otherwise')
      return { counted: none, what: 'known' }
    }
    const { name, ...row } = this.row(told)
    this.rows.add(name)
    if (row.what === 'late') return row
    const verdict = this.doubt(told, row)
    this.state(told, verdict)
    return verdict
  }

  doubt(told: Told, row: Verdict & { now?: Bytes }): Verdict {
    if (row.what === 'duplicate') return row
    const isOddAgain =
      this.odd !== null &&
      this.odd.told.up === told.up &&
      this.odd.told.down === told.down &&
      lasted(this.odd.told) === told.time &&
      (told.time !== null || !told.timed || this.odd.told.at === told.at)
    if (!isOddAgain && this.canBe(row.counted, this.between(this.last(), this.times(), told))) {
      this.stand(told, row.now ?? bytes(told))
      return row
    }
    this.rows.add(isOddAgain ? 'impossible: once more' : `impossible: more than ${this.bound}`)
    return this.impossible(told, row.counted)
  }

  impossible(told: Told, would: Bytes): Verdict {
    const { odd } = this
    if (odd && told.kind !== 'start') {
      const more = minus(bytes(told), bytes(odd.told))
      const oddTime = lasted(odd.told)
      const isNewer = isUntimed(told)
        ? more[0] + more[1] > 0n
        : told.time !== null && oddTime !== null
          ? told.time > oddTime
          : told.at > odd.told.at
      if (more[0] >= 0n && more[1] >= 0n && isNewer && this.canBe(more, this.between(odd.told, oddTime, told))) {
        this.uncounted = [most(this.uncounted[0] + odd.would[0]), most(this.uncounted[1] + odd.would[1])]
        const wide = this.stands.some((each) => each.wide) || odd.told.wide
        this.stands.push({ at: odd.told.at, arrival: odd.told.arrival, time: oddTime, bytes: bytes(odd.told), wide })
        this.stand(told, bytes(told))
        this.rows.add('impossible, and the next one goes on from it')
        return { counted: more, what: 'rebased' }
      }
    }
    this.odd = { told, would }
    return { counted: none, what: 'impossible' }
  }

  /** First row that fits. */
  row(told: Told): Verdict & { name: string; now?: Bytes } {
    const last = this.last()
    const now = bytes(told)
    const more = minus(now, last.bytes)
    const [up, down] = more
    const isEqual = up === 0n && down === 0n
    const isLower = up < 0n || down < 0n
    if (isUntimed(told)) {
      if (isEqual) return { counted: none, what: this.closed ? 'duplicate' : 'counted', name: 'untimed: equal' }
      const exceeds: Bytes = [up > 0n ? up : 0n, down > 0n ? down : 0n]
      if (exceeds[0] + exceeds[1] === 0n) return { counted: none, what: 'late', name: 'untimed: lower' }
      return { counted: exceeds, what: 'counted', now: [last.bytes[0] + exceeds[0], last.bytes[1] + exceeds[1]], name: 'untimed: more' }
    }
    const highest = this.times()
    const moved = told.time !== null && highest !== null ? told.time - highest : null
    const by = moved === null ? 'event time' : 'session time'
    const [older, same] = moved === null ? [told.at < last.at, told.at === last.at] : [moved < 0, moved === 0]
    if (older) return { counted: none, what: 'late', name: `an earlier ${by}` }
    if (same && isEqual) return { counted: none, what: 'duplicate', name: `the same ${by}, equal counters` }
    if (same && isLower) return { counted: none, what: 'late', name: `the same ${by}, lower counters` }
    if (same) return { counted: more, what: 'counted', name: `the same ${by}, higher counters` }
    if (!isLower) return { counted: more, what: 'counted', name: 'newer, no counter lower' }
    const isNarrow = !told.wide && this.stands.every((each) => !each.wide)
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

  state({ kind, at }: Told, { what }: Verdict) {
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

  receive(told: Told, ours = true): Verdict {
    const { session } = this
    if (!session) return this.begin(told, { ours })
    return this.judge(session, session.readTime(told))
  }

  judge(session: SlowSession, told: Told): Verdict {
    if (session.before !== null && told.at <= session.before) {
      this.rows.add('told late of an earlier use of the id')
      return { counted: none, what: 'late' }
    }
    if (!session.usedAgain(told)) return session.receive(told)
    const before = Math.max(session.closed?.at ?? session.last().at, began(told) - (told.kind === 'start' ? 1 : 2000))
    const again = SlowSession.begin(told, this.fastest, { before, rows: this.rows })
    if (again.what !== 'impossible') {
      this.ended.push(session)
      this.session = again.session
      return { counted: again.counted, what: 'begun anew' }
    }
    const verdict = session.impossible(told, bytes(told))
    session.state(told, verdict)
    return verdict
  }

  begin(told: Told, options: { ours: boolean }): Verdict {
    const { session, ...verdict } = SlowSession.begin(told, this.fastest, { ...options, rows: this.rows })
    this.session = session
    return verdict
  }
}
