import * as ops from '@masthead/contract/devices/network/operations'
import { inOrder } from '@masthead/contract/devices/network/view'
import { getAssetId } from '../../assets/index.ts'
import { read, write, type Route } from '../../kernel/http/routes.ts'
import { getAgentDevice } from '../agent/agent-device.ts'
import { getOurId } from '../agent/our-type.ts'
import { retryNetwork, updateNetworkPriority, updateSimAccess } from './change-network.ts'
import { lookAtEsim, orEvents } from '../status/progress-events.ts'
import { addEsimProfile, deleteEsimProfile, getEsim, updateActiveEsim, withdrawEsimJob } from './esim.ts'
import { getNetwork } from './network-rows.ts'
import { connectWifi, forgetWifi, scanWifi } from './wifi.ts'

export const networkRoutes: Route[] = [
  read(ops.getNetwork, async ({ db, actor, params }) => getNetwork(db, actor.account_id, await getOurId(db, actor, params.asset_id))),
  read(ops.getNetworkPriority, async ({ db, actor, params }) => {
    const asset_id = await getAssetId(db, actor, params.asset_id)
    await getAgentDevice(db, actor.account_id, asset_id)
    const { wanted, reported } = await getNetwork(db, actor.account_id, asset_id)
    return { wanted: wanted?.priority ?? null, reported: inOrder(reported?.interfaces ?? []).map(({ name }) => name) }
  }),
  write(ops.updateNetworkPriority, async ({ db, actor, params, body }) =>
    updateNetworkPriority(db, actor, await getAssetId(db, actor, params.asset_id), body)
  ),
  write(ops.updateSimAccess, async ({ db, actor, params, body }) =>
    updateSimAccess(db, actor, await getAssetId(db, actor, params.asset_id), body)
  ),
  write(ops.connectWifi, async ({ db, actor, params, body }) => connectWifi(db, actor, await getAssetId(db, actor, params.asset_id), body)),
  write(ops.forgetWifi, async ({ db, actor, params, body }) => forgetWifi(db, actor, await getAssetId(db, actor, params.asset_id), body)),
  write(ops.scanWifi, async ({ db, actor, params }) => scanWifi(db, actor, await getAssetId(db, actor, params.asset_id))),
  read(ops.getEsim, async ({ db, actor, params }) => getEsim(db, actor, await getAssetId(db, actor, params.asset_id))),
  orEvents(
    lookAtEsim,
    write(ops.addEsimProfile, async ({ db, actor, params, body }) =>
      addEsimProfile(db, actor, await getAssetId(db, actor, params.asset_id), body)
    )
  ),
  orEvents(
    lookAtEsim,
    write(ops.updateActiveEsim, async ({ db, actor, params, body }) =>
      updateActiveEsim(db, actor, await getAssetId(db, actor, params.asset_id), body)
    )
  ),
  write(ops.deleteEsimProfile, async ({ db, actor, params, body }) =>
    deleteEsimProfile(db, actor, await getAssetId(db, actor, params.asset_id), body)
  ),
  write(ops.withdrawEsimJob, async ({ db, actor, params }) => withdrawEsimJob(db, actor, await getAssetId(db, actor, params.asset_id))),
  write(ops.retryNetwork, async ({ db, actor, params }) => retryNetwork(db, actor, await getAssetId(db, actor, params.asset_id))),
]
