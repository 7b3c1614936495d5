/** A term of a pool that a SIM may draw from, as it stands now. Bytes; times are milliseconds since 1970. */
export type OpenTerm = {
  pool_id: string
  starts_at: number
  ends_at: number
  /** The lower, the sooner. */
  priority: number
  size: number
  /** Bytes beyond its size that its policy allows; null: any number. */
  most_over: number | null
  /** Taken until now, within its size and beyond it. */
  within: number
  over: number
}

/** For how long a SIM was in the pool of a term; `until` is Infinity while it is in it. Milliseconds since 1970. */
export type Stay = { since: number; until: number }
/** Of a SIM that joined or left pools since its last report: its stays in each. A term without any: it is in that pool and was all the time. */
export type Stays = ReadonlyMap<OpenTerm, readonly Stay[]>

/** What a SIM used between two reports. */
export type Used = { from: number; at: number; bytes: number }

/** What one term gave of it, from one of its times to another. */
export type Draw = { term: OpenTerm; from: number; at: number; bytes: number; over: number }

/** Whose data is taken first: by priority, then what would be lost first. */
const burnOrder = (a: OpenTerm, b: OpenTerm) =>
  a.priority - b.priority || a.ends_at - b.ends_at || (a.pool_id < b.pool_id ? -1 : a.pool_id > b.pool_id ? 1 : 0)

const isAt = (at: number) => (term: OpenTerm) => term.starts_at <= at && at < term.ends_at

/**
 * Takes usage from the pools of a SIM whose zone it is in, and moves their sums on. It is cut by time where a term begins or ends and where the SIM joined or left a
 * pool, and by bytes where a pool is used up; then comes the next pool. When all are used up, the first that allows more gives more. What none allows happened all
 * the same: it goes beyond the first one. No term of that time: nothing is taken.
 */
export function drawFromPools(used: Used, terms: readonly OpenTerm[], stays?: Stays): Draw[] {
  const [only] = terms
  if (terms.length === 1 && !stays && only && isWhollyIn(only, used)) {
    only.within += used.bytes
    return [{ term: only, from: used.from, at: used.at, bytes: used.bytes, over: 0 }]
  }
  const inOrder = terms.toSorted(burnOrder)
  return inPieces(used, terms, stays).flatMap(({ from, at, bytes }) =>
    takeAll({ from, at, bytes }, ofPoolsAt(from, inOrder.filter(isAt(from)), stays))
  )
}

/** Of the terms of a time those of the pools that the SIM was in then, else of those that it is in now: who joins a pool brings what is reported late. */
function ofPoolsAt(at: number, terms: readonly OpenTerm[], stays: Stays | undefined): readonly OpenTerm[] {
  const among = (is: (stay: Stay) => boolean) => terms.filter((term) => stays?.get(term)?.some(is) ?? true)
  const then = among(({ since, until }) => since <= at && at < until)
  return then.length > 0 ? then : among(({ until }) => until === Infinity)
}

/** What most usage is: all of it in one term, and far from its edges. */
const isWhollyIn = ({ starts_at, ends_at, size, within }: OpenTerm, { from, at, bytes }: Used) =>
  bytes > 0 && starts_at <= from && at < ends_at && size - within >= bytes

function takeAll({ from, at, bytes }: Used, terms: readonly OpenTerm[]): Draw[] {
  let left = bytes
  const taken = new Map<OpenTerm, Draw>()
  const take = (term: OpenTerm, amount: number, isOver: boolean) => {
    if (amount <= 0) return
    left -= amount
    term[isOver ? 'over' : 'within'] += amount
    const draw = taken.get(term) ?? { term, from, at, bytes: 0, over: 0 }
    draw.bytes += amount
    if (isOver) draw.over += amount
    taken.set(term, draw)
  }
  for (const term of terms) take(term, Math.min(left, term.size - term.within), false)
  for (const term of terms) take(term, Math.min(left, term.most_over === null ? left : term.most_over - term.over), true)
  if (terms[0]) take(terms[0], left, true)
  return [...taken.values()]
}

/** Usage by the times between which the same terms give it. What is used is taken to be spread evenly; the last piece has what is left by rounding. */
function inPieces({ from, at, bytes }: Used, terms: readonly OpenTerm[], stays: Stays | undefined): Used[] {
  const turns = [...(stays?.values() ?? [])].flatMap((own) => own.flatMap(({ since, until }) => [since, until]))
  const edges = [...new Set([...terms.flatMap((term) => [term.starts_at, term.ends_at]), ...turns])]
    .filter((edge) => from < edge && edge < at)
    .sort((a, b) => a - b)
  const times = [from, ...edges, at]
  let done = 0
  return times.slice(1).map((end, i) => {
    const until = i === edges.length ? bytes : Math.floor((bytes * (end - from)) / (at - from))
    const piece = { from: i === 0 && from === at ? at : times[i]!, at: i === edges.length ? at : end - 1, bytes: until - done }
    done = until
    return piece
  })
}

/** Whether a term gives nothing more, so that its SIMs lose their service. */
export const givesNothing = ({ size, within, over, most_over }: OpenTerm): boolean =>
  size > 0 && within >= size && most_over !== null && over >= most_over
