import * as rules from '@masthead/contract/devices/agent/agent-rules-operations'
import * as apps from '@masthead/contract/devices/agent/app-operations'
import type { Application, ContainerAction } from '@masthead/contract/devices/agent/application'
import * as own from '@masthead/contract/devices/agent/device-operations'
import * as ops from '@masthead/contract/devices/agent/operations'
import type { Operation, Parsed } from '@masthead/contract/kernel/operation'
import { getAssetId } from '../../assets/index.ts'
import { actorMay, type Actor, type Db, type Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { reach, read, write, type Route } from '../../kernel/http/routes.ts'
import { certificatesOfBrokers } from '../broker/broker-row.ts'
import { lookAtContainer, orEvents } from '../status/progress-events.ts'
import { getAgentRules, updateAgentRules } from './agent-rules.ts'
import { deployApp, updateApp } from './apps.ts'
import { followLogs, readFollowedLogs, readLogs, rebootDevice, requestAgentLogs, requestLogs } from './ask-device.ts'
import { changeContainer, deployContainer, removeContainer, runContainer } from './change-container.ts'
import { removeCertificate, setCertificate } from './certificate.ts'
import { makeClaimCode, useClaimCode } from './claim.ts'
import { getApplication, withoutLogs } from './container-rows.ts'
import { getDesiredState } from './desired-state.ts'
import { limitClaims } from './limit-claims.ts'
import { getOurId } from './our-type.ts'
import { ownHosts } from './own-hosts.ts'
import { getRegistryLogin } from './registry-pass.ts'
import { getAgent, updateAgent } from './update-agent.ts'

const shown = async ({ db, config, actor }: { db: Db; config: Config; actor: Actor }, asset_id: string): Promise<Application> => {
  const application = await getApplication(db, ownHosts(config), actor.account_id, asset_id)
  return actorMay(actor, ops.requestLogs.access) ? application : withoutLogs(application)
}

type Changes = Operation & Pick<typeof ops.removeContainer, 'reply'>
type Change<Op extends Changes> = (call: Parsed<Op> & { db: Tx; actor: Actor }, asset_id: string) => Promise<void>

/** A change of what an asset is to run, which answers with that. */
const changes = <Op extends Changes>(op: Op, change: Change<Op>): Route =>
  write(op, async (call) => {
    const asset_id = await getAssetId(call.db, call.actor, (call.params as { asset_id: string }).asset_id)
    await change(call, asset_id)
    return (await shown(call, asset_id)) as never
  })

type Runs = typeof ops.startContainer | typeof ops.stopContainer | typeof ops.restartContainer
const runs = (op: Runs, action: ContainerAction): Route =>
  changes(op, ({ db, actor, params }, asset_id) => runContainer(db, actor, asset_id, params.name, action))

export const agentRoutes: Route[] = [
  read(rules.getAgentRules, ({ db, config, actor }) => getAgentRules(db, config, actor)),
  write(rules.updateAgentRules, ({ db, config, actor, body }) => updateAgentRules(db, config, actor, body)),
  write(ops.makeClaimCode, async ({ db, actor, params }) => makeClaimCode(db, actor, await getAssetId(db, actor, params.asset_id))),
  limitClaims(
    write(own.claimDevice, async ({ db, actor, body, config }) => ({
      ...(await useClaimCode(db, actor, body)),
      mqtt_port: config.ports.mqtt,
      mqtts_port: config.ports.mqtts,
      mqtts_ca: await certificatesOfBrokers(db, actor.at),
    }))
  ),
  reach(own.getDesiredState, ({ app, request }) => getDesiredState(app, request)),
  reach(own.getRegistryLogin, ({ app, request }) => getRegistryLogin(app, request)),
  read(ops.getApplication, async (call) => shown(call, await getOurId(call.db, call.actor, call.params.asset_id))),
  orEvents(
    lookAtContainer,
    changes(ops.deployContainer, ({ db, actor, body }, asset_id) => deployContainer(db, actor, asset_id, body))
  ),
  orEvents(
    lookAtContainer,
    changes(ops.updateContainer, ({ db, actor, params, body }, asset_id) =>
      changeContainer(db, actor, asset_id, { ...body, name: params.name })
    )
  ),
  orEvents(
    lookAtContainer,
    changes(apps.deployApp, ({ db, actor, body }, asset_id) => deployApp(db, actor, asset_id, body))
  ),
  orEvents(
    lookAtContainer,
    changes(apps.updateApp, ({ db, actor, params, body }, asset_id) => updateApp(db, actor, asset_id, params.name, body))
  ),
  runs(ops.startContainer, 'start'),
  runs(ops.stopContainer, 'stop'),
  runs(ops.restartContainer, 'restart'),
  changes(ops.removeContainer, ({ db, actor, params }, asset_id) => removeContainer(db, actor, asset_id, params.name)),
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
  write(ops.setCertificate, async ({ db, config, actor, params, body }) => {
    const asset_id = await getAssetId(db, actor, params.asset_id)
    await setCertificate(db, actor, asset_id, body.certificate)
    return getAgent(db, config, actor.account_id, asset_id)
  }),
  write(ops.removeCertificate, async ({ db, config, actor, params }) => {
    const asset_id = await getAssetId(db, actor, params.asset_id)
    await removeCertificate(db, actor, asset_id)
    return getAgent(db, config, actor.account_id, asset_id)
  }),
  write(ops.updateAgent, async ({ db, config, actor, params }) =>
    updateAgent(db, config, actor, await getAssetId(db, actor, params.asset_id))
  ),
]
