import {
  containerCannot,
  type ContainerAction,
  type Container,
  type DeployContainerBody,
  type UpdateContainerBody,
} from '@masthead/contract/devices/agent/application'
import { mostContainers } from '@masthead/contract/devices/agent/container'
import {
  containerDeployed,
  containerRemoved,
  containerRestarted,
  containerStarted,
  containerStopped,
  containerUpdated,
} from '@masthead/contract/devices/agent/events'
import {
  agentTooOld,
  appNotFound,
  containerExists,
  containerWrongState,
  portTaken,
  tooManyContainers,
} from '@masthead/contract/devices/agent/problems'
import { agentKnowsImage } from '@masthead/contract/devices/agent/update'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { invalidRequest, Problem, type ProblemKind } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { sendDirective } from '../send-directive.ts'
import { assetNameOf, findAgentDevice, getAgentDevice, refusalOf, versionOf } from './agent-device.ts'
import { containersOf, encryptSecrets, readApplication, secretOf, secretsOf, type ContainerRow, type Secrets } from './container-rows.ts'

export const containerId = idKind('ctr')

/** The next revision of what is wanted, with the lock of it: changes of one device come one after the other. */
export async function nextRevision(tx: Tx, { account_id }: Actor, asset_id: string) {
  const { revision } = await tx
    .insertInto('application')
    .values({ account_id, asset_id, revision: 1 })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'asset_id']).doUpdateSet((eb) => ({ revision: eb('application.revision', '+', 1) }))
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

async function getRow(tx: Tx, { account_id }: Actor, asset_id: string, name: string): Promise<ContainerRow> {
  const row = (await containersOf(tx, account_id, asset_id)).find((each) => each.name === name)
  if (!row) throw await refusalOf(tx, account_id, asset_id, appNotFound)
  return row
}

const namesOf = async (tx: Tx, { account_id }: Actor, asset_id: string, container_name: string) => ({
  asset_id,
  asset_name: await assetNameOf(tx, account_id, asset_id),
  container_name,
})

/** Has the device check; of those that wait for it one is enough. */
export async function notifyDevice(tx: Tx, { account_id, at }: Actor, asset_id: string) {
  const device = await findAgentDevice(tx, account_id, asset_id)
  if (!device) return
  await tx
    .deleteFrom('device_directive')
    .where('account_id', '=', account_id)
    .where('device_id', '=', device.id)
    .where((eb) => eb(eb.ref('payload', '->>').key('command' as never), '=', 'look' as never))
    .execute()
  await sendDirective(tx, { account_id, device_id: device.id, payload: { command: 'look' }, at })
}

const refusePorts = (others: readonly ContainerRow[], ports: Container['ports']) => {
  for (const { host, protocol } of ports) {
    const other = others.find((each) => each.ports.some((port) => port.host === host && port.protocol === protocol))
    if (other) throw new Problem(portTaken, `Port ${host} of this device belongs to the container ${other.name}`)
  }
}

/** What is shown of the variables, and the secrets apart. A variable without a value keeps the one that it has. Throws invalid_request. */
function split(given: DeployContainerBody['environment'], known: Secrets, shown: Container['environment']) {
  // A variable may be named like what every object has: `constructor`, `__proto__`.
  const secrets: [string, string][] = []
  const environment = given.map(({ name, value, secret }, at) => {
    const before = shown.find((each) => each.name === name)?.value
    if (!secret) {
      // A secret is never shown, so it stays one until it is given another value.
      if (value === undefined && secretOf(known, name) !== undefined) {
        const words = `${name} is a secret. Give it a value, because the one that it has is not shown`
        throw new Problem(invalidRequest, words, { fields: { [`environment.${at}.value`]: words } })
      }
      return { name, value: value ?? before ?? '', secret }
    }
    secrets.push([name, value ?? secretOf(known, name) ?? before ?? ''])
    return { name, value: null, secret }
  })
  return { environment, secrets: Object.fromEntries(secrets) }
}

/** False: the agent of the device is too old for the image, and would refuse all that is wanted together with it. */
export async function deviceKnowsImage(tx: Tx, { account_id }: Actor, asset_id: string, image: string): Promise<boolean> {
  const device = await findAgentDevice(tx, account_id, asset_id)
  return !device || agentKnowsImage(versionOf(device.reported.agent), image)
}

/** Throws agent_too_old, before what is wanted has an image that the agent of the device refuses all of it for. */
export async function refuseUnknownImage(tx: Tx, actor: Actor, asset_id: string, image: string | undefined): Promise<void> {
  if (image !== undefined && !(await deviceKnowsImage(tx, actor, asset_id, image))) throw new Problem(agentTooOld)
}

export async function deployContainer(
  tx: Tx,
  actor: Actor,
  asset_id: string,
  body: DeployContainerBody,
  exists: ProblemKind = containerExists
): Promise<void> {
  const { account_id, at } = actor
  await getAgentDevice(tx, account_id, asset_id)
  await refuseUnknownImage(tx, actor, asset_id, body.image)
  const revision = await nextRevision(tx, actor, asset_id)
  const others = await containersOf(tx, account_id, asset_id)
  if (others.some(({ name }) => name === body.name)) throw new Problem(exists)
  if (others.length >= mostContainers) throw new Problem(tooManyContainers)
  refusePorts(others, body.ports)
  const { environment, secrets } = split(body.environment, {}, [])
  const id = newId(containerId, at.getTime())
  await tx
    .insertInto('container')
    .values({
      account_id,
      id,
      asset_id,
      name: body.name,
      generation: revision,
      restart: revision,
      run: 'running',
      image: body.image,
      ports: JSON.stringify(body.ports),
      volumes: JSON.stringify(body.volumes),
      environment: JSON.stringify(environment),
      sealed_secrets: encryptSecrets(tx, id, JSON.stringify(secrets)),
      restart_policy: body.restart_policy,
      health: body.health && JSON.stringify(body.health),
      created_at: at,
      changed_at: at,
      changed_by: actor.email,
    })
    .execute()
  await notifyDevice(tx, actor, asset_id)
  await record(tx, actor, containerDeployed, { ...(await namesOf(tx, actor, asset_id, body.name)), image: body.image })
}

type Change = UpdateContainerBody | ((row: ContainerRow) => UpdateContainerBody)

/** Another generation, even where nothing differs: its image is pulled anew. */
export async function updateContainer(tx: Tx, actor: Actor, asset_id: string, name: string, change: Change): Promise<void> {
  const { account_id, at } = actor
  const generation = await nextRevision(tx, actor, asset_id)
  const row = await getRow(tx, actor, asset_id, name)
  const body = typeof change === 'function' ? change(row) : change
  if (body.ports)
    refusePorts(
      (await containersOf(tx, account_id, asset_id)).filter((each) => each.name !== name),
      body.ports
    )
  const { image = row.image, restart_policy = row.restart_policy } = body
  const parts = body.environment && split(body.environment, secretsOf(tx, row), row.environment)
  await tx
    .updateTable('container')
    .set({
      generation,
      restart: generation,
      image,
      restart_policy,
      ...(body.ports && { ports: JSON.stringify(body.ports) }),
      ...(body.volumes && { volumes: JSON.stringify(body.volumes) }),
      ...(body.health !== undefined && { health: body.health && JSON.stringify(body.health) }),
      ...(parts && {
        environment: JSON.stringify(parts.environment),
        sealed_secrets: encryptSecrets(tx, row.id, JSON.stringify(parts.secrets)),
      }),
      changed_at: at,
      changed_by: actor.email,
    })
    .where('account_id', '=', account_id)
    .where('id', '=', row.id)
    .execute()
  await notifyDevice(tx, actor, asset_id)
  await record(tx, actor, containerUpdated, { ...(await namesOf(tx, actor, asset_id, name)), image })
}

const events = { start: containerStarted, stop: containerStopped, restart: containerRestarted } as const

/** Starts, stops or restarts one. Throws container_wrong_state. */
export async function runContainer(tx: Tx, actor: Actor, asset_id: string, name: string, action: ContainerAction): Promise<void> {
  const { account_id, at } = actor
  const revision = await nextRevision(tx, actor, asset_id)
  const row = await getRow(tx, actor, asset_id, name)
  const shown = (await readApplication(tx, account_id, asset_id)).items.find((each) => each.name === name)!
  const reason = containerCannot(action, shown)
  if (reason) throw new Problem(containerWrongState, reason)
  await tx
    .updateTable('container')
    .set({
      run: action === 'stop' ? 'stopped' : 'running',
      // Of one that has ended by itself it is the sign to start anew.
      ...(action !== 'stop' && { restart: revision }),
      changed_at: at,
      changed_by: actor.email,
    })
    .where('account_id', '=', account_id)
    .where('id', '=', row.id)
    .execute()
  await notifyDevice(tx, actor, asset_id)
  await record(tx, actor, events[action], await namesOf(tx, actor, asset_id, name))
}

type Given = UpdateContainerBody & { name: string; action?: ContainerAction | undefined }

/** Changes one, and starts, stops or restarts it then. An action alone is no change: its image is not pulled. Throws container_wrong_state, agent_too_old. */
export async function changeContainer(tx: Tx, actor: Actor, asset_id: string, { name, action, ...body }: Given): Promise<void> {
  await refuseUnknownImage(tx, actor, asset_id, body.image)
  const isChange = Object.values(body).some((value) => value !== undefined)
  if (isChange || action === undefined) await updateContainer(tx, actor, asset_id, name, body)
  if (action !== undefined) await runContainer(tx, actor, asset_id, name, action)
}

export async function removeContainer(tx: Tx, actor: Actor, asset_id: string, name: string): Promise<void> {
  const { account_id } = actor
  await nextRevision(tx, actor, asset_id)
  const row = await getRow(tx, actor, asset_id, name)
  await tx.deleteFrom('container').where('account_id', '=', account_id).where('id', '=', row.id).execute()
  await notifyDevice(tx, actor, asset_id)
  await record(tx, actor, containerRemoved, await namesOf(tx, actor, asset_id, name))
}
