import { listTransactions } from '@masthead/contract/billing/operations'
import { billedBytes, costOf } from '@masthead/contract/billing/rating'
import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { findBillingAccount } from '../../billing/ledger/index.ts'
import { type Rate, ratesOf } from '../../billing/rating/index.ts'
import { actorMay, type Db } from '../../kernel/app.ts'
import { textArray } from '../../kernel/array-literals.ts'
import type { Value } from '../../kernel/http/csv.ts'
import type { Asked } from './asset-sims.ts'
import { lookUp } from './look-up.ts'

type Counted = { sim_id: string; event_at: Date; received_at: Date; mccmnc: string; bytes_up: number; bytes_down: number }
/** `starts`: when the session of each began, as far as that is kept: what a record is of was used since then. */
type CostsOf = (part: readonly Counted[], starts: readonly (Date | undefined)[]) => Promise<Value[][]>
type Term = { starts_at: Date; ends_at: Date }

export const recordCostColumns = ['zone', 'price_micros', 'cost_micros', 'currency'] as const
const none: Value[] = recordCostColumns.map(() => null)

const dayMs = 86_400_000
/** By the day, since 1970, on which it was used, and the network: "20777 262-01". A gateway's clock may be ahead of ours. */
const rateAt = ({ mccmnc }: Counted, at: Date) => `${Math.floor(at.getTime() / dayMs)} ${mccmnc}`
const rateOf = (record: Counted) => rateAt(record, record.event_at < record.received_at ? record.event_at : record.received_at)

/**
 * The price of each record, and what it cost where that is exact: the price list rounds each record by itself, and all that it may be of has one price, is of one month,
 * and nothing of a data pool or of a free test. A session, day or month is rounded as a whole, and what pools gave is not kept by record: there a record has no cost of its own. For who sees the ledger.
 */
export async function recordCosts(db: Db, { actor, start }: Asked): Promise<CostsOf> {
  const { account_id } = actor
  const billing = actorMay(actor, listTransactions.access) ? await findBillingAccount(db, account_id) : null
  if (!billing) return async (part) => part.map(() => none)
  const ratesFor = lookUp((names) => ratesBy(db, account_id, names))
  const termsFor = lookUp((sims) => termsOf(db, account_id, sims, start))
  const { rows: given } = await sql<{ has_terms: boolean }>`select exists (select from data_pool where account_id = ${account_id})
    or exists (select from sim where account_id = ${account_id} and test_bytes is not null) as has_terms`.execute(db)
  return async (part, starts) => {
    const used = part.map(rateOf)
    const began = part.map((record, n) => starts[n] && rateAt(record, starts[n]))
    const rates = await ratesFor([...used, ...began.filter((name) => name !== undefined)])
    const isAlone = (n: number) => rates.get(used[n]!)?.rate?.rounding_scope === 'record'
    const terms = given[0]!.has_terms ? await termsFor(part.flatMap(({ sim_id }, n) => (isAlone(n) ? [sim_id] : []))) : null
    return part.map((record, n) => {
      const { day, rate } = rates.get(used[n]!)!
      if (!rate) return none
      const [start, first] = [starts[n], began[n] === undefined ? undefined : rates.get(began[n])]
      const isExact =
        isAlone(n) &&
        start !== undefined &&
        first?.rate?.name === rate.name &&
        // Of the first day of an agreement, what was used before it was made has no price.
        first.day > rate.from_day &&
        first.day.slice(0, 7) === day.slice(0, 7) &&
        !terms?.get(record.sim_id)?.some(({ starts_at, ends_at }) => starts_at <= record.event_at && ends_at > start)
      return [rate.zone_id, rate.price_micros, isExact ? priceOf(record, rate) : null, billing.currency]
    })
  }
}

const priceOf = ({ bytes_up, bytes_down }: Counted, { block_bytes, price_micros, kb }: Rate) =>
  Number(costOf(billedBytes(BigInt(bytes_up) + BigInt(bytes_down), block_bytes), BigInt(price_micros), kb))

async function ratesBy(
  db: Db,
  account_id: string,
  names: readonly string[]
): Promise<Map<string, { day: string; rate: Rate | undefined }>> {
  const asked = names.map((name) => {
    const [day, mccmnc] = name.split(' ') as [string, string]
    return { account_id, day: dayOf(Number(day) * dayMs), mccmnc }
  })
  const rateFor = await ratesOf(db, asked)
  return new Map(names.map((name, n) => [name, { day: asked[n]!.day, rate: rateFor(asked[n]!) }]))
}

/** Terms of data pools that SIMs had a part in, as far as records of the period may be of them, and their free tests: until they were active. */
async function termsOf(db: Db, account_id: string, sims: readonly string[], start: Date): Promise<Map<string, Term[]>> {
  const { rows } = await sql<Term & { sim_id: string }>`select u.sim_id, t.starts_at, t.ends_at from data_pool_term t
      join data_pool_usage u on u.account_id = t.account_id and u.pool_id = t.pool_id and u.starts_at = t.starts_at
    where t.account_id = ${account_id} and t.ends_at >= date_trunc('month', ${start}::timestamptz, 'UTC') and u.sim_id = any(${textArray(sims)}::text[])
    union all select id, created_at - interval '1 day', coalesce(activated_at, '9999-01-01') from sim
    where account_id = ${account_id} and test_bytes is not null and id = any(${textArray(sims)}::text[])`.execute(db)
  return Map.groupBy(rows, ({ sim_id }) => sim_id)
}
