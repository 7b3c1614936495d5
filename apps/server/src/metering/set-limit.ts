import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import type { SimOf } from '../assets/service/index.ts'
import type { App, Tx } from '../kernel/app.ts'
import { blockAtLimits, unblockBelowLimits } from './data-limit.ts'
import { dayOf } from './reading.ts'

/** Whose usage a limit counts: a SIM's, or that of each SIM of a group. */
type SharedScope = { account_id: string; group_id: string }
export type LimitScope = SharedScope | { account_id: string; sim_id: string }

const simsAtOnce = 500

/** Sets a scope's limit, in place of the one it has; `null` takes that away. What follows for one SIM is done at once, for a group's SIMs by a job. */
export async function setLimit(tx: Tx, scope: LimitScope, limit: { bytes: number; period: LimitPeriod } | null, at: Date): Promise<void> {
  if ('sim_id' in scope) return setSimLimits(tx, [{ ...scope, limit }], at)
  const { account_id, group_id } = scope
  if (limit === null) {
    await sql`delete from usage_limit where account_id = ${account_id} and group_id = ${group_id}`.execute(tx)
  } else {
    await sql`insert into usage_limit (account_id, id, group_id, period, bytes, created_at)
      values (${account_id}, ${newId('limit', at.getTime())}, ${group_id}, ${limit.period}, ${limit.bytes}, ${at})
      on conflict (account_id, group_id) where group_id is not null
      do update set period = excluded.period, bytes = excluded.bytes,
        raised_bytes = case when usage_limit.period = excluded.period then usage_limit.raised_bytes end,
        raised_period = case when usage_limit.period = excluded.period then usage_limit.raised_period end`.execute(tx)
  }
  await follow(tx, scope)
}

type SimLimit = SimOf & { limit: { bytes: number; period: LimitPeriod } | null }

/** Sets limits of SIMs, in a fixed number of statements; `null` takes a SIM's own away, and its group's applies. */
export async function setSimLimits(tx: Tx, sims: readonly SimLimit[], at: Date): Promise<void> {
  if (sims.length === 0) return
  const rows = sims.map(({ account_id, sim_id, limit }) => ({ account_id, sim_id, ...limit, id: newId('limit', at.getTime()) }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (account_id text, sim_id text, id text, period text, bytes bigint)`
  await sql`delete from usage_limit l using ${given} where l.account_id = given.account_id and l.sim_id = given.sim_id and given.bytes is null`.execute(
    tx
  )
  await sql`insert into usage_limit (account_id, id, sim_id, period, bytes, created_at)
    select account_id, id, sim_id, period, bytes, ${at} from ${given} where bytes is not null order by account_id, sim_id
    on conflict (account_id, sim_id) where sim_id is not null
    do update set period = excluded.period, bytes = excluded.bytes, only_raise = false,
      raised_bytes = case when usage_limit.period = excluded.period then usage_limit.raised_bytes end,
      raised_period = case when usage_limit.period = excluded.period then usage_limit.raised_period end`.execute(tx)
  await unblockBelowLimits(tx, sims, at)
  await blockAtLimits(tx, sims, at)
}

/** Allows SIMs so much in the period that runs, and in no other. One that has a limit by its group has one of its own until the raise is over. */
export async function raiseSimLimits(tx: Tx, sims: readonly (SimOf & { bytes: number })[], at: Date): Promise<void> {
  if (sims.length === 0) return
  const today = sql`${dayOf(at.getTime())}::date`
  const rows = sims.map(({ account_id, sim_id, bytes }) => ({ account_id, sim_id, bytes, id: newId('limit', at.getTime()) }))
  await sql`insert into usage_limit (account_id, id, sim_id, period, bytes, raised_bytes, raised_period, only_raise, created_at)
    select given.account_id, given.id, given.sim_id, l.period, l.bytes, given.bytes, limit_start(l.period, ${today}), true, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (account_id text, sim_id text, id text, bytes bigint)
      join sim_limit l on l.account_id = given.account_id and l.sim_id = given.sim_id order by 1, 3
    on conflict (account_id, sim_id) where sim_id is not null
    do update set raised_bytes = excluded.raised_bytes, raised_period = excluded.raised_period`.execute(tx)
  await unblockBelowLimits(tx, sims, at)
  await blockAtLimits(tx, sims, at)
}

/** Allows more in the period that runs, and in no other. Does nothing where there is no limit. */
export async function raiseLimit(tx: Tx, scope: LimitScope, bytes: number, at: Date): Promise<void> {
  if ('sim_id' in scope) return raiseSimLimits(tx, [{ ...scope, bytes }], at)
  await sql`update usage_limit set raised_bytes = ${bytes}, raised_period = limit_start(period, ${dayOf(at.getTime())}::date)
    where account_id = ${scope.account_id} and group_id = ${scope.group_id}`.execute(tx)
  await follow(tx, scope)
}

/** Decides anew for whom the limit concerns. */
async function follow(tx: Tx, { account_id, group_id }: SharedScope) {
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
