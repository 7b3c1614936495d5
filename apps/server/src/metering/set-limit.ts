import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import { defaultGroup } from '@masthead/contract/network-groups/network-group'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import type { SimOf } from '../assets/service/index.ts'
import type { App, Tx } from '../kernel/app.ts'
import { blockAtLimits, unblockBelowLimits } from './data-limit.ts'
import { judgeSessions } from './connections/forbidden-sessions.ts'
import { decidePools, followPools } from './pool-limit.ts'
import { dayOf } from './reading.ts'

/** Whose usage a limit counts: a SIM's, that of each SIM of a group, or that of all SIMs of a pool together. */
export type LimitScope = { account_id: string } & ({ sim_id: string } | { group_id: string } | { pool_id: string })

type Limit = { bytes: number; period: LimitPeriod; action?: 'block' | 'alert' }

/** A session that a meter began meanwhile, by what it knew before, is looked at after so long. */
const onItsWay = '3 seconds'

const simsAtOnce = 500

const columnOf = (scope: LimitScope) => ('sim_id' in scope ? 'sim_id' : 'group_id' in scope ? 'group_id' : 'pool_id')

/** Sets a scope's limit, in place of the one it has; `null` takes that away. What follows for one SIM or a pool is done at once, for a group's SIMs by a job. */
export async function setLimit(tx: Tx, scope: LimitScope, limit: Limit | null, at: Date): Promise<void> {
  const column = sql.ref(columnOf(scope))
  const of = sql`account_id = ${scope.account_id} and ${column} = ${scopeId(scope)}`
  if (limit === null) {
    await sql`delete from usage_limit where ${of}`.execute(tx)
  } else {
    await sql`insert into usage_limit (account_id, id, ${column}, period, bytes, action, created_at)
      values (${scope.account_id}, ${newId('limit', at.getTime())}, ${scopeId(scope)}, ${limit.period}, ${limit.bytes}, ${limit.action ?? 'block'}, ${at})
      on conflict (account_id, ${column}) where ${column} is not null
      do update set period = excluded.period, bytes = excluded.bytes, action = excluded.action,
        raised_bytes = case when usage_limit.period = excluded.period then usage_limit.raised_bytes end,
        raised_period = case when usage_limit.period = excluded.period then usage_limit.raised_period end`.execute(tx)
  }
  await follow(tx, scope, at)
}

/** Allows more in the period that runs, and in no other. Does nothing where there is no limit. */
export async function raiseLimit(tx: Tx, scope: LimitScope, bytes: number, at: Date): Promise<void> {
  await sql`update usage_limit set raised_bytes = ${bytes}, raised_period = limit_start(period, ${dayOf(at.getTime())}::date)
    where account_id = ${scope.account_id} and ${sql.ref(columnOf(scope))} = ${scopeId(scope)}`.execute(tx)
  await follow(tx, scope, at)
}

const scopeId = (scope: LimitScope) => ('sim_id' in scope ? scope.sim_id : 'group_id' in scope ? scope.group_id : scope.pool_id)

/** Decides anew for whom the limit concerns. */
async function follow(tx: Tx, scope: LimitScope, at: Date) {
  const { account_id } = scope
  if ('sim_id' in scope) {
    await unblockBelowLimits(tx, [scope], at)
    return blockAtLimits(tx, [scope], at, true)
  }
  if ('group_id' in scope) return followGroup(tx, scope)
  const limit = await tx
    .selectFrom('usage_limit')
    .select('id as limit_id')
    .where('account_id', '=', account_id)
    .where('pool_id', '=', scope.pool_id)
    .executeTakeFirst()
  // A pool without a limit is never used up.
  if (!limit) return followPools(tx, [scope])
  await decidePools(tx, [{ account_id, ...limit }], at)
}

/** Has everything of a group's SIMs decided anew, once the transaction commits. */
export async function followGroup(tx: Tx, { account_id, group_id }: { account_id: string; group_id: string }): Promise<void> {
  const [payload, key] = [JSON.stringify({ account_id, group_id }), `hold_group:${account_id}:${group_id}`]
  await sql`select graphile_worker.add_job('hold_group', ${payload}::json, job_key => ${key}),
    graphile_worker.add_job('hold_group', ${payload}::json, job_key => ${`${key}:again`}, run_at => now() + ${onItsWay}::interval)`.execute(
    tx
  )
}

/** Decides anew for each SIM of a group, whose limit or networks were changed, some at a time. May be repeated. */
export async function holdGroup(app: App, { account_id, group_id }: { account_id: string; group_id: string }): Promise<void> {
  const within = group_id === defaultGroup ? sql`group_id is null` : sql`group_id = ${group_id}`
  for (let after = ''; ;) {
    const { rows: sims } = await sql<SimOf>`select account_id, id as sim_id from sim
      where account_id = ${account_id} and ${within} and id > ${after} order by id limit ${simsAtOnce}`.execute(app.db)
    const at = app.clock.now()
    await app.db.transaction().execute(async (tx) => {
      await judgeSessions(tx, sims, at)
      await judgeLimits(tx, sims, at)
    })
    if (sims.length < simsAtOnce) return
    after = sims.at(-1)!.sim_id
  }
}

async function judgeLimits(tx: Tx, sims: readonly SimOf[], at: Date) {
  await unblockBelowLimits(tx, sims, at)
  await blockAtLimits(tx, sims, at, true)
}

/**
 * Decides anew for SIMs of an account (at most some hundred) that were put into another group: at once about its limit, and once the transaction
 * commits about their sessions, as whoever locks sessions does so before SIMs.
 */
export async function followMove(tx: Tx, account_id: string, sim_ids: readonly string[], at: Date): Promise<void> {
  await judgeLimits(
    tx,
    sim_ids.map((sim_id) => ({ account_id, sim_id })),
    at
  )
  const payload = JSON.stringify({ account_id, sim_ids })
  await sql`select graphile_worker.add_job('judge_sessions', ${payload}::json),
    graphile_worker.add_job('judge_sessions', ${payload}::json, run_at => now() + ${onItsWay}::interval)`.execute(tx)
}
