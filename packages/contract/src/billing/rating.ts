// What usage costs, without a database: the meter, the demo and tests price by these very functions. Amounts are whole micros and BigInt.

/** What the bytes of one scope are added up over before they are rounded up to blocks. */
export const roundingScopes = { record: 'each record', session: 'each session', day: 'each day', month: 'each month' } as const
export type RoundingScope = keyof typeof roundingScopes

/** How a version of a tariff counts: blocks that bytes are rounded up to, and how many bytes a kilobyte has. */
export type Counting = { block_bytes: number; kb: number }

/** Bytes as they are billed: rounded up to whole blocks. None are no block. */
export function billedBytes(bytes: bigint, block_bytes: number): bigint {
  const block = BigInt(block_bytes)
  return bytes <= 0n ? 0n : ((bytes + block - 1n) / block) * block
}

/** Of a whole number by another, both at least 0: to the nearest, and from the middle to the even one. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor
  const twice = (dividend % divisor) * 2n
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole
}

/** What billed bytes cost in all, in micros, at a price in micros for a megabyte of kb². */
export const costOf = (billed: bigint, price_micros: bigint, kb: number): bigint => divideHalfEven(billed * price_micros, BigInt(kb) ** 2n)

/** What a scope has until now: bytes as they were counted, and what was charged for them. */
export type ScopeTotals = { bytes: bigint; charged: bigint }
/** What one more piece of usage adds to a scope. */
export type Charged = { bytes: bigint; billed: bigint; charged: bigint; added: bigint; added_billed: bigint }

/**
 * What a piece of usage adds to the charge of its scope. The whole scope is priced anew and what was charged is taken away, so that many small pieces
 * cost what one large piece does, in whichever order they come. Bytes below zero are a correction.
 */
export function chargeMore(before: ScopeTotals, more: bigint, counting: Counting, price_micros: bigint): Charged {
  const bytes = before.bytes + more
  const billed = billedBytes(bytes, counting.block_bytes)
  const charged = costOf(billed, price_micros, counting.kb)
  return { bytes, billed, charged, added: charged - before.charged, added_billed: billed - billedBytes(before.bytes, counting.block_bytes) }
}

/** A length of usage between two moments, in milliseconds since 1970. */
export type ChargedInterval = { from: number; at: number; bytes: number }

/**
 * Usage by the moments at which something else holds for it: the same bytes, spread evenly over its time; the last piece has what is left by rounding. A
 * moment belongs to the piece that begins with it, so that `at` of the pieces before the last is a millisecond before the edge.
 */
export function splitAt({ from, at, bytes }: ChargedInterval, edges: readonly number[]): ChargedInterval[] {
  const inside = edges.filter((edge) => from < edge && edge <= at).sort((a, b) => a - b)
  if (inside.length === 0 || from >= at) return [{ from, at, bytes }]
  const starts = [from, ...inside]
  let done = 0
  return starts.flatMap((start, i) => {
    const end = starts[i + 1]
    const until = end === undefined ? bytes : Number((BigInt(bytes) * BigInt(end - from)) / BigInt(at - from))
    const piece = { from: start, at: end === undefined ? at : end - 1, bytes: until - done }
    done = until
    return piece.bytes === 0 ? [] : [piece]
  })
}

/** So long after its end a month is closed; what comes later is charged to the day on which it is reported. */
export const openHours = 72

const dayMs = 86_400_000

/** Each midnight, in UTC, that usage passed. */
export function midnightsIn({ from, at }: Pick<ChargedInterval, 'from' | 'at'>): number[] {
  const edges: number[] = []
  for (let day = (Math.floor(from / dayMs) + 1) * dayMs; day <= at; day += dayMs) edges.push(day)
  return edges
}
