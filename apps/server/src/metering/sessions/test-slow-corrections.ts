import { type Drawn, hoursOf, type UsedInHour, zones } from './test-slow-hours.ts'

type Given = { within: number; over: number }
type Sim = {
  used: UsedInHour[]
  networks: ReadonlyMap<string, string>
  pools: ReadonlyMap<unknown, number>
  left: readonly { pool: unknown; since: number; until: number }[]
}
type Pool = {
  is: { id: string; zone: string | null; priority: number }
  terms: readonly { starts_at: number; ends_at: number; of: ReadonlyMap<number, Given> }[]
}
type Limits = {
  sims: readonly Sim[]
  pools: readonly Pool[]
  draw: (sim: number, usage: Drawn) => void
}
type Wanted = { sim: number; day: string; bytes: number; network: string | null; at: number }
type Moved = { of: Given; what: keyof Given; bytes: number }
/** `network`: where what it added of no network is, also of those that undo it and make it again. */
type Made = { sim: number; day: string; bytes: number; parts: UsedInHour[]; network: string; back: Moved[]; isUndone: boolean }

/** What staff correct of what the reference of limits has used, and undo. */
export class SlowCorrections {
  readonly #limits: Limits
  readonly made: Made[] = []
  constructor(limits: Limits) {
    this.#limits = limits
  }

  /**
   * Bytes that staff add are used in its hour with the most, in the network of that, or of the latest session where that has none; those they take
   * away are taken from the hours with the most, and given back by what their networks' pools gave in those, and last by any where no network is known.
   */
  make({ sim, day, bytes, network, at }: Wanted) {
    const { used, networks } = this.#limits.sims[sim]!
    const hours = hoursOf(used, day, network)
    const made: Made = { sim, day, bytes, parts: [], network: '', back: [], isUndone: false }
    if (bytes > 0) {
      made.parts.push({ ...hours[0]!, bytes })
      made.network = hours[0]!.network || ([...networks.values()].at(-1) ?? '')
      const used_at = Math.min(hours[0]!.hour * 3_600_000, at)
      // Of the pools that it was in in that hour.
      this.#limits.draw(sim, { from: used_at, at: used_at, bytes, network: made.network, joinedBefore: used_at + 3_600_000 })
    } else {
      let left = -bytes
      for (const hour of hours) {
        const back = Math.min(left, hour.bytes)
        left -= back
        if (back > 0) made.parts.push({ ...hour, bytes: -back })
      }
      made.back = this.#giveBack(made)
    }
    used.push(...made.parts)
    this.made.push(made)
  }

  /** Whether hours of the day would have less than nothing. */
  isMissing = ({ sim, day, parts }: Made) =>
    hoursOf([...this.#limits.sims[sim]!.used, ...opposite(parts)], day, null).some(({ bytes }) => bytes < 0)

  /** In the same hours. What a subtraction gave back is taken again, of the very terms and as it was: within their size, or beyond it. */
  undo(which: number) {
    const first = this.made[which]!
    first.isUndone = true
    const { sim, day, network, bytes } = first
    const made: Made = { sim, day, bytes: 0 - bytes, parts: opposite(first.parts), network, back: [], isUndone: false }
    if (bytes < 0) for (const { of, what, bytes: again } of first.back) of[what] += again
    else made.back = this.#giveBack(made)
    this.#limits.sims[sim]!.used.push(...made.parts)
    this.made.push(made)
  }

  #giveBack({ sim, parts, network }: Made): Moved[] {
    const shares = new Map<string, UsedInHour[]>()
    for (const part of parts) {
      const of = part.network || network
      shares.set(of, [...(shares.get(of) ?? []), part])
    }
    const sums = [...shares].map(([of, own]) => ({ of, own, bytes: own.reduce((all, each) => all - each.bytes, 0) }))
    const ordered = sums.sort((a, b) => Number(a.of === '') - Number(b.of === '') || a.bytes - b.bytes || (a.of < b.of ? -1 : 1))
    return ordered.flatMap(({ of, own }) =>
      own.toSorted((a, b) => a.hour - b.hour).flatMap(({ hour, bytes }) => this.#giveBackOf(sim, hour, of, 0 - bytes))
    )
  }

  /** Overage first, and in the order against that of giving; usage without a network by the pools of all zones. A pool that the SIM was not in in that hour gets nothing back. */
  #giveBackOf(sim: number, hour: number, network: string, bytes: number): Moved[] {
    const from = hour * 3_600_000
    const { pools, left: ended } = this.#limits.sims[sim]!
    const stays = [...ended, ...[...pools].map(([pool, since]) => ({ pool, since, until: Infinity }))]
    const terms = this.#limits.pools
      .filter((pool) => stays.some((stay) => stay.pool === pool && stay.since < from + 3_600_000 && stay.until > from))
      .filter(({ is }) => is.zone === null || network === '' || is.zone === zones[network])
      .flatMap((pool) => pool.terms.map((term) => ({ ...pool.is, ...term })))
      .filter(({ starts_at, ends_at, of: sims }) => starts_at <= from && from < ends_at && sims.has(sim))
      .sort((a, b) => b.priority - a.priority || b.ends_at - a.ends_at || (a.id < b.id ? 1 : -1))
    let left = bytes
    const moved: Moved[] = []
    for (const what of ['over', 'within'] as const)
      for (const { of: sims } of terms) {
        const own = sims.get(sim)!
        const back = Math.min(left, own[what])
        own[what] -= back
        left -= back
        moved.push({ of: own, what, bytes: back })
      }
    return moved
  }
}

const opposite = (parts: readonly UsedInHour[]) => parts.map((part) => ({ ...part, bytes: 0 - part.bytes }))
