import type { Fleet, FleetFields } from '@masthead/contract/alpon-fleets/fleet'
import { mostFleets } from '@masthead/contract/alpon-fleets/fleet'
import { fleetCreated, fleetDeleted, fleetRenamed, pilotSet } from '@masthead/contract/alpon-fleets/events'
import { fleetNameTaken, pilotNotInFleet, tooManyFleets } from '@masthead/contract/alpon-fleets/problems'
import { idKind, newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import type * as z from 'zod/mini'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { findNameInFleet, getFleet, getFleetForUpdate, needWhole } from './fleet-queries.ts'

const fleetId = idKind('flt')

export async function createFleet(tx: Tx, actor: Actor, { name }: { name: string }): Promise<Fleet> {
  needWhole(actor)
  const { account_id, at, email: updated_by } = actor
  // One at a time on an account, so that the limit is not run over.
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('fleet')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (count >= mostFleets) throw new Problem(tooManyFleets)
  await needFreeName(tx, actor, name, null)
  const id = newId(fleetId, at.getTime())
  await tx.insertInto('fleet').values({ account_id, id, name, created_at: at, updated_at: at, updated_by }).execute()
  await record(tx, actor, fleetCreated, { fleet_id: id, fleet_name: name })
  return getFleet(tx, actor, id)
}

/** Changes what is given and differs. */
export async function updateFleet(
  tx: Tx,
  actor: Actor,
  id: string,
  { name, pilot_asset_id }: z.output<typeof FleetFields>
): Promise<Fleet> {
  needWhole(actor)
  const { account_id } = actor
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()
  const before = await getFleetForUpdate(tx, actor, id)
  const named = { fleet_id: id, fleet_name: name ?? before.name }
  if (name !== undefined && name !== before.name) {
    await needFreeName(tx, actor, name, id)
    await write(tx, actor, id, { name })
    await record(tx, actor, fleetRenamed, { ...named, old_name: before.name, new_name: name })
  }
  if (pilot_asset_id !== undefined && pilot_asset_id !== before.pilot_asset_id) {
    const new_pilot_asset_name = pilot_asset_id === null ? null : await getPilotName(tx, actor, id, pilot_asset_id)
    await write(tx, actor, id, { pilot_asset_id })
    await record(tx, actor, pilotSet, { ...named, asset_id: pilot_asset_id, new_pilot_asset_name })
  }
  return getFleet(tx, actor, id)
}

/** Its assets are in no fleet from now on; nothing changes on them. */
export async function deleteFleet(tx: Tx, actor: Actor, id: string): Promise<void> {
  needWhole(actor)
  const { name } = await getFleetForUpdate(tx, actor, id)
  await tx.deleteFrom('fleet').where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  await record(tx, actor, fleetDeleted, { fleet_id: id, fleet_name: name })
}

const write = (tx: Tx, { account_id, at, email }: Actor, id: string, changed: { name: string } | { pilot_asset_id: string | null }) =>
  tx
    .updateTable('fleet')
    .set({ ...changed, updated_at: at, updated_by: email })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()

async function needFreeName(tx: Tx, { account_id }: Actor, name: string, but: string | null) {
  const taken = await tx
    .selectFrom('fleet')
    .select('id')
    .where('account_id', '=', account_id)
    .where((eb) => eb(eb.fn('lower', ['name']), '=', eb.fn('lower', [eb.val(name)])))
    .$if(but !== null, (query) => query.where('id', '<>', but!))
    .executeTakeFirst()
  const words = `There is a fleet "${name}" already`
  if (taken) throw new Problem(fleetNameTaken, words, { fields: { name: words } })
}

/** The name of an asset that becomes the pilot of a fleet, which stays in it until the transaction ends. Throws pilot_not_in_fleet. */
async function getPilotName(tx: Tx, actor: Actor, fleet_id: string, asset_id: string): Promise<string> {
  const name = await findNameInFleet(tx, actor, { fleet_id, asset_id })
  const words = 'Choose an asset of this fleet as its pilot'
  if (name === undefined) throw new Problem(pilotNotInFleet, words, { fields: { pilot_asset_id: words } })
  return name
}
