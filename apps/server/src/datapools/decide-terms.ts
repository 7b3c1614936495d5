import { sql } from 'kysely'
import { poolExhausted, poolRefilled, poolThresholdReached, poolUsedUp } from '@masthead/contract/datapools/events'
import { overageAllowed, type Overage } from '@masthead/contract/datapools/pool'
import { type Tx, systemActor } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'

/** A term by its key. */
export type TermOf = { account_id: string; pool_id: string; starts_at: Date }

type Row = TermOf &
  Overage & {
    pool_name: string
    is_running: boolean
    thresholds: number[]
    size_bytes: number
    within_bytes: number
    over_bytes: number
    used_up_at: Date | null
    exhausted_at: Date | null
    notified: number[]
  }

/** What stands of a term, from its sums. Pure. */
export function standingOf({
  size_bytes,
  within_bytes,
  over_bytes,
  thresholds,
  ...overage
}: Omit<Row, 'notified' | 'used_up_at' | 'exhausted_at'>) {
  const most_over = overageAllowed(overage, size_bytes)
  // A dynamic pool without SIMs has no size to use up.
  const is_used_up = size_bytes > 0 && within_bytes >= size_bytes
  return {
    is_used_up,
    is_exhausted: is_used_up && most_over !== null && over_bytes >= most_over,
    overshoot_bytes: most_over === null ? 0 : Math.max(0, over_bytes - most_over),
    reached: thresholds
      .filter((percent) => size_bytes > 0 && (within_bytes + over_bytes) * 100 >= percent * size_bytes)
      .toSorted((a, b) => a - b),
  }
}

/**
 * Decides about terms whose sums or conditions have moved: thresholds, that the size is used up, that nothing more is given, and that there is data again. The
 * row of the term is the decision, which the next Access-Request reads; the rows of the SIMs follow by a job. Whoever moves sums or conditions has the
 * pools' locks.
 */
export async function decideTerms(tx: Tx, terms: readonly TermOf[], at: Date): Promise<void> {
  if (terms.length === 0) return
  const { rows } =
    await sql<Row>`select t.account_id, t.pool_id, t.starts_at, p.name as pool_name, p.ended_at is null and p.term_starts_at = t.starts_at as is_running,
      p.thresholds, p.overage_policy, p.overage_percent, t.size_bytes, t.used_up_at, t.exhausted_at, t.notified,
      coalesce((select sum(c.within_bytes) from data_pool_counter c where c.account_id = t.account_id and c.pool_id = t.pool_id and c.starts_at = t.starts_at), 0)::bigint as within_bytes,
      coalesce((select sum(c.over_bytes) from data_pool_counter c where c.account_id = t.account_id and c.pool_id = t.pool_id and c.starts_at = t.starts_at), 0)::bigint as over_bytes
    from unnest(${terms.map((term) => term.account_id)}::text[], ${terms.map((term) => term.pool_id)}::text[], ${terms.map((term) => term.starts_at)}::timestamptz[])
        as k(account_id, pool_id, starts_at)
      join data_pool_term t on t.account_id = k.account_id and t.pool_id = k.pool_id and t.starts_at = k.starts_at
      join data_pool p on p.account_id = t.account_id and p.id = t.pool_id
    order by t.account_id, t.pool_id, t.starts_at for no key update of t`.execute(tx)
  for (const row of rows) await decide(tx, row, at)
}

async function decide(tx: Tx, row: Row, at: Date) {
  const { account_id, pool_id, starts_at, pool_name, is_running, overage_policy, overage_percent, size_bytes } = row
  const { is_used_up, is_exhausted, overshoot_bytes, reached } = standingOf(row)
  const isUsedUpNow = is_used_up && !row.used_up_at
  const isExhaustedNow = is_exhausted && !row.exhausted_at
  const isRefilledNow = !is_exhausted && row.exhausted_at !== null
  const fresh = reached.filter((percent) => !row.notified.includes(percent))
  await tx
    .updateTable('data_pool_term')
    .set({
      used_up_at: is_used_up ? (row.used_up_at ?? at) : null,
      exhausted_at: is_exhausted ? (row.exhausted_at ?? at) : null,
      notified: reached,
    })
    .where('account_id', '=', account_id)
    .where('pool_id', '=', pool_id)
    .where('starts_at', '=', starts_at)
    .execute()
  if (!is_running) return
  const actor = systemActor(account_id, at)
  const pool = { pool_id, pool_name }
  // One event for what was crossed at once: the furthest says it all.
  if (fresh.length > 0 && !isUsedUpNow && !isExhaustedNow) {
    await record(tx, actor, poolThresholdReached, { ...pool, percent: fresh.at(-1)!, size_bytes })
  }
  if (isUsedUpNow && !is_exhausted) await record(tx, actor, poolUsedUp, { ...pool, overage_policy, overage_percent })
  if (isExhaustedNow) await record(tx, actor, poolExhausted, { ...pool, overshoot_bytes })
  if (isRefilledNow) await record(tx, actor, poolRefilled, pool)
  // Without credits a SIM may not be where its pool is used up, also where it gives more that is charged.
  const isTurned = is_used_up !== (row.used_up_at !== null)
  if (isTurned || isExhaustedNow || isRefilledNow) await sql`select pools_changed(${account_id})`.execute(tx)
}
