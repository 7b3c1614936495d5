import * as z from 'zod/mini'
import { BlockCode, SimStatus } from '../assets/sim.ts'
import { Currency, Micros } from '../billing/money.ts'
import { Bytes, Time } from '../kernel/fields.ts'
import { OveragePercent, type OveragePolicy, OveragePolicy as Policy, PoolKind, Validity } from './package.ts'

/**
 * `active`: there is data left. `overage`: used up, and more is allowed. `exhausted`: nothing more is allowed, so its SIMs have no service, unless another pool
 * of theirs has data. `ended`: its last term is over.
 */
const poolStates = { active: 'Active', overage: 'Used up', exhausted: 'Exhausted', ended: 'Ended' } as const
export type PoolState = keyof typeof poolStates
export const PoolState = z.enum(Object.keys(poolStates) as [PoolState, ...PoolState[]])

/** Shares of a pool, in per cent, at which a notification is sent. */
export const Thresholds = z
  .array(z.int({ error: 'Enter whole per cents, like 80, 95' }).check(z.minimum(1, 'At least 1 %'), z.maximum(500, 'At most 500 %')))
  .check(z.maxLength(10, 'At most 10 thresholds'))

export const PoolForecast = z.object({
  /** At this pace; of the last seven days at most. */
  bytes_per_day: Bytes,
  /** What is used at the end of the term at this pace, and the range that it is likely within. */
  at_end: z.object({ low: Bytes, expected: Bytes, high: Bytes }),
  /** When nothing is left, should that come before the end of the term; the range as well. Null: it lasts. */
  runs_out: z.nullable(z.object({ earliest: Time, expected: Time, latest: z.nullable(Time) })),
})
export type PoolForecast = z.output<typeof PoolForecast>

export const DataPool = z.object({
  id: z.string(),
  name: z.string(),
  package: z.object({ id: z.string(), name: z.string() }),
  kind: PoolKind,
  /** By the account itself: its terms are paid from the balance. */
  bought: z.boolean(),
  /** What its package gives in a term: to the pool, or for each SIM where the kind is `dynamic`. */
  unit_bytes: Bytes,
  /** A SIM that joins within a term brings, and costs, its share of the days that are left. */
  prorate_first: z.boolean(),
  zone: z.nullable(z.string()),
  countries: z.int(),
  state: PoolState,
  /** The term that runs, or the last one. */
  term_start: Time,
  term_end: Time,
  validity: Validity,
  size_bytes: Bytes,
  /** All that was taken from it, overage too. */
  used_bytes: Bytes,
  /** Of that, what was beyond its size. */
  overage_bytes: Bytes,
  remaining_bytes: Bytes,
  used_up_at: z.nullable(Time),
  exhausted_at: z.nullable(Time),
  sims: z.int(),
  /** That took data from it in this term; counted up to 10,000. */
  sims_used: z.int(),
  /** Of a term; of each SIM in it where the kind is `dynamic`. Null: not for who asks, who neither sees billing nor may buy. */
  price_micros: z.nullable(Micros),
  currency: Currency,
  auto_renew: z.boolean(),
  overage_policy: Policy,
  overage_percent: z.nullable(OveragePercent),
  thresholds: Thresholds,
  /** The lower, the sooner its data is taken where a SIM is in several pools; of two that are alike the one whose term ends first. */
  priority: z.int(),
  /** Bytes of each day of the term until today, days of UTC. */
  days: z.array(z.object({ day: z.iso.date(), bytes: Bytes, overage_bytes: Bytes })),
  forecast: z.nullable(PoolForecast),
  opened_at: Time,
  /** Before the end of its term where staff ended it, or it was not paid for. */
  ended_at: z.nullable(Time),
  /** The viewer's access is limited to some tags: what is said is of the whole pool, and assets are all they may change of it, see {@link poolClosedWords}. */
  limited: z.boolean(),
})
export type DataPool = z.output<typeof DataPool>

/** Why somebody may change nothing of a pool but which of their assets are in it; null when they may. */
export const poolClosedWords = (limited: boolean): string | null =>
  limited ? 'Your access is limited to some tags, so you cannot change a data pool that others draw from' : null

/** Why a pool cannot be given more data for its term by whoever pays it, in words; null: it can. */
export const whyNoMore = ({ bought, kind }: Pick<DataPool, 'bought' | 'kind'>): string | null =>
  !bought
    ? 'Your provider opened this data pool: ask them for more data'
    : kind === 'dynamic'
      ? 'Each SIM of this data pool brings its own data: add assets'
      : null

/** Why somebody may buy no pool; null when they may. */
export const buyingClosedWords = (limited: boolean): string | null =>
  limited ? 'Your access is limited to some tags, and a data pool is the whole account’s to buy' : null

/** So far the SIMs that used data are counted: of more it is known that they are at least so many. */
export const mostSimsCounted = 10_000

/** A SIM of a pool, or one that has left it, with what it took in the term that runs. */
export const PoolSim = z.object({
  asset_id: z.string(),
  asset_name: z.string(),
  sim_id: z.string(),
  iccid: z.string(),
  status: SimStatus,
  /** What is held against it, in the order in which reasons stand everywhere. */
  blocks: z.array(BlockCode),
  bytes: Bytes,
  overage_bytes: Bytes,
  /** By its asset, by a tag of its asset, or by both. */
  by_asset: z.boolean(),
  by_tag: z.nullable(z.string()),
  since: Time,
  /** Null: it is in the pool. */
  left_at: z.nullable(Time),
})
export type PoolSim = z.output<typeof PoolSim>

export type Overage = { overage_policy: OveragePolicy; overage_percent: number | null }

/** Bytes beyond its size that a pool may give in a term; null: any number. */
export const overageAllowed = ({ overage_policy, overage_percent }: Overage, size_bytes: number): number | null =>
  overage_policy === 'payg' ? null : overage_policy === 'stop' ? 0 : Math.floor((size_bytes * (overage_percent ?? 0)) / 100)

/** What happens after the pool, in words: "stop", "20 % more, then stop", "pay as you go". */
export const overageWords = ({ overage_policy, overage_percent }: Overage): string =>
  overage_policy === 'payg' ? 'pay as you go' : overage_policy === 'stop' ? 'stop' : `${overage_percent} % more, then stop`
