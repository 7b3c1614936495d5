/**
 * The tables of edges §3 once more, written from that page as plainly as they can be said: a session is the list of what it was told, the rows are
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
  /** Up to when what is told is of the session that had the id before. */
  readonly before: number | null
  readonly fastest: number

  constructor(first: Told, before: number | null, fastest: number) {
    this.started = began(first)
    this.before = before
    this.fastest = fastest
  }

  last = () => this.stands.at(-1)!
  times = () => this.stands.flatMap(({ time }) => time ?? []).at(-1) ?? null

  /** A session begins, with what its first packet brings, or with nothing where that cannot be, or where it is from before our time. */
  static begin(first: Told, fastest: number, { before = null, ours = true }: { before?: number | null; ours?: boolean } = {}) {
    const session = new SlowSession(first, before, fastest)
    const can = BigInt(Math.floor(fastest === Infinity ? 2 ** 60 : Math.max(60, Math.min(lasted(first) ?? 86_400, 86_400)) * fastest))
    const brings = bytes(first)
    if (first.kind === 'stop') session.closed = { at: first.at, lives: null }
    if (!ours || (brings[0] <= can && brings[1] <= can)) {
      session.stand(first, brings)
      if (!ours) session.uncounted = brings
      return { session, counted: ours ? brings : none, what: ours ? 'begun' : 'baseline' }
    }
    const since = Math.max(began(first), first.arrival - 86_400_000)
    session.stands = [{ at: since, arrival: since, time: first.time === null ? null : 0, bytes: none, wide: false }]
    session.odd = { told: first, would: brings }
    return { session, counted: none, what: 'impossible' }
  }

  stand(told: Told, now: Bytes) {
    const { at, arrival } = told
    const before = this.stands.at(-1)
    const event = before && isUntimed(told) ? Math.max(before.at, at) : at
    this.stands.push({ at: event, arrival: Math.max(before?.arrival ?? arrival, arrival), time: lasted(told), bytes: now, wide: told.wide })
    this.odd = null
  }

  usedAgain(told: Told): boolean {
    const time = lasted(told)
    if (told.kind === 'start' && time === 0 && this.closed && told.at > this.closed.at) return true
    const highest = this.times()
    if (time === null || highest === null || !told.timed || time >= highest) return false
    return told.at - time * 1000 - 2000 > this.last().at && told.at - time * 1000 - 2000 > this.started
  }

  /** Seconds that usage since then may have taken. */
  between(since: { at: number; arrival: number }, sinceTime: number | null, told: Told): number {
    const arrivals = (told.arrival - since.arrival) / 1000
    const moved = told.time !== null ? told.time - (sinceTime ?? 0) : told.timed ? (told.at - since.at) / 1000 : Infinity
    return Math.max(60, Math.min(moved, arrivals, 86_400))
  }

  canBe = (counted: Bytes, seconds: number) => this.fastest === Infinity || counted.every((each) => Number(each) <= seconds * this.fastest)

  /** A packet of this session, for one that is not of an id used again. */
  hear(told: Told): Verdict {
    if (this.before !== null && told.at <= this.before) return { counted: none, what: 'late' }
    if (told.kind === 'start') return { counted: none, what: 'known' }
    const row = this.row(told)
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
        return { counted: more, what: 'rebased' }
      }
    }
    this.odd = { told, would }
    return { counted: none, what: 'impossible' }
  }

  /** First row that fits. */
  row(told: Told): Verdict & { now?: Bytes } {
    const last = this.last()
    const now = bytes(told)
    const more = minus(now, last.bytes)
    const [up, down] = more
    const isEqual = up === 0n && down === 0n
    const isLower = up < 0n || down < 0n
    if (isUntimed(told)) {
      if (isEqual) return { counted: none, what: this.closed ? 'duplicate' : 'counted' }
      const exceeds: Bytes = [up > 0n ? up : 0n, down > 0n ? down : 0n]
      if (exceeds[0] + exceeds[1] === 0n) return { counted: none, what: 'late' }
      return { counted: exceeds, what: 'counted', now: [last.bytes[0] + exceeds[0], last.bytes[1] + exceeds[1]] }
    }
    const highest = this.times()
    const older = told.time !== null && highest !== null ? told.time < highest : told.at < last.at
    const same = told.time !== null && highest !== null ? told.time === highest : told.at === last.at
    if (older) return { counted: none, what: 'late' }
    if (same)
      return isEqual ? { counted: none, what: 'duplicate' } : isLower ? { counted: none, what: 'late' } : { counted: more, what: 'counted' }
    if (!isLower) return { counted: more, what: 'counted' }
    const isNarrow = !told.wide && this.stands.every((each) => !each.wide)
    const one = [up < 0n && down >= 0n, down < 0n && up >= 0n].indexOf(true)
    if (isNarrow && one >= 0) {
      const [fell, other] = [one, 1 - one] as [0 | 1, 0 | 1]
      const overHalf = last.bytes[fell] >= 2n ** 31n && now[fell] < 2n ** 31n
      const otherRose = last.bytes[other] > 0n && more[other] > 0n
      if (last.bytes[fell] < wrap && (overHalf || otherRose))
        return { counted: fell === 0 ? [up + wrap, down] : [up, down + wrap], what: 'wrapped' }
    }
    return { counted: now, what: 'reset' }
  }

  state({ kind, at }: Told, { what }: Verdict) {
    if (kind === 'start') return
    if (kind === 'stop') {
      // `stand` has been: its event time may be later than the stop's.
      if (!this.closed) this.closed = { at: Math.max(this.last().at, at), lives: null }
      else this.closed = { ...this.closed, lives: null }
    } else if (this.closed && this.closed.lives !== null && at > this.closed.lives && what !== 'duplicate' && what !== 'impossible') {
      this.closed = null
    }
  }

  /** Accounting-On or -Off of that time. */
  restarted(at: number) {
    if (!this.closed && this.last().at <= at) this.closed = { at: this.last().at, lives: at }
  }
}

/** All that is told under one id of one gateway, of one SIM. */
export class SlowMeter {
  session: SlowSession | null = null
  ended: SlowSession[] = []
  readonly fastest: number
  constructor(fastest: number) {
    this.fastest = fastest
  }

  hear(told: Told, ours = true): Verdict {
    const { session } = this
    if (!session) return this.begin(told, { ours })
    if (session.before !== null && told.at <= session.before) return { counted: none, what: 'late' }
    if (!session.usedAgain(told)) return session.hear(told)
    const before = session.closed?.at ?? session.last().at
    const again = SlowSession.begin(told, this.fastest, { before })
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
    const { session, ...verdict } = SlowSession.begin(told, this.fastest, options)
    this.session = session
    return verdict
  }
}
