import { agentUpdateAsked } from '@masthead/contract/devices/agent/events'
import { ReportedState } from '@masthead/contract/devices/agent/messages'
import { agentUpToDate } from '@masthead/contract/devices/agent/problems'
import { isNewer, type Agent, type WantedAgent } from '@masthead/contract/devices/agent/update'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import type { Config } from '../../kernel/config.ts'
import { record } from '../../kernel/record.ts'
import { assetNameOf, getAgentDevice, versionOf } from './agent-device.ts'
import { notifyDevice } from './change-container.ts'
import { offeredAgent } from './offered-agent.ts'

type Built = Pick<Config, 'agentDir'>
export const updateId = idKind('upd')

const findUpdate = (db: Db, account_id: string, device_id: string) =>
  db.selectFrom('agent_update').selectAll().where('account_id', '=', account_id).where('device_id', '=', device_id).executeTakeFirst()

/** What the device said of an update last, as far as it has the shape of a report. */
const reportedUpdate = (said: unknown) =>
  ReportedState.shape.update.safeParse((said as { update?: unknown } | undefined)?.update).data ?? null

export async function getAgent(db: Db, config: Built, account_id: string, asset_id: string): Promise<Agent> {
  const device = await getAgentDevice(db, account_id, asset_id)
  const offered = offeredAgent(config)?.version ?? null
  const asked = await findUpdate(db, account_id, device.id)
  const version = versionOf(device.reported.agent)
  const said = reportedUpdate(device.reported.agent)
  const certificate = device.certificate_hash && { ends_at: device.certificate_ends_at?.toISOString() ?? null }
  return { version, offered, newer: isNewer(offered, version), certificate, update: asked ? { ...asAsked(asked), ...howFar() } : null }

  function howFar() {
    const answer = said?.id === asked!.id ? said : null
    if (answer) return { state: answer.state, words: answer.words, at: answer.at, percent: answer.percent ?? null }
    if (version === asked!.version) return { state: 'done' as const, words: null, at: null, percent: null }
    return { state: asked!.version === offered ? ('asked' as const) : ('lapsed' as const), words: null, at: null, percent: null }
  }
}

const asAsked = ({ version, asked_by, asked_at }: { version: string; asked_by: string; asked_at: Date }) => ({
  version,
  asked_by,
  asked_at: asked_at.toISOString(),
})

/** Has a device update its agent to the version that the server has, at once or when it is back. */
export async function updateAgent(tx: Tx, config: Built, actor: Actor, asset_id: string): Promise<Agent> {
  const { account_id, at, email } = actor
  const { id: device_id } = await getAgentDevice(tx, account_id, asset_id)
  const { offered: version, newer } = await getAgent(tx, config, account_id, asset_id)
  if (!newer || version === null) throw new Problem(agentUpToDate)
  const row = { id: newId(updateId, at.getTime()), version, asked_by: email, asked_at: at }
  await tx
    .insertInto('agent_update')
    .values({ account_id, device_id, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'device_id']).doUpdateSet(row))
    .execute()
  await notifyDevice(tx, actor, asset_id)
  await record(tx, actor, agentUpdateAsked, { asset_id, asset_name: await assetNameOf(tx, account_id, asset_id), version })
  return getAgent(tx, config, account_id, asset_id)
}

/** The update that a device is to make, for the device itself. */
export async function wantedAgent(db: Db, config: Built, account_id: string, device_id: string): Promise<WantedAgent | null> {
  const asked = await findUpdate(db, account_id, device_id)
  const offered = asked && offeredAgent(config)
  return offered && offered.version === asked.version ? { id: asked.id, ...offered } : null
}
