import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import type { SimOf } from '../assets/service/index.ts'
import type { App, Tx } from '../kernel/app.ts'
import { blockAtLimits, unblockBelowLimits } from './data-limit.ts'
import { dayOf } from './reading.ts'

/** Whose usage a limit counts: a SIM's, or that of each SIM of a group. */
export type LimitScope = { account_id: string } & ({ sim_id: string } | { group_id: string })

const simsAtOnce = 500

const columnOf = (scope: LimitScope) => ('sim_id' in scope ? 'sim_id' : 'group_id')

/** Sets a scope's limit, in place of the one it has; `null` takes that away. What follows for one SIM is done at once, for a group's SIMs by a job. */
export async function setLimit(tx: Tx, scope: LimitScope, limit: { bytes: number; period: LimitPeriod } | null, at: Date): Promise<void> {
  const column = sql.ref(columnOf(scope))
  const of = sql`account_id = ${scope.account_id} and ${column} = ${scopeId(scope)}`
  if (limit === null) {
    await sql`delete from usage_limit where ${of}`.execute(tx)
  } else {
    await sql`insert into usage_limit (account_id, id, ${column}, period, bytes, created_at)
      values (${scope.account_id}, ${newId('limit', at.getTime())}, ${scopeId(scope)}, ${limit.period}, ${limit.bytes}, ${at})
      on conflict (account_id, ${column}) where ${column} is not null
      do update set period = excluded.period, bytes = excluded.bytes,
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

const scopeId = (scope: LimitScope) => ('sim_id' in scope ? scope.sim_id : scope.group_id)

/** Decides anew for whom the limit concerns. */
async function follow(tx: Tx, scope: LimitScope, at: Date) {
  const { account_id } = scope
  if ('sim_id' in scope) {
    await unblockBelowLimits(tx, [scope], at)
    return blockAtLimits(tx, [scope], at)
  }
  const { group_id } = scope
  const payload = JSON.stringify({ account_id, group_id })
  await sql`select graphile_worker.add_job('hold_group', ${payload}::json, job_key => ${`hold_group:${group_id}`})`.execute(tx)
}

/** Decides anew for each SIM of a group, whose limit was changed, some at a time. May be repeated. */
export async function holdGroup(app: App, { account_id, group_id }: { account_id: string; group_id: string }): Promise<void> {
  for (let after = ''; ;) {
    const { rows: sims } = await sql<SimOf>`select account_id, id as sim_id from sim
      where account_id = ${account_id} and group_id = ${group_id} and id > ${after} order by id limit ${simsAtOnce}`.execute(app.db)
    const at = app.clock.now()
    await app.db.transaction().execute(async (tx) => {
      await unblockBelowLimits(tx, sims, at)
      await blockAtLimits(tx, sims, at)
    })
    if (sims.length < simsAtOnce) return
    after = sims.at(-1)!.sim_id
  }
}
