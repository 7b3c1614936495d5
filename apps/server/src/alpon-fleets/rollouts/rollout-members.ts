import { sql } from 'kysely'
import { assetRestored, rolloutJoined } from '@masthead/contract/alpon-fleets/events'
import { restoreClosedWords } from '@masthead/contract/alpon-fleets/fleet'
import { assetNotRestorable } from '@masthead/contract/alpon-fleets/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../../assets/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { findNameInFleet, getFleetForUpdate } from '../fleet-queries.ts'
import { moveOn } from './control-rollout.ts'

type Fleet = { id: string; name: string; version: number | null }

/**
 * Gives assets that joined a fleet its current version: they become devices of the last phase of the rollout that brought it. One that has finished stays
 * so: it is brought to them as to a device that is restored. After an aborted rollout a fleet has no current version.
 */
export async function joinRollout(tx: Tx, actor: Actor, { id: fleet_id, name: fleet_name, version }: Fleet, asset_ids: readonly string[]) {
  if (version === null) return
  const rollout = await findNewest(tx, actor.account_id, fleet_id)
  if (!rollout || rollout.state === 'aborted') return
  await addTo(tx, actor, rollout, asset_ids, { phase: rollout.plan.phases.length - 1, restored: rollout.state === 'finished' })
  await record(tx, actor, rolloutJoined, { fleet_id, fleet_name, version, rollout_id: rollout.id, joined: asset_ids.length })
}

/**
 * Brings one asset to the version of its fleet again. The rollout that brought it stays as it is, and what becomes of this one halts no other. Throws
 * not_found, asset_not_restorable.
 */
export async function restoreAsset(
  tx: Tx,
  actor: Actor,
  { fleet_id, asset_id: key }: { fleet_id: string; asset_id: string }
): Promise<{ version: number }> {
  const { account_id } = actor
  const { name: fleet_name, pilot_asset_id, version: wanted } = await getFleetForUpdate(tx, actor, fleet_id)
  const asset_id = await getAssetId(tx, actor, key)
  const asset_name = await findNameInFleet(tx, actor, { fleet_id, asset_id })
  if (asset_name === undefined) throw new Problem(notFound)
  const rollout = wanted === null ? undefined : await findNewest(tx, account_id, fleet_id)
  const device =
    rollout &&
    (await tx
      .selectFrom('rollout_device')
      .select(['state', 'phase'])
      .where('account_id', '=', account_id)
      .where('rollout_id', '=', rollout.id)
      .where('asset_id', '=', asset_id)
      .executeTakeFirst())
  const version = !rollout || rollout.state === 'aborted' ? null : rollout.version
  const reason = restoreClosedWords(version, asset_id === pilot_asset_id, device?.state ?? null)
  if (reason !== null || !rollout || version === null) throw new Problem(assetNotRestorable, reason ?? undefined)
  await addTo(tx, actor, rollout, [asset_id], { phase: device?.phase ?? rollout.plan.phases.length - 1, restored: true })
  await record(tx, actor, assetRestored, { fleet_id, fleet_name, version, rollout_id: rollout.id, asset_id, asset_name })
  return { version }
}

/** The newest rollout of a fleet, which nobody else moves on until the transaction ends. */
const findNewest = (tx: Tx, account_id: string, fleet_id: string) =>
  tx
    .selectFrom('rollout')
    .select(['id', 'version', 'plan', 'state'])
    .where('account_id', '=', account_id)
    .where('fleet_id', '=', fleet_id)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

type Newest = NonNullable<Awaited<ReturnType<typeof findNewest>>>

/** Assets wait for the version of a rollout. */
async function addTo(
  tx: Tx,
  { account_id, email }: Actor,
  { id }: Newest,
  asset_ids: readonly string[],
  { phase, restored }: { phase: number; restored: boolean }
) {
  await sql`insert into rollout_device (account_id, rollout_id, asset_id, phase, restored, brought_by, state)
    select ${account_id}, ${id}, asset_id, ${phase}, ${restored}, ${email}, 'pending' from unnest(${[...asset_ids]}::text[]) as asset_id
    on conflict (account_id, rollout_id, asset_id) do update
      set phase = excluded.phase, restored = excluded.restored, brought_by = excluded.brought_by, state = 'pending', attempts = 0, settled_at = null, error = null`.execute(
    tx
  )
  await moveOn(tx, account_id, id)
}

/** A rollout waits no more for assets that left the fleet, and begins nothing on them. They keep what is wanted of them. */
export async function leaveRollouts(tx: Tx, account_id: string, fleet_id: string, asset_ids: readonly string[]) {
  // The rollout first, as whoever moves it on does. One that has finished may still restore some.
  const newest = await findNewest(tx, account_id, fleet_id)
  if (!newest || newest.state === 'aborted') return
  await sql`delete from rollout_device where account_id = ${account_id} and rollout_id = ${newest.id}
    and asset_id = any(${[...asset_ids]}::text[]) and state in ('pending', 'started')`.execute(tx)
  await moveOn(tx, account_id, newest.id)
}
