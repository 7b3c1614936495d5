import { sql } from 'kysely'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import { blockScope, clearScope, poolExhaustedBlock, type SimOf } from '../assets/service/index.ts'
import type { App, Tx } from '../kernel/app.ts'
import { limitNow } from '../usage/index.ts'
import { startOfNext } from './data-limit.ts'

type LimitOf = { account_id: string; limit_id: string }
type PoolOf = { account_id: string; pool_id: string }

const simsAtOnce = 500

/** What of the pool's limit `l` is used now, and what it allows. */
const nowOf = (at: Date) => {
  const { start, allows } = limitNow(at)
  const used = sql`coalesce((select sum(p.bytes) from pool_counter p
    where p.account_id = l.account_id and p.limit_id = l.id and p.period_start = ${start}), 0)`
  return { start, allows, used }
}

/** Has the rows of the pools' SIMs follow, once the transaction commits. */
export async function followPools(tx: Tx, pools: readonly PoolOf[]): Promise<void> {
  if (pools.length === 0) return
  await sql`select graphile_worker.add_job('hold_pool', pool, job_key => 'hold_pool:' || (pool ->> 'pool_id'))
    from unnest(${pools.map(({ account_id, pool_id }) => JSON.stringify({ account_id, pool_id }))}::json[]) as k(pool)`.execute(tx)
}

/**
 * Decides that pools are used up, where that is so and was not decided: one row each. The next Access-Request reads it; the rows of the pool's
 * SIMs follow by a job.
 */
export async function exhaustPools(tx: Tx, limits: readonly LimitOf[], at: Date): Promise<void> {
  if (limits.length === 0) return
  const { start, allows, used } = nowOf(at)
  const [accounts, ids] = [limits.map((limit) => limit.account_id), limits.map((limit) => limit.limit_id)]
  const { rows } = await sql<PoolOf>`with k as (
      select l.account_id, l.id from usage_limit l join (select distinct * from unnest(${accounts}::text[], ${ids}::text[]) as given(account_id, id)) given
        on l.account_id = given.account_id and l.id = given.id and l.pool_id is not null and l.reached_at is null
      order by 1, 2 for no key update of l
    ) update usage_limit l set reached_at = ${at}, reached_period = ${start} from k
    where l.account_id = k.account_id and l.id = k.id and ${used} >= ${allows}
    returning l.account_id, l.pool_id`.execute(tx)
  await followPools(tx, rows)
}

/** Takes back that pools are used up, where their period is over or they have data again. Of some limits, or of all. */
async function refillPools(tx: Tx, at: Date, only?: readonly LimitOf[]): Promise<void> {
  const { allows, used } = nowOf(at)
  const which = only
    ? sql`(l.account_id, l.id) in (select * from unnest(${only.map((limit) => limit.account_id)}::text[], ${only.map((limit) => limit.limit_id)}::text[]))`
    : sql`true`
  const { rows } = await sql<PoolOf>`update usage_limit l set reached_at = null, reached_period = null
    where ${which} and l.reached_at is not null and ${used} < ${allows} returning l.account_id, l.pool_id`.execute(tx)
  await followPools(tx, rows)
}

/** Decides anew about the pools of some SIMs, whose counters were moved. */
export async function checkPoolsOf(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  const { rows } = await sql<LimitOf>`select distinct l.account_id, l.id as limit_id
    from unnest(${sims.map((sim) => sim.account_id)}::text[], ${sims.map((sim) => sim.sim_id)}::text[]) as k(account_id, id)
      join sim s on s.account_id = k.account_id and s.id = k.id
      join usage_limit l on l.account_id = s.account_id and l.pool_id = s.pool_id`.execute(tx)
  await decidePools(tx, rows, at)
}

/** Decides anew about pools: whether they are used up, and whether they have data again. */
export async function decidePools(tx: Tx, limits: readonly LimitOf[], at: Date): Promise<void> {
  if (limits.length === 0) return
  await refillPools(tx, at, limits)
  await exhaustPools(tx, limits, at)
}

/** Looks after all pools: a crossing that two batches made together, and periods that are over. */
export async function checkPools(app: App): Promise<void> {
  const at = app.clock.now()
  await app.db.transaction().execute(async (tx) => {
    const { allows, used } = nowOf(at)
    const { rows } = await sql<LimitOf>`select l.account_id, l.id as limit_id from usage_limit l
      where l.pool_id is not null and l.reached_at is null and ${used} >= ${allows}`.execute(tx)
    await exhaustPools(tx, rows, at)
    await refillPools(tx, at)
  })
}

/** Brings the rows of a pool's SIMs in step with the decision about it. May be repeated, and come late: it looks at what is decided now. */
export async function holdPool(app: App, { account_id, pool_id }: PoolOf): Promise<void> {
  for (let changed = simsAtOnce; changed === simsAtOnce;) {
    changed = await app.db.transaction().execute(async (tx) => {
      // Locked, so that two decisions never work against each other.
      const limit = await tx
        .selectFrom('usage_limit')
        .select(['period', 'reached_at', 'reached_period'])
        .where('account_id', '=', account_id)
        .where('pool_id', '=', pool_id)
        .forShare()
        .executeTakeFirst()
      const scope = { account_id, pool_id }
      const sims = limit?.reached_at
        ? await blockScope(tx, scope, blockOf(limit.reached_at, limit.period, limit.reached_period!), simsAtOnce)
        : await clearScope(tx, scope, 'pool_exhausted', simsAtOnce)
      return sims.length
    })
  }
}

const blockOf = (reached_at: Date, period: LimitPeriod, start: string) =>
  poolExhaustedBlock({ reached_at, clears: `${startOfNext(period, start)}, or when the pool gets more data` })
