import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { Currency, Micros } from './money.ts'

/** What costs are made of, in the words of the console. */
export const costKinds = {
  payg: 'Pay-as-you-go',
  pool_overage: 'Beyond a pool',
  data_pool: 'Data pools',
  sim_active: 'Active SIMs',
  sim_inactive: 'Inactive SIMs',
  sim_standby: 'SIMs on standby',
  sim_activation: 'Activations',
  sim_reactivation: 'Reactivations',
  refund: 'Refunds',
} as const
export type CostKind = keyof typeof costKinds
export const CostKind = z.enum(Object.keys(costKinds) as [CostKind, ...CostKind[]])
export const isDataCost = (kind: CostKind): boolean => kind === 'payg' || kind === 'pool_overage'

export const Month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month, like 2026-11'))

export const MonthCost = z.object({
  month: Month,
  kinds: z.array(z.object({ kind: CostKind, micros: Micros })),
  micros: Micros,
  /** Of what pay as you go costs, that of each zone of the price list, the most first. Null for who is limited by tags: `by=zone` says it of a month. */
  zones: z.nullable(z.array(z.object({ zone: z.string(), name: z.string(), micros: Micros }))),
  /** What stands beside the costs: credits that were given, less what was taken back of them, and tax on payments. Null for who does not see the ledger, or is limited by tags. */
  granted_micros: z.nullable(Micros),
  tax_micros: z.nullable(Micros),
})
export type MonthCost = z.output<typeof MonthCost>

/** What a month costs, and the eleven before it. */
export const CostSummary = z.object({
  /** Null: billing is off, and nothing is charged. */
  currency: z.nullable(Currency),
  month: Month,
  /** From then on it does not change any more: until then usage of it may still be reported. */
  closes_at: Time,
  is_closed: z.boolean(),
  /** Oldest first; the last one is the month that was asked for. */
  months: z.array(MonthCost),
  bytes: Bytes,
  /** Where data goes on as until now; null once the month is over, and on its first day. */
  projected_micros: z.nullable(Micros),
  /** SIMs that cost something. */
  sims: z.int(),
})
export type CostSummary = z.output<typeof CostSummary>
/** Of an account that is billed. */
export type BilledCosts = CostSummary & { currency: Currency }

export const CostGrouping = z.enum(['country', 'zone', 'tag', 'group', 'asset'])
export type CostGrouping = z.output<typeof CostGrouping>

/** The part of one country, zone, tag, group or asset. */
export const CostShare = z.object({
  /** Empty: none of them. */
  id: z.string(),
  name: z.string(),
  micros: Micros,
  /** In the month before. */
  before_micros: Micros,
  bytes: Bytes,
})
export type CostShare = z.output<typeof CostShare>

/** What data would cost by the end of a month, from what it cost until now; fees are charged already. */
export function projectedCost({ kinds }: Pick<MonthCost, 'kinds'>, month: string, at: Date): number | null {
  const start = Date.parse(`${month}-01T00:00:00Z`)
  const end = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)))
  const passed = at.getTime() - start
  if (passed < 86_400_000 || at.getTime() >= end) return null
  return Math.round(kinds.reduce((sum, { kind, micros }) => sum + (isDataCost(kind) ? (micros * (end - start)) / passed : micros), 0))
}
