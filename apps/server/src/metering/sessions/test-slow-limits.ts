import { SlowCorrections } from './test-slow-corrections.ts'
import { type Drawn, type UsedInHour, zones } from './test-slow-hours.ts'
import { SlowMeter, type Reading } from './test-slow-meter.ts'

/**
 * What limits and data pools come to, once more and slowly: all that was done is gone through from the beginning, usage is a list that is summed up, and pools
 * are given out byte by byte. Of nothing the product has but the words. Times are milliseconds.
 */
export type Period = 'day' | 'month'
export type SlowLimit = { bytes: number; period: Period; action: 'block' | 'alert' }
export type Done =
  | { do: 'report'; sim: number; session: string; network: string; reading: Reading }
  | { do: 'correct'; sim: number; day: string; bytes: number; network: string | null; at: number }
  /** The n-th of all corrections, undone ones among them. */
  | { do: 'undo'; which: number; at: number }
  | { do: 'limit'; sim: number; limit: SlowLimit | null }
  | { do: 'raise'; sim: number; bytes: number; at: number }
  | { do: 'group'; sim: number; group: string }
  | { do: 'group limit'; group: string; limit: SlowLimit | null }
  | { do: 'join' | 'leave'; sim: number; pool: number; at: number }
  | { do: 'policy'; pool: number; most_over: number | null; priority: number; renews: boolean }
  | { do: 'grow'; pool: number; bytes: number; at: number }
  /** By staff, in the middle of its term. */
  | { do: 'end'; pool: number; at: number }
  /** The job of every minute. */
  | { do: 'renew'; at: number }
  /** All jobs have run. */
  | { do: 'settle'; at: number }

/** `most_over`: the share of its size that a pool gives beyond it, in per cent; null: any number of bytes. */
export type SlowPool = { id: string; zone: string | null; dynamic: boolean; unit: number; priority: number; most_over: number | null }
type Term = { starts_at: number; ends_at: number; size: number; brought: Set<number>; of: Map<number, { within: number; over: number }> }

const day = 86_400_000
/** So long after the end of a stay what was used in it may be reported. */
const reportedFor = 3 * day
export const termDays = 2
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const startOf = (period: Period, at: number) => (period === 'day' ? dayOf(at) : dayOf(at).slice(0, 7))
const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, each) => all + each, 0)

class Sim {
  meters = new Map<string, SlowMeter>()
  used: UsedInHour[] = []
  /** The network that each session is in, in the order in which they began. */
  networks = new Map<string, string>()
  own: SlowLimit | null = null
  raise: { bytes: number; period: Period; start: string } | null = null
  group = 'default'
  /** The pools it is in, with the time when it joined each. */
  pools = new Map<Pool, number>()
  /** The stays that have ended. */
  left: { pool: Pool; since: number; until: number }[] = []

  usedIn = (period: Period, at: number) =>
    sum(this.used.filter((each) => each.day.startsWith(startOf(period, at))).map(({ bytes }) => bytes))
}

class Pool {
  readonly number: number
  terms: Term[] = []
  renews = true
  ended = false
  /** What it had given when staff ended it. */
  givenAtEnd: number | undefined
  is: SlowPool
  constructor(number: number, is: SlowPool, at: number) {
    this.number = number
    this.is = { ...is }
    this.begin(Date.parse(dayOf(at)), [])
  }

  current = () => this.terms.at(-1)!

  begin(starts_at: number, members: readonly number[]) {
    const size = this.is.dynamic ? this.is.unit * members.length : this.is.unit
    this.terms.push({ starts_at, ends_at: starts_at + termDays * day, size, brought: new Set(members), of: new Map() })
  }

  renew(at: number, members: readonly number[]) {
    if (this.ended || this.current().ends_at > at) return
    if (!this.renews) this.ended = true
    else while (this.current().ends_at <= at) this.begin(this.current().ends_at, members)
  }

  /** What its SIMs use from now on is not taken from it. */
  end(at: number) {
    this.ended = true
    this.current().ends_at = at
    this.givenAtEnd = this.given()
  }

  given = () => sum(this.terms.map((term) => this.within(term) + this.over(term)))
  within = (term: Term) => sum([...term.of.values()].map(({ within }) => within))
  over = (term: Term) => sum([...term.of.values()].map(({ over }) => over))
  mostOver = (term: Term) => (this.is.most_over === null ? Infinity : Math.floor((term.size * this.is.most_over) / 100))
  isUsedUp = (term: Term) => this.within(term) >= term.size
  isExhausted = (term: Term) => term.size > 0 && this.isUsedUp(term) && this.over(term) >= this.mostOver(term)
}

export class SlowLimits {
  readonly sims: Sim[]
  readonly pools: Pool[]
  /** Limits of groups: those that every account begins with have one already. */
  readonly groups = new Map<string, SlowLimit | null>([
    ['default_1gb', { bytes: 1_000_000_000, period: 'month', action: 'block' }],
    ['default_10gb', { bytes: 10_000_000_000, period: 'month', action: 'block' }],
  ])
  readonly corrections = new SlowCorrections(this)
  takenOfLeft = false
  now: number

  constructor(sims: number, pools: readonly SlowPool[], began: number) {
    this.sims = Array.from({ length: sims }, () => new Sim())
    this.pools = pools.map((pool, i) => new Pool(i, pool, began))
    this.now = began
  }

  static of(done: readonly Done[], { sims, pools, began }: { sims: number; pools: readonly SlowPool[]; began: number }): SlowLimits {
    const limits = new SlowLimits(sims, pools, began)
    for (const each of done) limits.take(each)
    return limits
  }

  members = (pool: Pool) => this.sims.flatMap((sim, i) => (sim.pools.has(pool) ? [i] : []))

  take(done: Done) {
    if ('at' in done) this.now = done.at
    switch (done.do) {
      case 'report':
        return this.report(done)
      case 'correct':
        return this.corrections.make(done)
      case 'undo':
        return this.corrections.undo(done.which)
      case 'limit': {
        const sim = this.sims[done.sim]!
        if (done.limit === null ? sim.own !== null : sim.raise?.period !== done.limit.period) sim.raise = null
        sim.own = done.limit
        return
      }
      case 'raise': {
        const [sim, base] = [this.sims[done.sim]!, this.baseOf(this.sims[done.sim]!)]
        if (base) sim.raise = { bytes: done.bytes, period: base.period, start: startOf(base.period, done.at) }
        return
      }
      case 'group': {
        const sim = this.sims[done.sim]!
        if (sim.own === null) sim.raise = null
        sim.group = done.group
        return
      }
      case 'group limit':
        this.groups.set(done.group, done.limit)
        for (const sim of this.sims)
          if (sim.group === done.group && sim.own === null && sim.raise?.period !== done.limit?.period) sim.raise = null
        return
      case 'join':
        this.leaveEnded(this.sims[done.sim]!, done.at)
        return this.join(this.pools[done.pool]!, done.sim, done.at)
      case 'leave':
        this.leaveEnded(this.sims[done.sim]!, done.at)
        return this.leave(this.sims[done.sim]!, this.pools[done.pool]!, done.at)
      case 'policy': {
        const pool = this.pools[done.pool]!
        const { most_over, priority, renews } = done
        pool.is = { ...pool.is, most_over, priority }
        pool.renews = renews
        return
      }
      case 'grow':
        return void (this.pools[done.pool]!.current().size += done.bytes)
      case 'end':
        return this.pools[done.pool]!.end(done.at)
      case 'renew':
      case 'settle':
        for (const pool of this.pools) pool.renew(done.at, this.members(pool))
        if (done.do === 'settle') for (const sim of this.sims) this.leaveEnded(sim, done.at)
    }
  }

  /** What was used before the end of a pool may be reported for three days. */
  leaveEnded(sim: Sim, at: number) {
    for (const pool of sim.pools.keys())
      if (pool.ended && pool.current().ends_at + reportedFor <= at) this.leave(sim, pool, pool.current().ends_at)
  }

  leave(sim: Sim, pool: Pool, at: number) {
    const since = sim.pools.get(pool)
    if (since !== undefined) sim.left.push({ pool, since, until: at })
    sim.pools.delete(pool)
  }

  join(pool: Pool, sim: number, at: number) {
    const [member, term] = [this.sims[sim]!, pool.current()]
    if (!member.pools.has(pool) && pool.is.dynamic && !term.brought.has(sim)) {
      term.brought.add(sim)
      term.size += pool.is.unit
    }
    if (!member.pools.has(pool)) member.pools.set(pool, at)
  }

  report({ sim, session, network, reading }: Done & { do: 'report' }) {
    this.now = reading.arrival
    const { meters, used, networks } = this.sims[sim]!
    const meter = meters.get(session) ?? new SlowMeter(2.5e8)
    meters.set(session, meter)
    const before = meter.session?.last().at ?? null
    const { counted, what } = meter.receive(reading)
    if (what !== 'late' && what !== 'duplicate') networks.set(session, network)
    const bytes = Number(counted[0] + counted[1])
    if (bytes === 0) return
    const from = before === null || what === 'begun anew' ? reading.at - (reading.time ?? 0) * 1000 : before
    used.push({ day: dayOf(reading.at), hour: Math.floor(reading.at / 3_600_000), network, rat: 'LTE', bytes })
    this.draw(sim, { from: Math.min(from, reading.at), at: reading.at, bytes, network })
  }

  draw(sim: number, { from, at, bytes, network, joinedBefore = Infinity }: Drawn) {
    const { pools, left } = this.sims[sim]!
    const stays = [
      ...[...pools].map(([pool, since]) => ({ pool, since, until: Infinity })),
      ...left.filter(({ until }) => until > this.now - reportedFor),
    ].filter(({ pool: { is }, since }) => since < joinedBefore && (is.zone === null || is.zone === zones[network]))
    for (const { pool } of stays) pool.renew(this.now, this.members(pool))
    const terms = [...new Set(stays.map(({ pool }) => pool))].flatMap((pool) => pool.terms.map((term) => ({ pool, term })))
    terms.sort(
      (a, b) => a.pool.is.priority - b.pool.is.priority || a.term.ends_at - b.term.ends_at || (a.pool.is.id < b.pool.is.id ? -1 : 1)
    )
    const turns = stays.flatMap(({ since, until }) => [since, until])
    const edges = [...terms.flatMap(({ term }) => [term.starts_at, term.ends_at]), ...turns].sort((a, b) => a - b)
    for (let byte = 0; byte < bytes; byte++) {
      // Spread evenly from one report to the next.
      const passed = edges.filter((edge) => from < edge && edge < at && byte >= Math.floor((bytes * (edge - from)) / (at - from)))
      const moment = passed.at(-1) ?? from
      const running = terms.filter(({ term }) => term.starts_at <= moment && moment < term.ends_at)
      // Of the pools that it was in then, else of those that it is in now.
      const then = running.filter(({ pool }) => stays.some((stay) => stay.pool === pool && stay.since <= moment && moment < stay.until))
      this.takenOfLeft ||= then.some(({ pool }) => !pools.has(pool))
      const isIn = ({ pool }: (typeof running)[number]) => stays.some((stay) => stay.pool === pool && stay.until === Infinity)
      this.give(sim, then.length > 0 ? then : running.filter(isIn))
    }
  }

  give(sim: number, terms: readonly { pool: Pool; term: Term }[]) {
    const room = terms.find(({ pool, term }) => !pool.isUsedUp(term))
    const more = terms.find(({ pool, term }) => pool.over(term) < pool.mostOver(term))
    const giving = room ?? more ?? terms[0]
    if (!giving) return
    const own = giving.term.of.get(sim) ?? { within: 0, over: 0 }
    own[room ? 'within' : 'over']++
    giving.term.of.set(sim, own)
  }

  baseOf = (sim: Sim): SlowLimit | null => sim.own ?? this.groups.get(sim.group) ?? null

  /** What a SIM is allowed now. */
  limitOf(number: number): SlowLimit | null {
    const sim = this.sims[number]!
    const base = this.baseOf(sim)
    const { raise } = sim
    const isRaised = base && raise?.period === base.period && raise.start === startOf(base.period, this.now)
    return isRaised ? { ...base, bytes: Math.max(base.bytes, raise.bytes) } : base
  }

  blocksOf(number: number): string[] {
    const sim = this.sims[number]!
    const limit = this.limitOf(number)
    const isOver = limit?.action === 'block' && sim.usedIn(limit.period, this.now) >= limit.bytes
    const running = [...sim.pools.keys()].filter(({ ended }) => !ended)
    const isDry = running.length > 0 && running.every((pool) => pool.isExhausted(pool.current()))
    return [...(isOver ? ['data_limit'] : []), ...(isDry ? ['pool_exhausted'] : [])]
  }

  usage = () =>
    this.sims.map((sim) => ({
      day: sim.usedIn('day', this.now),
      month: sim.usedIn('month', this.now),
      ever: sum(sim.used.map(({ bytes }) => bytes)),
    }))

  /** What each SIM took of each term, as `pool term sim within over`. */
  taken = () =>
    this.pools
      .flatMap((pool) =>
        pool.terms.flatMap(({ starts_at, of }) =>
          [...of].flatMap(([sim, { within, over }]) =>
            within + over > 0 ? [`${pool.number} ${dayOf(starts_at)} ${sim} ${within} ${over}`] : []
          )
        )
      )
      .sort()

  totals = () => ({ usage: this.usage(), taken: this.taken() })

  standing = () =>
    this.pools.map((pool) => {
      const { starts_at, size } = pool.current()
      return { term: dayOf(starts_at), size, ended: pool.ended, dry: !pool.ended && pool.isExhausted(pool.current()) }
    })
}
