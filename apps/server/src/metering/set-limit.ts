import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import { defaultGroup } from '@masthead/contract/network-groups/network-group'
import type { ImeiLock } from '@masthead/contract/assets/device'
import type { LimitPeriod } from '@masthead/contract/assets/sim'
import { setImeiLockDefaults, type SimOf } from '../assets/service/index.ts'
import type { App, Tx } from '../kernel/app.ts'
import { keyed } from '../kernel/jobs/job-runners.ts'
import { blockAtLimits, unblockBelowLimits } from './data-limit.ts'
import { judgeSessions } from './connections/forbidden-sessions.ts'
import { dayOf } from './reading.ts'

/** Whose usage a limit counts: a SIM's, or that of each SIM of a group. */
type SharedScope = { account_id: string; group_id: string }
export type LimitScope = SharedScope | { account_id: string; sim_id: string }

type Limit = { bytes: number; period: LimitPeriod; action?: 'block' | 'alert' }

/** A session that a meter began meanwhile, by what it knew before, is checked after so long. */
const onItsWay = '3 seconds'

const simsAtOnce = 500

/** Sets a scope's limit, in place of the one it has; `null` takes that away. What follows for one SIM is done at once, for a group's SIMs by a job. */
export async function setLimit(tx: Tx, scope: LimitScope, limit: Limit | null, at: Date): Promise<void> {
  if ('sim_id' in scope) return setSimLimits(tx, [{ ...scope, limit }], at)
  const { account_id, group_id } = scope
  await followRaises(tx, scope, limit)
  if (limit === null) {
    await sql`delete from usage_limit where account_id = ${account_id} and group_id = ${group_id}`.execute(tx)
  } else {
    await sql`insert into usage_limit (account_id, id, group_id, period, bytes, action, created_at)
      values (${account_id}, ${newId('limit', at.getTime())}, ${group_id}, ${limit.period}, ${limit.bytes}, ${limit.action ?? 'block'}, ${at})
      on conflict (account_id, group_id) where group_id is not null
      do update set period = excluded.period, bytes = excluded.bytes, action = excluded.action,
        raised_bytes = case when usage_limit.period = excluded.period then usage_limit.raised_bytes end,
        raised_period = case when usage_limit.period = excluded.period then usage_limit.raised_period end`.execute(tx)
  }
  await followRaises(tx, scope, limit)
  await followGroup(tx, scope)
}

/** What SIMs of a group were raised to is of its limit: it stays with that, and goes with it, or where that counts another period. */
async function followRaises(tx: Tx, { account_id, group_id }: SharedScope, limit: Limit | null) {
  const raised = sql`l.account_id = ${account_id} and l.only_raise and s.account_id = l.account_id and s.id = l.sim_id and ${within(group_id)}`
  await sql`delete from usage_limit l using sim s where ${raised} and l.period is distinct from ${limit?.period ?? null}`.execute(tx)
  if (limit)
    await sql`update usage_limit l set bytes = ${limit.bytes}, action = ${limit.action ?? 'block'} from sim s where ${raised}`.execute(tx)
}

/** SIMs `s` of a group. */
const within = (group_id: string) => (group_id === defaultGroup ? sql`s.group_id is null` : sql`s.group_id = ${group_id}`)

type SimLimit = SimOf & { limit: Limit | null }

/** Sets limits of SIMs, in a fixed number of statements; `null` takes a SIM's own away, and its group's applies. */
export async function setSimLimits(tx: Tx, sims: readonly SimLimit[], at: Date): Promise<void> {
  if (sims.length === 0) return
  const rows = sims.map(({ account_id, sim_id, limit }) => ({
    account_id,
    sim_id,
    action: 'block',
    ...limit,
    id: newId('limit', at.getTime()),
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (account_id text, sim_id text, id text, period text, bytes bigint, action text)`
  // What only raises its group's limit is no limit of its own, and stays.
  await sql`delete from usage_limit l using ${given} where l.account_id = given.account_id and l.sim_id = given.sim_id and given.bytes is null
    and not l.only_raise`.execute(tx)
  await sql`insert into usage_limit (account_id, id, sim_id, period, bytes, action, created_at)
    select account_id, id, sim_id, period, bytes, action, ${at} from ${given} where bytes is not null order by account_id, sim_id
    on conflict (account_id, sim_id) where sim_id is not null
    do update set period = excluded.period, bytes = excluded.bytes, action = excluded.action, only_raise = false,
      raised_bytes = case when usage_limit.period = excluded.period then usage_limit.raised_bytes end,
      raised_period = case when usage_limit.period = excluded.period then usage_limit.raised_period end`.execute(tx)
  await judgeTwice(tx, sims, at)
}

/**
 * Has the limits of locked SIMs, and those of their account's groups, stay until the transaction ends: what is raised is there then. A SIM's own first, as whoever
 * changes a group's limit takes what it was raised to before that.
 */
export async function keepLimits(tx: Tx, account_id: string, sim_ids: readonly string[]): Promise<void> {
  await sql`select from usage_limit where account_id = ${account_id} and sim_id = any(${[...sim_ids]}::text[])
    order by sim_id for no key update`.execute(tx)
  await sql`select from usage_limit where account_id = ${account_id} and group_id is not null order by group_id for share`.execute(tx)
}

/** Allows SIMs so much in the period that runs, and in no other. One that has a limit by its group has one of its own until the raise is over. */
export async function raiseSimLimits(tx: Tx, sims: readonly (SimOf & { bytes: number })[], at: Date): Promise<void> {
  if (sims.length === 0) return
  const today = sql`${dayOf(at.getTime())}::date`
  const rows = sims.map(({ account_id, sim_id, bytes }) => ({ account_id, sim_id, bytes, id: newId('limit', at.getTime()) }))
  await sql`insert into usage_limit (account_id, id, sim_id, period, bytes, action, raised_bytes, raised_period, only_raise, created_at)
    select given.account_id, given.id, given.sim_id, l.period, l.bytes, l.action, given.bytes, limit_start(l.period, ${today}), true, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (account_id text, sim_id text, id text, bytes bigint)
      join sim_limit l on l.account_id = given.account_id and l.sim_id = given.sim_id order by 1, 3
    on conflict (account_id, sim_id) where sim_id is not null
    do update set raised_bytes = excluded.raised_bytes, raised_period = excluded.raised_period`.execute(tx)
  await judgeTwice(tx, sims, at)
}

/** Has everything of a group's SIMs decided anew, once the transaction commits. */
export async function followGroup(tx: Tx, { account_id, group_id }: { account_id: string; group_id: string }): Promise<void> {
  const [payload, key] = [JSON.stringify({ account_id, group_id }), `hold_group:${account_id}:${group_id}`]
  await sql`select graphile_worker.add_job('hold_group', ${payload}::json, job_key => ${key}, flags => ${keyed}),
    graphile_worker.add_job('hold_group', ${payload}::json, job_key => ${`${key}:again`}, flags => ${keyed}, run_at => now() + ${onItsWay}::interval)`.execute(
    tx
  )
}

/** Decides anew for each SIM of a group, whose limit, networks or lock were changed, some at a time. May be repeated. */
export async function holdGroup(app: App, { account_id, group_id }: { account_id: string; group_id: string }): Promise<void> {
  for (let after = ''; ;) {
    const { rows: sims } = await sql<SimOf>`select account_id, id as sim_id from sim s
      where account_id = ${account_id} and ${within(group_id)} and id > ${after} order by id limit ${simsAtOnce}`.execute(app.db)
    const at = app.clock.now()
    await app.db.transaction().execute(async (tx) => {
      await judgeSessions(tx, sims, at)
      await judgeLimits(tx, sims, at)
      await followLocks(tx, sims, at)
    })
    if (sims.length < simsAtOnce) return
    after = sims.at(-1)!.sim_id
  }
}

/** SIMs without a lock of their own have that of their group. */
async function followLocks(tx: Tx, sims: readonly SimOf[], at: Date) {
  const { rows } = await sql<SimOf & { mode: ImeiLock }>`select s.account_id, s.id as sim_id, g.mode
    from unnest(${sims.map((sim) => sim.account_id)}::text[], ${sims.map((sim) => sim.sim_id)}::text[]) as k(account_id, id)
      join sim s on s.account_id = k.account_id and s.id = k.id
      cross join lateral (select case when imei_lock then 'lock' else 'off' end as mode from network_group
        where account_id = s.account_id and id = coalesce(s.group_id, ${defaultGroup})) g
    where s.imei_lock_default <> g.mode`.execute(tx)
  for (const [mode, own] of Map.groupBy(rows, (row) => row.mode)) await setImeiLockDefaults(tx, own, mode, at)
}

/** Blocks and unblocks SIMs as their limits say now. */
export async function judgeLimits(tx: Tx, sims: readonly SimOf[], at: Date): Promise<void> {
  await unblockBelowLimits(tx, sims, at)
  await blockAtLimits(tx, sims, at, true)
}

/** A report that is counted meanwhile is compared with the limit of before, and its own bytes are not seen here: once it is committed, it is decided again. */
async function judgeTwice(tx: Tx, sims: readonly SimOf[], at: Date) {
  await judgeLimits(tx, sims, at)
  const payload = JSON.stringify({ sims: sims.map(({ account_id, sim_id }) => ({ account_id, sim_id })) })
  await sql`select graphile_worker.add_job('judge_limits', ${payload}::json, run_at => now() + ${onItsWay}::interval)`.execute(tx)
}

/**
 * Decides anew for SIMs of an account (at most some hundred) that were put into another group: at once about its limit and its lock, and once the transaction
 * commits about their sessions, as whoever locks sessions does so before SIMs.
 */
export async function followMove(tx: Tx, account_id: string, sim_ids: readonly string[], at: Date): Promise<void> {
  const sims = sim_ids.map((sim_id) => ({ account_id, sim_id }))
  // What was raised was the limit of the group they were in.
  await sql`delete from usage_limit where account_id = ${account_id} and sim_id = any(${[...sim_ids]}::text[]) and only_raise`.execute(tx)
  await judgeTwice(tx, sims, at)
  await followLocks(tx, sims, at)
  const payload = JSON.stringify({ account_id, sim_ids })
  await sql`select graphile_worker.add_job('judge_sessions', ${payload}::json),
    graphile_worker.add_job('judge_sessions', ${payload}::json, run_at => now() + ${onItsWay}::interval)`.execute(tx)
}
