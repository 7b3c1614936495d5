import * as z from 'zod/mini'
import { Currency, Micros } from '../billing/money.ts'
import { Time } from '../kernel/fields.ts'

/** `fixed`: one allowance for all SIMs of the pool. `dynamic`: each SIM brings one of its own, and all share the sum. */
export const poolKinds = { fixed: 'Fixed', dynamic: 'Per SIM' } as const
export type PoolKind = keyof typeof poolKinds
export const PoolKind = z.enum(Object.keys(poolKinds) as [PoolKind, ...PoolKind[]])

/** What happens when a pool is used up. */
export const overagePolicies = { stop: 'Stop', percent: 'A share more, then stop', payg: 'Pay as you go' } as const
export type OveragePolicy = keyof typeof overagePolicies
export const OveragePolicy = z.enum(Object.keys(overagePolicies) as [OveragePolicy, ...OveragePolicy[]])
export const OveragePercent = z.int().check(z.minimum(1, 'At least 1 %'), z.maximum(500, 'At most 500 %'))

export const Validity = z.object({
  count: z.int().check(z.minimum(1, 'At least 1'), z.maximum(366, 'At most 366')),
  unit: z.enum(['day', 'month']),
})
export type Validity = z.output<typeof Validity>

/** Data that is sold together: what a pool has in each of its terms. */
export const Package = z.object({
  id: z.string(),
  name: z.string(),
  kind: PoolKind,
  /** Of the pool in a term; of each SIM where the kind is `dynamic`. */
  size_bytes: z.int(),
  /** Only usage in networks of this zone draws from it. Null: anywhere. */
  zone: z.nullable(z.string()),
  /** How many countries the zone's networks are in today. */
  countries: z.int(),
  validity: Validity,
  price_micros: Micros,
  currency: Currency,
  overage_policy: OveragePolicy,
  overage_percent: z.nullable(OveragePercent),
  /** The most SIMs that a pool of it may have. */
  max_sims: z.nullable(z.int()),
  /** A SIM that joins within a term brings its share of the days that are left; `dynamic` alone. */
  prorate_first: z.boolean(),
  /** Pools of it that run. */
  pools: z.int(),
  created_at: Time,
  /** Nobody can open a pool of it any more; pools that run renew as before. */
  retired_at: z.nullable(Time),
})
export type Package = z.output<typeof Package>

/** Why somebody whose balance is in `currency` cannot buy a package themselves, in words; null: they can. */
export function whyNotSold(
  { price_micros, currency: priced }: { price_micros: number | null; currency: string },
  currency: string
): string | null {
  if (price_micros === 0) return 'This package has no price. Your provider opens a pool of it for you'
  return priced === currency ? null : `This package is priced in ${priced}, and your balance is in ${currency}`
}

const dayMs = 86_400_000

/**
 * When a term that begins then is over: months end on the day of the month on which the pool was opened (`opened`), or on the last one. Terms begin and end
 * at 00:00 UTC.
 */
export function termEnd(start: Date, { count, unit }: Validity, opened: Date = start): Date {
  if (unit === 'day') return new Date(start.getTime() + count * dayMs)
  const year = start.getUTCFullYear()
  const month = start.getUTCMonth() + count
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(opened.getUTCDate(), last)))
}

/** "a month", "30 days". */
export const validityWords = ({ count, unit }: Validity): string => (count === 1 ? `a ${unit}` : `${count} ${unit}s`)
