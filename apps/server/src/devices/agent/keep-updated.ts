import { isWithin } from '@masthead/contract/alpon-fleets/plan-rollout'
import { agentLeftAloneFor, agentUpdateTakes, mostAgentFailures, mostAgentUpdates } from '@masthead/contract/devices/agent/agent-rules'
import { agentUpdated, agentUpdateFailed } from '@masthead/contract/devices/agent/events'
import { isNewer } from '@masthead/contract/devices/agent/update'
import { agentUpdatesStopped } from '@masthead/contract/devices/events'
import { sql } from 'kysely'
import { systemActor, type Actor, type App, type Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { offeredAgent } from './offered-agent.ts'
import { getAgent } from './update-agent.ts'
import { updateAgents } from './update-many.ts'

type Built = Pick<Config, 'agentDir'>

/** Adds a job for each account whose agents are updated automatically, or where such an update is under way. */
export async function wakeAgentRules({ db }: App): Promise<void> {
  const { rows } = await sql<{ account_id: string }>`select account_id from agent_rules join account on account.id = agent_rules.account_id
      where enabled and stopped_at is null and account.suspended_at is null and account.closed_at is null
    union select account_id from agent_update_try where settled_at is null`.execute(db)
  if (rows.length === 0) return
  await db.transaction().execute(async (tx) => {
    for (const { account_id } of rows)
      await addJob(tx, 'devices.keep_agents_updated', { account_id }, { key: `keep_agents_updated:${account_id}` })
  })
}

/** Settles the updates that the rules of an account began, and begins the next ones. Two at once: one of them waits. */
export async function keepAgentsUpdated({ db, config, clock }: App, { account_id }: { account_id: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const actor = systemActor(account_id, clock.now())
    const rules = await tx.selectFrom('agent_rules').selectAll().where('account_id', '=', account_id).forUpdate().executeTakeFirst()
    if (!rules) return
    const { open, ended } = await settleTries(tx, config, actor)
    const { failures, tooMany } = countFailures(rules.failures, ended)
    const stopped = rules.enabled && !rules.stopped_at ? tooMany : null
    if (ended.length > 0)
      await tx
        .updateTable('agent_rules')
        .set({ failures, ...(stopped !== null && { stopped_at: actor.at, stopped_version: stopped }) })
        .where('account_id', '=', account_id)
        .execute()
    if (stopped !== null) await record(tx, actor, agentUpdatesStopped, { version: stopped, failures: mostAgentFailures })
    if (stopped !== null || !rules.enabled || rules.stopped_at) return
    if (rules.maintenance_window && !isWithin(rules.maintenance_window, actor.at.getTime())) return
    await beginUpdates(tx, config, actor, mostAgentUpdates - open)
  })
}

type Ended = { outcome: 'success' | 'failure'; version: string }

/** How many failed in a row by now, and the version at which they were too many, if they were. */
function countFailures(before: number, ended: readonly Ended[]): { failures: number; tooMany: string | null } {
  let failures = before
  let tooMany: string | null = null
  for (const { outcome, version } of ended) {
    failures = outcome === 'success' ? 0 : failures + 1
    if (failures >= mostAgentFailures) tooMany ??= version
  }
  return { failures, tooMany }
}

type Try = {
  device_id: string
  id: string
  version: string
  begun_at: Date
  asset_id: string
  asset_name: string
  online: boolean
  asked_id: string | null
}
/** How a try ended. `dropped`: it says nothing of the version, and counts for nothing. Null: it goes on. */
type End = { outcome: 'success' | 'failure'; words: string | null } | 'dropped' | null

/** Checks how far the tries are that go on; says how many still do, and how the others ended, in the order in which they began. */
async function settleTries(tx: Tx, config: Built, actor: Actor): Promise<{ open: number; ended: Ended[] }> {
  const { account_id, at } = actor
  const { rows } = await sql<Try>`select t.device_id, t.id, t.version, t.begun_at, device.asset_id, asset.name as asset_name, device.online,
      asked.id as asked_id
    from agent_update_try t join device on device.account_id = t.account_id and device.id = t.device_id
      join asset on asset.account_id = device.account_id and asset.id = device.asset_id
      left join agent_update asked on asked.account_id = t.account_id and asked.device_id = t.device_id
    where t.account_id = ${account_id} and t.settled_at is null order by t.begun_at, t.device_id`.execute(tx)
  const ended: Ended[] = []
  let open = 0
  for (const row of rows) {
    const end = await endOf(tx, config, actor, row)
    if (end === null) {
      open++
      continue
    }
    const own = { account_id, device_id: row.device_id }
    // What was not made in time is not made later on: that may be outside of the window.
    if (end === 'dropped' || end.outcome === 'failure') await withdraw(tx, { ...own, id: row.id })
    if (end === 'dropped') {
      await tx.deleteFrom('agent_update_try').where('account_id', '=', account_id).where('device_id', '=', row.device_id).execute()
      continue
    }
    await tx
      .updateTable('agent_update_try')
      .set({ settled_at: at, ...end })
      .where('account_id', '=', account_id)
      .where('device_id', '=', row.device_id)
      .execute()
    const { asset_id, asset_name, version } = row
    if (end.outcome === 'success') await record(tx, actor, agentUpdated, { asset_id, asset_name, version })
    else await record(tx, actor, agentUpdateFailed, { asset_id, asset_name, version, words: end.words ?? '' })
    ended.push({ outcome: end.outcome, version })
  }
  return { open, ended }
}

async function endOf(tx: Tx, config: Built, { account_id, at }: Actor, row: Try): Promise<End> {
  // Somebody asked again by hand since: that is theirs.
  if (row.asked_id !== row.id) return 'dropped'
  const { update, offered } = await getAgent(tx, config, account_id, row.asset_id)
  if (!update) return 'dropped'
  const age = at.getTime() - row.begun_at.getTime()
  if (update.state === 'lapsed') {
    // One of a newer release that runs beside this one began it, and is the first to say how it ended; so where there is no agent here just now.
    const isOfAnother = offered === null || isNewer(update.version, offered)
    return isOfAnother && age < 2 * agentUpdateTakes ? null : 'dropped'
  }
  if (update.state === 'done') return { outcome: 'success', words: null }
  if (update.state === 'gone_back') return { outcome: 'failure', words: update.words ?? 'it went back to the version before' }
  if (age < agentUpdateTakes) return null
  // It went away before it had received the update.
  if (update.state === 'asked' && !row.online) return 'dropped'
  return { outcome: 'failure', words: update.words ?? `it was not done within ${agentUpdateTakes / 60_000} minutes` }
}

/** The device is not to make it any more. What it went back from it does not try again by itself, and the screen goes on saying why. */
const withdraw = (tx: Tx, { account_id, device_id, id }: { account_id: string; device_id: string; id: string }) =>
  sql`delete from agent_update u using device where device.account_id = u.account_id and device.id = u.device_id
    and u.account_id = ${account_id} and u.device_id = ${device_id} and u.id = ${id}
    and (device.reported -> 'agent' -> 'update' ->> 'id' is distinct from u.id
      or device.reported -> 'agent' -> 'update' ->> 'state' is distinct from 'gone_back')`.execute(tx)

/**
 * Asks agents to update that are online and older than what the server has, those first that were not asked for longest. What somebody asked for by hand lately is
 * theirs, unless it is older by now; at a newer release that runs beside this one it is newer.
 */
async function beginUpdates(tx: Tx, config: Built, actor: Actor, most: number): Promise<void> {
  const { account_id, at } = actor
  const version = offeredAgent(config)?.version
  if (version === undefined || most <= 0) return
  const lately = new Date(at.getTime() - agentLeftAloneFor)
  const { rows } = await sql<{ device_id: string; asset_id: string; asset_name: string }>`
    select device.id as device_id, asset.id as asset_id, asset.name as asset_name
    from device join asset on asset.account_id = device.account_id and asset.id = device.asset_id
      join account on account.id = device.account_id
      left join agent_update asked on asked.account_id = device.account_id and asked.device_id = device.id
      left join agent_update_try tried on tried.account_id = device.account_id and tried.device_id = device.id
    where device.account_id = ${account_id} and device.kind = 'agent' and device.online and device.cut_at is null
      and account.suspended_at is null and account.closed_at is null
      and string_to_array(substring(device.reported->'agent'->'versions'->>'agent' from '^[0-9]{1,5}\\.[0-9]{1,5}\\.[0-9]{1,5}$'), '.')::int[]
        < ${version.split('.').map(Number)}::int[]
      and (asked.id is null or asked.asked_at <= ${lately}
        or string_to_array(asked.version, '.')::int[] < ${version.split('.').map(Number)}::int[])
      and (tried.device_id is null or tried.outcome = 'success' or (tried.outcome = 'failure' and tried.settled_at <= ${lately}))
    order by tried.begun_at nulls first, device.id limit ${most}`.execute(tx)
  if (rows.length === 0) return
  await updateAgents(tx, actor, rows, version)
  await sql`insert into agent_update_try (account_id, device_id, id, version, begun_at)
    select account_id, device_id, id, version, asked_at from agent_update
    where account_id = ${account_id} and device_id = any(${rows.map(({ device_id }) => device_id)}::text[])
    on conflict (account_id, device_id) do update set id = excluded.id, version = excluded.version, begun_at = excluded.begun_at,
      settled_at = null, outcome = null, words = null`.execute(tx)
}
