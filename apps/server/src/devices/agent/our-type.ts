import { runsContainers } from '@masthead/contract/devices/agent/application'
import { deviceNotEnrolled, onOtherAsset, runsNoAgent } from '@masthead/contract/devices/agent/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../../assets/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'

/** The id of an asset whose type runs our agent, whether or not one is set up: of another there would never be anything to say. Throws not_found, device_not_enrolled. */
export async function getOurId(db: Db, actor: Actor, key: string): Promise<string> {
  const id = await getAssetId(db, actor, key)
  const asset = db.selectFrom('asset').select('type').where('account_id', '=', actor.account_id).where('id', '=', id)
  const { type } = await asset.executeTakeFirstOrThrow()
  if (!runsContainers(type)) throw new Problem(onOtherAsset(deviceNotEnrolled), runsNoAgent)
  return id
}
