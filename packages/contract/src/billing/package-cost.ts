import * as z from 'zod/mini'
import { PoolKind, type OveragePolicy, type Validity } from '../datapools/package.ts'
import { overageAllowed } from '../datapools/pool.ts'
import { Bytes } from '../kernel/fields.ts'
import { Month } from './cost.ts'
import { Currency, micros, Micros } from './money.ts'

/** What the data of a month would have cost on a package that is offered, in place of the data pools of then. */
export const PackageCost = z.object({
  package_id: z.string(),
  name: z.string(),
  kind: PoolKind,
  zone: z.nullable(z.string()),
  /** Of the package for the whole month: of a longer or shorter term its part, or so many of them; of one that each SIM brings, all of them. */
  size_bytes: Bytes,
  price_micros: Micros,
  /** SIMs that used data where it has some. */
  sims: z.int(),
  /** Used where it has data, beyond its size. */
  beyond_bytes: Bytes,
  /** It would have given less than that, so that SIMs had had no service. */
  stops: z.boolean(),
  /** With its price, what goes beyond it, and data elsewhere by pay as you go. */
  would_micros: Micros,
})
export type PackageCost = z.output<typeof PackageCost>

/** Amounts are before tax and without what SIMs cost. */
export const PackageCosts = z.object({
  month: Month,
  /** Null: billing is off, and nothing is charged. */
  currency: z.nullable(Currency),
  /** What was used, and what it cost with the data pools of then. */
  bytes: Bytes,
  charged_micros: Micros,
  /** Cheapest first. */
  items: z.array(PackageCost),
})
export type PackageCosts = z.output<typeof PackageCosts>

/** What was used of a network, in its zone of then, and the price of a megabyte of `kb` × `kb` bytes by pay as you go. */
export type UsedOf = { zone: string | null; bytes: number; price_micros: number; kb: number }
type Offered = {
  kind: PoolKind
  size_bytes: number
  zone: string | null
  validity: Validity
  price_micros: number
  overage_policy: OveragePolicy
  overage_percent: number | null
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
const costOf = (used: readonly UsedOf[]) => sum(used.map(({ bytes, price_micros, kb }) => (bytes * price_micros) / kb ** 2))

/**
 * What the usage of a month of so many days had cost on a package: data is taken as it was used, without what a block rounds up, and which of it was beyond the package is not
 * asked, so that this part has the mean price of all. `sims`: those that used data in its zone.
 */
export function packageCost(
  offered: Offered,
  { used, sims, days }: { used: readonly UsedOf[]; sims: number; days: number }
): Pick<PackageCost, 'size_bytes' | 'price_micros' | 'beyond_bytes' | 'stops' | 'would_micros'> {
  const { kind, zone, validity, overage_policy, overage_percent } = offered
  const isHere = (one: UsedOf) => zone === null || one.zone === zone
  const [here, elsewhere] = [used.filter(isHere), used.filter((one) => !isHere(one))]
  const units = (kind === 'dynamic' ? sims : 1) * (validity.unit === 'month' ? 1 / validity.count : days / validity.count)
  const size_bytes = Math.floor(offered.size_bytes * units)
  const bytes = sum(here.map((one) => one.bytes))
  const beyond_bytes = Math.max(0, bytes - size_bytes)
  const allowed = overageAllowed({ overage_policy, overage_percent }, size_bytes)
  const price_micros = micros(Math.round(offered.price_micros * units))
  const beyond = allowed === null && bytes > 0 ? (costOf(here) * beyond_bytes) / bytes : 0
  return {
    size_bytes,
    price_micros,
    beyond_bytes,
    stops: allowed !== null && beyond_bytes > allowed,
    would_micros: micros(price_micros + Math.round(beyond + costOf(elsewhere))),
  }
}
