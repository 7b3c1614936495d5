import * as rules from '@masthead/contract/devices/agent/agent-rules-operations'
import * as ops from '@masthead/contract/devices/agent/operations'
import { getAssetId } from '../../assets/index.ts'
import { actorMay, type Actor, type Tx } from '../../kernel/app.ts'
import { reach, read, write, type Route } from '../../kernel/http/routes.ts'
import { getAgentRules, updateAgentRules } from './agent-rules.ts'
import { followLogs, readFollowedLogs, readLogs, rebootDevice, requestAgentLogs, requestLogs } from './ask-device.ts'
import { deployContainer, removeContainer, runContainer, updateContainer } from './change-container.ts'
import { makeClaimCode, useClaimCode } from './claim.ts'
import { getApplication, withoutLogs } from './container-rows.ts'
import { getDesiredState } from './desired-state.ts'
import { limitClaims } from './limit-claims.ts'
import { getRegistryLogin } from './registry-pass.ts'
import { getAgent, updateAgent } from './update-agent.ts'

type Named = { db: Tx; actor: Actor; params: { asset_id: string; name: string } }

const runs =
  (action: Parameters<typeof runContainer>[4]) =>
  async ({ db, actor, params }: Named) =>
    runContainer(db, actor, await getAssetId(db, actor, params.asset_id), params.name, action)

export const agentRoutes: Route[] = [
  read(rules.getAgentRules, ({ db, config, actor }) => getAgentRules(db, config, actor)),
  write(rules.updateAgentRules, ({ db, config, actor, body }) => updateAgentRules(db, config, actor, body)),
  write(ops.makeClaimCode, async ({ db, actor, params }) => makeClaimCode(db, actor, await getAssetId(db, actor, params.asset_id))),
  limitClaims(
    write(ops.claimDevice, async ({ db, actor, body, config }) => ({
      ...(await useClaimCode(db, actor, body)),
      mqtt_port: config.ports.mqtt,
      mqtts_port: config.ports.mqtts,
    }))
  ),
  reach(ops.getDesiredState, ({ app, request }) => getDesiredState(app, request)),
  reach(ops.getRegistryLogin, ({ app, request }) => getRegistryLogin(app, request)),
  read(ops.getApplication, async ({ db, actor, params }) => {
    const application = await getApplication(db, actor.account_id, await getAssetId(db, actor, params.asset_id))
    return actorMay(actor, 'assets.edit') ? application : withoutLogs(application)
  }),
  write(ops.deployContainer, async ({ db, actor, params, body }) =>
    deployContainer(db, actor, await getAssetId(db, actor, params.asset_id), body)
  ),
  write(ops.updateContainer, async ({ db, actor, params, body }) =>
    updateContainer(db, actor, await getAssetId(db, actor, params.asset_id), params.name, body)
  ),
  write(ops.startContainer, runs('start')),
  write(ops.stopContainer, runs('stop')),
  write(ops.restartContainer, runs('restart')),
  write(ops.removeContainer, async ({ db, actor, params }) =>
    removeContainer(db, actor, await getAssetId(db, actor, params.asset_id), params.name)
  ),
  write(ops.requestLogs, async ({ db, actor, params, body }) =>
    requestLogs(db, actor, await getAssetId(db, actor, params.asset_id), { name: params.name, lines: body.lines })
  ),
  write(ops.requestAgentLogs, async ({ db, actor, params, body }) =>
    requestAgentLogs(db, actor, await getAssetId(db, actor, params.asset_id), body)
  ),
  read(ops.getLogs, async ({ db, actor, params }) => readLogs(db, actor, await getAssetId(db, actor, params.asset_id), params.request_id)),
  write(ops.followLogs, async ({ db, actor, params }) => followLogs(db, actor, await getAssetId(db, actor, params.asset_id), params.name)),
  read(ops.getFollowedLogs, async ({ db, actor, params }) =>
    readFollowedLogs(db, actor, await getAssetId(db, actor, params.asset_id), params.name)
  ),
  write(ops.rebootDevice, async ({ db, actor, params }) => rebootDevice(db, actor, await getAssetId(db, actor, params.asset_id))),
  read(ops.getAgent, async ({ db, config, actor, params }) =>
    getAgent(db, config, actor.account_id, await getAssetId(db, actor, params.asset_id))
  ),
  write(ops.updateAgent, async ({ db, config, actor, params }) =>
    updateAgent(db, config, actor, await getAssetId(db, actor, params.asset_id))
  ),
]
