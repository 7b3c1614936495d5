import { sql } from 'kysely'
import { rolloutJoined } from '@masthead/contract/alpon-fleets/events'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { moveOn } from './control-rollout.ts'

type Fleet = { id: string; name: string; version: number | null }

/**
 * Gives assets that joined a fleet its current version: they become devices of the last phase of the rollout that brought it, which goes on
 * for them when it was finished. After an aborted rollout a fleet has no current version.
 */
export async function joinRollout(tx: Tx, actor: Actor, { id: fleet_id, name: fleet_name, version }: Fleet, asset_ids: readonly string[]) {
  const { account_id } = actor
  if (version === null) return
  const rollout = await tx
    .selectFrom('rollout')
    .select(['id', 'plan', 'state'])
    .where('account_id', '=', account_id)
    .where('fleet_id', '=', fleet_id)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!rollout || rollout.state === 'aborted') return
  await sql`insert into rollout_device (account_id, rollout_id, asset_id, phase, state)
    select ${account_id}, ${rollout.id}, asset_id, ${rollout.plan.phases.length - 1}, 'pending' from unnest(${[...asset_ids]}::text[]) as asset_id
    on conflict (account_id, rollout_id, asset_id) do update
      set phase = excluded.phase, state = 'pending', attempts = 0, settled_at = null, error = null`.execute(tx)
  if (rollout.state === 'finished')
    await tx
      .updateTable('rollout')
      .set({ state: 'running', finished_at: null })
      .where('account_id', '=', account_id)
      .where('id', '=', rollout.id)
      .execute()
  await moveOn(tx, account_id, rollout.id)
  await record(tx, actor, rolloutJoined, { fleet_id, fleet_name, version, rollout_id: rollout.id, joined: asset_ids.length })
}

/** A rollout waits no more for assets that left the fleet, and begins nothing on them. They keep what is wanted of them. */
export async function leaveRollouts(tx: Tx, account_id: string, fleet_id: string, asset_ids: readonly string[]) {
  // The rollout first, as whoever moves it on does.
  const open = await tx
    .selectFrom('rollout')
    .select('id')
    .where('account_id', '=', account_id)
    .where('fleet_id', '=', fleet_id)
    .where('state', 'in', ['running', 'paused', 'halted'])
    .forUpdate()
    .executeTakeFirst()
  if (!open) return
  await sql`delete from rollout_device where account_id = ${account_id} and rollout_id = ${open.id}
    and asset_id = any(${[...asset_ids]}::text[]) and state in ('pending', 'started')`.execute(tx)
  await moveOn(tx, account_id, open.id)
}
