import { sql } from 'kysely'
import { phasesOf } from '@masthead/contract/alpon-fleets/plan-rollout'
import { rolloutAborted, rolloutPaused, rolloutResumed, rolloutRetried, rolloutStarted } from '@masthead/contract/alpon-fleets/events'
import { fleetHasNoPilot, rolloutOpen, rolloutWrongState } from '@masthead/contract/alpon-fleets/problems'
import {
  retryClosedWords,
  rolloutClosedWords,
  type Rollout,
  type RolloutPlan,
  type RolloutState,
} from '@masthead/contract/alpon-fleets/rollout'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { record } from '../../kernel/record.ts'
import { getFleetForUpdate, needWhole } from '../fleet-queries.ts'
import { getRollout, getRolloutForUpdate } from './rollout-queries.ts'
import { endTries } from './rollout-tries.ts'
import { getVersion } from './version-queries.ts'

export const rolloutId = idKind('rol')

/** Moves a rollout on, now or later; of those that wait for one rollout one is enough. */
export const moveOn = (tx: Tx, account_id: string, rollout_id: string, runAt?: Date) =>
  addJob(tx, 'alpon_fleets.advance_rollout', { account_id, rollout_id }, { key: `rollout:${rollout_id}`, ...(runAt && { runAt }) })

/** Rolls a version out to the devices that are in the fleet now; the pilot is in the first phase. */
export async function startRollout(
  tx: Tx,
  actor: Actor,
  fleet_id: string,
  { version, plan }: { version: number; plan: RolloutPlan }
): Promise<Rollout> {
  needWhole(actor)
  const { account_id, at, email: started_by } = actor
  const { name: fleet_name, pilot_asset_id } = await getFleetForUpdate(tx, actor, fleet_id)
  await getVersion(tx, account_id, fleet_id, version)
  const open = await tx
    .selectFrom('rollout')
    .select(['id', 'version'])
    .where('account_id', '=', account_id)
    .where('fleet_id', '=', fleet_id)
    .where('state', 'in', ['running', 'paused', 'halted'])
    .executeTakeFirst()
  if (open) throw new Problem(rolloutOpen, `The rollout of version ${open.version} is not over. Abort it, or wait until it has finished`)
  if (plan.pilot_minutes && pilot_asset_id === null)
    throw new Problem(fleetHasNoPilot, 'Choose the pilot first, or roll out without a time that it runs the version before others')
  await stopRestoring(tx, account_id, fleet_id, at)
  const id = newId(rolloutId, at.getTime())
  await tx
    .insertInto('rollout')
    .values({ account_id, id, fleet_id, version, plan: JSON.stringify(plan), state: 'running', pilot_asset_id, started_at: at, started_by })
    .execute()
  // Another order each time, so that it is not always the same devices that are the first.
  const { rows } = await sql<{
    asset_id: string
  }>`select asset_id from fleet_asset where account_id = ${account_id} and fleet_id = ${fleet_id}
    order by asset_id is distinct from ${pilot_asset_id}, md5(asset_id || ${id})`.execute(tx)
  const phases = phasesOf(rows.length, plan)
  await sql`insert into rollout_device (account_id, rollout_id, asset_id, phase, state)
    select ${account_id}, ${id}, asset_id, phase, 'pending'
    from unnest(${rows.map(({ asset_id }) => asset_id)}::text[], ${phases}::smallint[]) as given (asset_id, phase)`.execute(tx)
  await tx.updateTable('fleet').set({ version }).where('account_id', '=', account_id).where('id', '=', fleet_id).execute()
  await moveOn(tx, account_id, id)
  await record(tx, actor, rolloutStarted, { fleet_id, fleet_name, version, rollout_id: id })
  return getRollout(tx, actor, fleet_id, id)
}

/** Devices that the rollout before still restores are left to one that begins now. */
async function stopRestoring(tx: Tx, account_id: string, fleet_id: string, at: Date) {
  // The rollout first, as whoever moves it on does.
  const before = await tx
    .selectFrom('rollout')
    .select('id')
    .where('account_id', '=', account_id)
    .where('fleet_id', '=', fleet_id)
    .where('state', '=', 'finished')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!before) return
  const because = 'A newer rollout began before it was done'
  const begun = await tx
    .selectFrom('rollout_device')
    .select('asset_id')
    .where('account_id', '=', account_id)
    .where('rollout_id', '=', before.id)
    .where('restored', '=', true)
    .where('state', '=', 'started')
    .execute()
  const ids = begun.map(({ asset_id }) => asset_id)
  await endTries(tx, { account_id, rollout_id: before.id }, { ids, state: 'failure', because: () => because, at })
  // What waits has begun no try.
  await tx
    .updateTable('rollout_device')
    .set({ state: 'failure', error: because, settled_at: at })
    .where('account_id', '=', account_id)
    .where('rollout_id', '=', before.id)
    .where('restored', '=', true)
    .where('state', '=', 'pending')
    .execute()
}

const events = { pause: rolloutPaused, resume: rolloutResumed, abort: rolloutAborted, retry: rolloutRetried } as const

/**
 * Pauses, resumes or aborts a rollout, or has its failed devices tried again; these also where it is the newest of its fleet and has finished. Throws
 * rollout_wrong_state.
 */
export async function controlRollout(
  tx: Tx,
  actor: Actor,
  { fleet_id, rollout_id: id }: { fleet_id: string; rollout_id: string },
  action: keyof typeof events
): Promise<Rollout> {
  needWhole(actor)
  const { account_id, at } = actor
  const { name: fleet_name, pilot_asset_id } = await getFleetForUpdate(tx, actor, fleet_id)
  const rollout = await getRolloutForUpdate(tx, actor, fleet_id, id)
  const reason =
    action === 'retry' && (await isNewest(tx, account_id, fleet_id, id))
      ? retryClosedWords(rollout.state)
      : rolloutClosedWords(rollout.state)
  if (reason !== null) throw new Problem(rolloutWrongState, reason)
  if (action === 'retry') await tryAgain(tx, actor, rollout, pilot_asset_id)
  const next = after(action, rollout.state, at)
  if (next) await tx.updateTable('rollout').set(next).where('account_id', '=', account_id).where('id', '=', id).execute()
  if (action !== 'abort') await moveOn(tx, account_id, id)
  // Devices have one version or the other: whoever joins gets none of them until there is a new rollout.
  else await tx.updateTable('fleet').set({ version: null }).where('account_id', '=', account_id).where('id', '=', fleet_id).execute()
  await record(tx, actor, events[action], { fleet_id, fleet_name, version: rollout.version, rollout_id: id })
  return getRollout(tx, actor, fleet_id, id)
}

async function isNewest(tx: Tx, account_id: string, fleet_id: string, id: string): Promise<boolean> {
  const newer = await tx
    .selectFrom('rollout')
    .select('id')
    .where('account_id', '=', account_id)
    .where('fleet_id', '=', fleet_id)
    .where('id', '>', id)
    .executeTakeFirst()
  return newer === undefined
}

/** What a rollout is after somebody did something with it; null: as it was. */
function after(action: keyof typeof events, state: RolloutState, at: Date) {
  if (action === 'pause') return { state: 'paused' as const }
  if (action === 'abort') return { state: 'aborted' as const, finished_at: at }
  // With the failed ones tried again a halted rollout goes on; a paused one stays so until it is resumed, and a finished one for good.
  if (action === 'retry' && (state === 'paused' || state === 'finished')) return null
  // Somebody saw the failures of one that halted; a pause forgives none.
  return { state: 'running' as const, ...(state === 'halted' && { resumed_at: at }) }
}

/**
 * What failed waits again. Of a rollout that has finished it is brought the version as to a device that is restored: the pilot of now is not. Throws
 * rollout_wrong_state where nothing is.
 */
async function tryAgain(
  tx: Tx,
  { account_id, email: brought_by }: Actor,
  { id, fleet_id, state }: { id: string; fleet_id: string; state: RolloutState },
  pilot_asset_id: string | null
) {
  const restored = state === 'finished'
  const { numUpdatedRows } = await tx
    .updateTable('rollout_device')
    .set({ state: 'pending', attempts: 0, settled_at: null, error: null, restored, brought_by })
    .where('account_id', '=', account_id)
    .where('rollout_id', '=', id)
    .where('state', '=', 'failure')
    // One that left the fleet since keeps what is wanted of it, perhaps by another fleet.
    .where(
      'asset_id',
      'in',
      tx.selectFrom('fleet_asset').select('asset_id').where('account_id', '=', account_id).where('fleet_id', '=', fleet_id)
    )
    .$if(restored && pilot_asset_id !== null, (failed) => failed.where('asset_id', '<>', pilot_asset_id!))
    .executeTakeFirst()
  // Nothing would come of it, and the activities would say that something was tried.
  if (restored && numUpdatedRows === 0n)
    throw new Problem(
      rolloutWrongState,
      'No device is left to try again: those that failed wait for it already, left the fleet, or are its pilot'
    )
}
