import { sql } from 'kysely'
import type { MeteredHouse } from '../test-network.ts'

type Own = { owner: { account_id: string }; sims: readonly { id: string }[]; pools: readonly { id: string }[]; at: () => Date }

/** What the product counted of a history by now, as the reference has it. */
export async function countedBy({ db }: Pick<MeteredHouse, 'db'>, { owner: { account_id }, sims, pools, at }: Own) {
  const today = at().toISOString().slice(0, 10)
  const { rows: counters } = await sql<{ sim_id: string; day: number; month: number; ever: number }>`select sim_id,
      limit_used('day', ${today}, day, day_up, day_down, period_start, bytes_up, bytes_down)::bigint as day,
      limit_used('month', ${today}, day, day_up, day_down, period_start, bytes_up, bytes_down)::bigint as month,
      lifetime_up + lifetime_down as ever from sim_counter where account_id = ${account_id}`.execute(db)
  const usage = sims.map(({ id }) => {
    const { day = 0, month = 0, ever = 0 } = counters.find(({ sim_id }) => sim_id === id) ?? {}
    return { day, month, ever }
  })
  const { rows } = await sql<{ pool_id: string; term: string; sim_id: string; within: number; over: number }>`select pool_id,
      starts_at::date::text as term, sim_id, bytes - over_bytes as within, over_bytes as over
    from data_pool_usage where account_id = ${account_id} and bytes > 0`.execute(db)
  const taken = rows.map(({ pool_id, term, sim_id, within, over }) => {
    const [p, s] = [pools.findIndex(({ id }) => id === pool_id), sims.findIndex(({ id }) => id === sim_id)]
    return `${p} ${term} ${s} ${within} ${over}`
  })
  return { usage, taken: taken.sort() }
}

/** Terms whose sums are not those of their SIMs: there are none. */
export async function unequalTerms({ db }: Pick<MeteredHouse, 'db'>, { account_id }: { account_id: string }): Promise<unknown[]> {
  const { rows } =
    await sql`select * from (select pool_id, starts_at, sum(within_bytes) as within, sum(over_bytes) as over from data_pool_counter
      where account_id = ${account_id} group by 1, 2) c full join (select pool_id, starts_at, sum(bytes - over_bytes) as within, sum(over_bytes) as over
      from data_pool_usage where account_id = ${account_id} group by 1, 2) u using (pool_id, starts_at)
    where coalesce(c.within, 0) <> coalesce(u.within, 0) or coalesce(c.over, 0) <> coalesce(u.over, 0)`.execute(db)
  return rows
}
