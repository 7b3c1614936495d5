import { deviceCut } from '@masthead/contract/backoffice/events'
import { deviceCutAlready } from '@masthead/contract/backoffice/problems'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { cutDevice } from '../../devices/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { needRightsOnThings } from '../staff/staff.ts'
import { recordStaff } from '../staff/staff-log.ts'

/** Refuses a device of any account from now on. Throws not_found, device_cut_already, staff_own_account, staff_may_more. */
export async function cutBrokerClient(tx: Tx, actor: Actor, device_id: string, reason: string): Promise<void> {
  const found = await tx
    .selectFrom('device as d')
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'd.account_id').onRef('asset.id', '=', 'd.asset_id'))
    .innerJoin('person as owner', 'owner.account_id', 'd.account_id')
    .select(['d.account_id', 'd.asset_id', 'd.cut_at', 'asset.name as asset_name', 'owner.email'])
    .where('d.id', '=', device_id)
    .executeTakeFirst()
  if (!found) throw new Problem(notFound)
  const { account_id, asset_id, asset_name, email } = found
  await needRightsOnThings(tx, actor, { id: account_id, email })
  if (found.cut_at) throw new Problem(deviceCutAlready)
  await cutDevice(tx, { account_id, device_id, by: actor.email, at: actor.at })
  await recordStaff(
    tx,
    actor,
    deviceCut,
    { asset_id, asset_name, reason },
    { account: { id: account_id, email }, asset_id, target: asset_name, reason }
  )
}
