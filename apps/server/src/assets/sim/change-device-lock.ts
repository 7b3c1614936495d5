import { acceptsDevice, type ImeiLock, mostImeis } from '@masthead/contract/assets/device'
import { imeiLockSet } from '@masthead/contract/assets/events'
import { deviceNotSeen, tooManyDevices } from '@masthead/contract/assets/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getSimForUpdate, type LockedSim } from '../asset-queries.ts'
import { setImeiLocks } from '../service/index.ts'

type Wanted = { mode: ImeiLock | null; imeis?: string[] | undefined }

/** Says which devices a SIM may be used in. One in use that is not accepted is cut at once. Throws asset_has_no_sim. */
export async function setDeviceLock(tx: Tx, actor: Actor, asset_id: string, { mode, imeis }: Wanted): Promise<void> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  const kept = await getDevice(tx, actor, sim)
  await lockTo(tx, actor, sim, mode, imeis ? [...new Set(imeis)] : kept.imeis)
}

type Accepted = { alone: boolean; imei?: string | undefined }

/**
 * Accepts the device that the SIM was seen in last: beside those it has, or alone, which also locks it to that one. Throws asset_has_no_sim,
 * device_not_seen, too_many_devices.
 */
export async function acceptDevice(tx: Tx, actor: Actor, asset_id: string, { alone, imei: meant }: Accepted): Promise<void> {
  const sim = await getSimForUpdate(tx, actor, asset_id)
  const { imei, imeis, imei_lock } = await getDevice(tx, actor, sim)
  if (imei === null) throw new Problem(deviceNotSeen)
  if (meant !== undefined && meant !== imei) throw new Problem(deviceNotSeen, `The SIM was seen in another device since then, IMEI ${imei}`)
  if (alone) return lockTo(tx, actor, sim, 'lock', [imei])
  const isKnown = imeis.length > 0 && acceptsDevice({ imei_lock: 'lock', imeis }, imei)
  if (!isKnown && imeis.length >= mostImeis) throw new Problem(tooManyDevices)
  await lockTo(tx, actor, sim, imei_lock, isKnown ? imeis : [...imeis, imei])
}

const getDevice = (tx: Tx, { account_id }: Actor, { sim_id }: LockedSim) =>
  tx
    .selectFrom('sim')
    .select(['imei', 'imeis', 'imei_lock'])
    .where('account_id', '=', account_id)
    .where('id', '=', sim_id)
    .executeTakeFirstOrThrow()

async function lockTo(tx: Tx, actor: Actor, sim: LockedSim, own: ImeiLock | null, imeis: string[]) {
  // Before the block goes, so that a time line reads in the order of cause and effect.
  await record(tx, actor, imeiLockSet, { ...sim, own, imeis })
  await setImeiLocks(tx, [{ account_id: actor.account_id, sim_id: sim.sim_id, own, imeis }], actor.at)
}
