import { deviceEnrolled } from '@masthead/contract/devices/events'
import { deviceKindOf } from '@masthead/contract/devices/device-kind'
import { coreDeviceOnly } from '@masthead/contract/devices/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { enrolDevice } from './enrol-device.ts'
import { getDeviceAsset } from './get-device.ts'

/** A new token of a CORE device, for somebody who sets it up. Throws not_found, core_device_only. */
export async function giveCredentials(tx: Tx, actor: Actor, key: string) {
  const { asset_id, asset_name, type } = await getDeviceAsset(tx, actor, key)
  if (deviceKindOf(type) !== 'core') throw new Problem(coreDeviceOnly)
  const login = await enrolDevice(tx, { account_id: actor.account_id, asset_id, kind: 'core', at: actor.at })
  await record(tx, actor, deviceEnrolled, { asset_id, asset_name })
  return { ...login, client_id: `device/${login.username}` }
}
