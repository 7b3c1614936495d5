import {
  deploymentCan,
  deploymentState,
  type Deployment,
  type DeploymentOnce,
  type UpdateDeploymentBody,
} from '@masthead/contract/core/deployment'
import {
  deploymentDeleted,
  deploymentPaused,
  deploymentResumed,
  deploymentRevoked,
  deploymentUpdated,
  tokenRotated,
} from '@masthead/contract/core/events'
import { deploymentEnded, deploymentNotPausable, deploymentNotPaused } from '@masthead/contract/core/problems'
import { Problem } from '@masthead/contract/kernel/problem'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { addToken, needFreeName, readEnd, readGroup, readTags } from './create-deployment.ts'
import { getDeployment, getDeploymentForUpdate } from './deployment-queries.ts'

type Changes = z.output<typeof UpdateDeploymentBody>

const deploymentOf = (tx: Tx, { account_id }: Actor, id: string) =>
  tx.updateTable('core_deployment').where('account_id', '=', account_id).where('id', '=', id)

const named = ({ id, name }: { id: string; name: string }) => ({ core_deployment_id: id, deployment_name: name })

const groupAfter = async (tx: Tx, actor: Actor, { network_group_id: before }: { network_group_id: string | null }, body: Changes) =>
  body.network_group === undefined ? before : readGroup(tx, actor, { word: body.network_group, before })

/** What devices get that enrol from now on. */
export async function updateDeployment(tx: Tx, actor: Actor, id: string, body: Changes): Promise<Deployment> {
  const row = await getDeploymentForUpdate(tx, actor, id)
  if (!deploymentCan.update(deploymentState(row, actor.at))) throw new Problem(deploymentEnded)
  if (body.name !== undefined) await needFreeName(tx, actor, body.name, id)
  const given = {
    name: body.name ?? row.name,
    region: body.region ?? row.region,
    board: body.board ?? row.board,
    tags: body.tags ? await readTags(tx, actor, body.tags) : row.tags,
    network_group_id: await groupAfter(tx, actor, row, body),
    max_devices: body.max_devices === undefined ? row.max_devices : body.max_devices,
    // An end that stands may be sent along with other changes, also when it is over.
    expires_at:
      body.expires_at === undefined || body.expires_at === row.expires_at?.toISOString() ? row.expires_at : readEnd(actor, body.expires_at),
  }
  const changed = (Object.keys(given) as (keyof typeof given)[]).filter(
    (field) => JSON.stringify(given[field]) !== JSON.stringify(row[field])
  )
  if (changed.length > 0) {
    await deploymentOf(tx, actor, id).set(given).execute()
    await record(tx, actor, deploymentUpdated, { ...named({ id, name: given.name }), changed })
  }
  return getDeployment(tx, actor, id)
}

export async function pauseDeployment(tx: Tx, actor: Actor, id: string): Promise<Deployment> {
  const row = await getDeploymentForUpdate(tx, actor, id)
  if (!deploymentCan.pause(deploymentState(row, actor.at))) throw new Problem(deploymentNotPausable)
  await deploymentOf(tx, actor, id).set({ paused_at: actor.at }).execute()
  await record(tx, actor, deploymentPaused, named(row))
  return getDeployment(tx, actor, id)
}

export async function resumeDeployment(tx: Tx, actor: Actor, id: string): Promise<Deployment> {
  const row = await getDeploymentForUpdate(tx, actor, id)
  if (!deploymentCan.resume(deploymentState(row, actor.at))) throw new Problem(deploymentNotPaused)
  await deploymentOf(tx, actor, id).set({ paused_at: null }).execute()
  await record(tx, actor, deploymentResumed, named(row))
  return getDeployment(tx, actor, id)
}

/** The token before works on for `overlap_hours`; one before that ends now. Ended ones are kept, to know whose they were. */
export async function rotateToken(tx: Tx, actor: Actor, id: string, { overlap_hours }: { overlap_hours: number }): Promise<DeploymentOnce> {
  const row = await getDeploymentForUpdate(tx, actor, id)
  if (!deploymentCan.rotate(deploymentState(row, actor.at))) throw new Problem(deploymentEnded)
  const { account_id, at } = actor
  const tokens = () => tx.updateTable('core_deployment_token').where('account_id', '=', account_id).where('deployment_id', '=', id)
  await tokens().set({ expires_at: at }).where('expires_at', '>', at).execute()
  await tokens()
    .set({ expires_at: new Date(at.getTime() + overlap_hours * 3_600_000) })
    .where('expires_at', 'is', null)
    .execute()
  const token = await addToken(tx, actor, id)
  await deploymentOf(tx, actor, id).set({ rotated_at: at }).execute()
  await record(tx, actor, tokenRotated, { ...named(row), overlap_hours })
  return { ...(await getDeployment(tx, actor, id)), token }
}

/** Ends it for good. Devices that enrolled have tokens of their own. */
export async function revokeDeployment(tx: Tx, actor: Actor, id: string): Promise<Deployment> {
  const row = await getDeploymentForUpdate(tx, actor, id)
  if (!deploymentCan.revoke(deploymentState(row, actor.at))) throw new Problem(deploymentEnded)
  await deploymentOf(tx, actor, id).set({ revoked_at: actor.at }).execute()
  await record(tx, actor, deploymentRevoked, named(row))
  return getDeployment(tx, actor, id)
}

export async function deleteDeployment(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = await getDeploymentForUpdate(tx, actor, id)
  await tx.deleteFrom('core_deployment').where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  await record(tx, actor, deploymentDeleted, { ...named(row), enrolled: row.enrolled })
}
