import * as z from 'zod/mini'
import { Name, Time } from '../kernel/fields.ts'
import { Currency, Micros } from './money.ts'
import { roundingScopes, type RoundingScope } from './rating.ts'

/** At most a million of the currency. */
const Price = z.int({ error: 'Enter an amount' }).check(z.minimum(0, 'Not below zero'), z.maximum(1_000_000_000_000, 'At most 1,000,000'))

/** A network by its MCC-MNC, all of a country by its MCC, or `*`: those that no other zone names. */
export const otherNetworks = '*'
export const ZoneNetwork = z
  .string()
  .check(z.regex(/^(\d{3}(-\d{2,3})?|\*)$/, 'Networks are written like 262-01, countries like 262, and the rest as *'))

/** Networks in which data has one price. Its id stays from one version to the next. */
export const TariffZone = z.object({
  id: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,19}$/, 'Use up to 20 letters, digits and dashes')),
  name: Name,
  networks: z.array(ZoneNetwork).check(z.minLength(1, 'Name at least one network'), z.maxLength(3000)),
  /** For a megabyte. */
  price_micros: Price,
})
export type TariffZone = z.output<typeof TariffZone>

/** What SIMs cost apart from their usage. `active_monthly`: the price of each SIM from that place on, where the first row says `from: 1`. */
export const SimFees = z.object({
  activation_micros: z._default(Price, 0),
  reactivation_micros: z._default(Price, 0),
  active_monthly: z
    .array(z.object({ from: z.int().check(z.minimum(1, 'At least 1'), z.maximum(10_000_000)), price_micros: Price }))
    .check(z.minLength(1, 'Enter the price from the first SIM on'), z.maxLength(20, 'At most 20 steps')),
  inactive_monthly_micros: z._default(Price, 0),
  standby_monthly_micros: z._default(Price, 0),
})
export type SimFees = z.output<typeof SimFees>

/** The price of the n-th active SIM of a month, which counts from 1. */
export function activeFee({ active_monthly }: Pick<SimFees, 'active_monthly'>, n: number): number {
  return active_monthly.findLast(({ from }) => from <= n)?.price_micros ?? 0
}

/** What so many active SIMs of a month cost together. */
export const activeFees = ({ active_monthly }: Pick<SimFees, 'active_monthly'>, n: number): number =>
  active_monthly.reduce((sum, { from, price_micros }, i) => {
    const last = Math.min(n, (active_monthly[i + 1]?.from ?? Infinity) - 1)
    return sum + price_micros * Math.max(0, last - from + 1)
  }, 0)

export const RoundingScopeField = z.enum(Object.keys(roundingScopes) as [RoundingScope, ...RoundingScope[]])
export const biggestBlock = 100_000_000

export const TariffTerms = z.object({
  /** It begins at 00:00 UTC. */
  effective_from: z.iso.date('Enter a day, like 2026-12-01'),
  block_bytes: z.int({ error: 'Enter whole bytes' }).check(z.minimum(1, 'At least 1 byte'), z.maximum(biggestBlock, 'At most 100 MB')),
  rounding_scope: RoundingScopeField,
  /** A megabyte is so many bytes, squared. */
  kb: z.union([z.literal(1000), z.literal(1024)]),
  zones: z.array(TariffZone).check(z.minLength(1, 'Enter at least one zone'), z.maxLength(200, 'At most 200 zones')),
  fees: SimFees,
})
export type TariffTerms = z.output<typeof TariffTerms>

export const TariffVersion = z.extend(TariffTerms, { number: z.int(), created_at: Time, created_by: z.string() })
export type TariffVersion = z.output<typeof TariffVersion>

export const Tariff = z.object({
  id: z.string(),
  name: z.string(),
  currency: Currency,
  /** What is shown to everybody as the general plan. One is. */
  is_standard: z.boolean(),
  /** Accounts that have it today. */
  accounts: z.int(),
  /** What is valid today, and what comes next: numbers of versions. */
  current: z.nullable(z.int()),
  next: z.nullable(z.int()),
  created_at: Time,
})
export type Tariff = z.output<typeof Tariff>

/** A price of a zone that is agreed with one account. */
export const ZonePrice = z.object({ zone_id: z.string().check(z.maxLength(20)), price_micros: Price })
export type ZonePrice = z.output<typeof ZonePrice>

/** From a day on an account pays by a tariff, with prices of its own; without one, it pays by none. */
export const Assignment = z.object({
  from_day: z.iso.date(),
  tariff: z.nullable(z.object({ id: z.string(), name: z.string(), currency: Currency })),
  own_prices: z.array(ZonePrice),
  assigned_at: Time,
  assigned_by: z.string(),
})
export type Assignment = z.output<typeof Assignment>

/** What is wrong with terms that no single field shows; null: nothing. */
export function termsMistake({ zones, fees }: Pick<TariffTerms, 'zones' | 'fees'>): { field: string; words: string } | null {
  const ids = new Set<string>()
  const zoneOf = new Map<string, string>()
  for (const [i, { id, networks }] of zones.entries()) {
    if (ids.has(id)) return { field: `zones.${i}.id`, words: `Two zones are called ${id}` }
    ids.add(id)
    for (const network of networks) {
      const other = zoneOf.get(network)
      if (other !== undefined)
        return { field: `zones.${i}.networks`, words: `${network === otherNetworks ? 'The rest' : network} is in ${other} and in ${id}` }
      zoneOf.set(network, id)
    }
  }
  const steps = fees.active_monthly
  if (steps[0]!.from !== 1) return { field: 'fees.active_monthly', words: 'The first step begins at 1' }
  if (steps.some(({ from }, i) => i > 0 && from <= steps[i - 1]!.from))
    return { field: 'fees.active_monthly', words: 'Each step begins after the one before' }
  return null
}

/** Above that, a zone is one to be warned of: a megabyte costs more than this. */
export const expensiveMicros = 1_000_000
export const isExpensive = (price_micros: number): boolean => price_micros > expensiveMicros

/** What an account, or everybody, is shown of prices: the version valid today and the next one. */
export const PriceList = z.object({
  name: z.string(),
  currency: Currency,
  version: z.int(),
  effective_from: z.iso.date(),
  block_bytes: z.int(),
  rounding_scope: RoundingScopeField,
  kb: z.int(),
  fees: SimFees,
  zones: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** What it costs the reader; where that is agreed with them, also what the list says. */
      price_micros: Micros,
      list_price_micros: z.nullable(Micros),
      /** From the next version on; null: as before. */
      next_price_micros: z.nullable(Micros),
      countries: z.int(),
      networks: z.int(),
    })
  ),
  /** Which zones have networks of a country. */
  places: z.array(z.object({ country: z.string(), zone_id: z.string() })),
  next: z.nullable(z.object({ version: z.int(), effective_from: z.iso.date() })),
})
export type PriceList = z.output<typeof PriceList>

/** What data costs in one network. */
export const NetworkPrice = z.object({
  mccmnc: z.string(),
  name: z.string(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  rats: z.array(z.string()),
  /** Null: no zone has it, and nothing is charged there. */
  zone_id: z.nullable(z.string()),
  price_micros: z.nullable(Micros),
  list_price_micros: z.nullable(Micros),
  next_price_micros: z.nullable(Micros),
  /** How many of the account's network groups that have SIMs allow it; null in the general price list. */
  groups: z.nullable(z.int()),
})
export type NetworkPrice = z.output<typeof NetworkPrice>
