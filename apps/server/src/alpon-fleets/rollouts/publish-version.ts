import type { Container, ContainerSpec } from '@masthead/contract/devices/agent/application'
import { versionPublished } from '@masthead/contract/alpon-fleets/events'
import { fleetHasNoPilot, nothingToPublish, pilotNotReady } from '@masthead/contract/alpon-fleets/problems'
import type { FleetVersion } from '@masthead/contract/alpon-fleets/rollout'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import { digestPattern } from '@masthead/contract/registry/image-reference'
import { readAgentApplication, secretsByContainer } from '../../devices/agent/index.ts'
import { networksOf, noNetwork, type NetworkContent } from '../../devices/network/index.ts'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getFleetForUpdate, needWhole } from '../fleet-queries.ts'
import { runsAsWanted } from './outcome-of.ts'
import { changesBetween } from './version-changes.ts'
import { asVersion, contentOf, findNewest, keptOf } from './version-queries.ts'

export const versionId = idKind('flv')

/** What is wanted of the pilot becomes the next version, if the pilot runs it. Its images stay those that the pilot runs, whatever a tag means later. */
export async function publishVersion(tx: Tx, actor: Actor, fleet_id: string, note: string | null): Promise<FleetVersion> {
  needWhole(actor)
  const { account_id, at, email: created_by } = actor
  const { name: fleet_name, pilot_asset_id } = await getFleetForUpdate(tx, actor, fleet_id)
  if (pilot_asset_id === null) throw new Problem(fleetHasNoPilot, 'Choose the pilot first: its containers become the version')
  const { device, items } = await readAgentApplication(tx, account_id, pilot_asset_id)
  if (!device) throw new Problem(pilotNotReady, 'The pilot has no agent yet: set it up on the page of the asset')
  if (items.length === 0) throw new Problem(pilotNotReady, 'The pilot has no containers: deploy them there first')
  if (!device.online) throw new Problem(pilotNotReady, 'The pilot is offline, so it is not known whether it runs what is wanted of it')
  const late = items.find((each) => !runsAsWanted(each))
  if (late) throw new Problem(pilotNotReady, `The container ${late.name} of the pilot does not run as it is wanted yet`)
  const unpinned = items.find((each) => !isPinned(specOf(each)))
  const unknown = `The pilot does not say by which digest it runs the image of ${unpinned?.name}: pull it from a registry, so that all get the same`
  if (unpinned) throw new Problem(pilotNotReady, unknown)
  const network = await networkOfPilot(tx, account_id, pilot_asset_id)
  const content = { containers: items.map(specOf), secrets: await secretsByContainer(tx, account_id, pilot_asset_id), network }
  const newest = await findNewest(tx, account_id, fleet_id)
  const changes = changesBetween(newest ? contentOf(tx, newest) : { containers: [], secrets: {} }, content)
  if (newest && changes.length === 0) throw new Problem(nothingToPublish, `Version ${newest.version} says the same`)
  const version = (newest?.version ?? 0) + 1
  const id = newId(versionId, at.getTime())
  const { name: pilot_name } = await tx
    .selectFrom('asset')
    .select('name')
    .where('account_id', '=', account_id)
    .where('id', '=', pilot_asset_id)
    .executeTakeFirstOrThrow()
  const said = { version, pilot_name, changes, note, created_at: at, created_by }
  const row = await tx
    .insertInto('fleet_version')
    .values({ ...said, ...keptOf(tx, id, content), account_id, fleet_id, id })
    .returning(['containers', 'network'])
    .executeTakeFirstOrThrow()
  await record(tx, actor, versionPublished, { fleet_id, fleet_name, version })
  return asVersion({ ...said, ...row })
}

/** The order of its interfaces and its APN, where they are set: once it has shown that it reaches the server with them. Throws pilot_not_ready. */
async function networkOfPilot(tx: Tx, account_id: string, pilot_asset_id: string): Promise<NetworkContent> {
  const now = (await networksOf(tx, account_id, [pilot_asset_id])).get(pilot_asset_id)
  if (!now || (now.priority === null && now.apn === null)) return noNetwork
  const words = now.state === 'on_its_way' ? 'It is at the change' : (now.words ?? 'It undid the change')
  if (now.state !== 'kept') throw new Problem(pilotNotReady, `The network of the pilot is not as it is wanted. ${words}`)
  return { priority: now.priority, apn: now.apn }
}

const isPinned = ({ image }: ContainerSpec) => image.includes('@')

/** The image by the digest that the pilot runs, where it said one. */
function specOf({ name, image, ports, volumes, environment, restart_policy, health, reported }: Container): ContainerSpec {
  const digest = digestPattern.test(reported?.digest ?? '') ? reported!.digest! : null
  const pinned = digest === null || image.includes('@') ? image : `${image}@${digest}`
  return { name, image: pinned, ports, volumes, environment, restart_policy, health }
}
