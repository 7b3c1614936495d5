import { sql } from 'kysely'
import { runsContainers } from '@masthead/contract/devices/agent/application'
import { assetTypes } from '@masthead/contract/assets/asset-types'
import { listAssets } from '@masthead/contract/assets/operations'
import { mostAtOnce, type AddedAssets, type RemovedAssets } from '@masthead/contract/alpon-fleets/fleet'
import { assetsAdded, assetsRemoved } from '@masthead/contract/alpon-fleets/events'
import type { addFleetAssets } from '@masthead/contract/alpon-fleets/operations'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { forbidden, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { anyOf, findAssetIds, knowTags, matching, needAnswerable, visibleTo } from '../assets/index.ts'
import { actorMay, type Actor, type Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getFleetForUpdate } from './fleet-queries.ts'
import { joinRollout, leaveRollouts } from './rollouts/rollout-members.ts'

type Found = { key: string; id: string | null }

type Chosen = NonNullable<Parsed<typeof addFleetAssets>['body']>

/** Adds those of the assets that can be added, and says of each other one why it was not. Throws invalid_request and forbidden. */
export async function addAssets(tx: Tx, actor: Actor, fleet_id: string, chosen: Chosen): Promise<AddedAssets> {
  const { account_id, at } = actor
  const fleet = await getFleetForUpdate(tx, actor, fleet_id)
  const fleet_name = fleet.name
  const keys = await keysOf(tx, actor, chosen)
  const found = firstOfEach(await findAssetIds(tx, actor, [...new Set(keys)]))
  const ids = found.flatMap(({ id }) => id ?? []).toSorted()
  const assets = await tx
    .selectFrom('asset')
    .select(['id', 'name', 'type'])
    .where('account_id', '=', account_id)
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forKeyShare()
    .execute()
  const assetOf = new Map(assets.map((asset) => [asset.id, asset]))
  const fit = assets.filter(({ type }) => runsContainers(type)).map(({ id }) => id)
  const { rows: added } = await sql<{ asset_id: string }>`insert into fleet_asset (account_id, asset_id, fleet_id, added_at)
    select ${account_id}, id, ${fleet_id}, ${at} from unnest(${fit}::text[]) as id order by id
    on conflict (account_id, asset_id) do nothing returning asset_id`.execute(tx)
  const isAdded = new Set(added.map(({ asset_id }) => asset_id))
  const inFleet = await fleetsOf(
    tx,
    account_id,
    fit.filter((id) => !isAdded.has(id))
  )
  if (isAdded.size > 0) {
    await record(tx, actor, assetsAdded, { fleet_id, fleet_name, assets_added: isAdded.size })
    await joinRollout(tx, actor, fleet, [...isAdded])
  }
  const refusal = ({ id }: Found): string | null => {
    const { type } = (id !== null && assetOf.get(id)) || {}
    if (id === null || type === undefined) return noSuchAsset
    if (!runsContainers(type)) return `${assetTypes[type]} runs no containers`
    if (isAdded.has(id)) return null
    const other = inFleet.get(id)
    return other && other.fleet_id !== fleet_id ? `It is in the fleet ${other.name}. Take it out there first` : null
  }
  const refused = found.flatMap((each) => {
    const words = refusal(each)
    return words === null ? [] : [{ key: each.key, name: (each.id !== null && assetOf.get(each.id)?.name) || null, words }]
  })
  return { added: isAdded.size, already: found.length - isAdded.size - refused.length, refused }
}

/**
 * Takes those of the assets out that are in the fleet, and says of each other one that was named why it was not; a pilot that goes is the pilot no more.
 * Throws invalid_request and forbidden.
 */
export async function removeAssets(tx: Tx, actor: Actor, fleet_id: string, chosen: Chosen): Promise<RemovedAssets> {
  const { account_id } = actor
  const { name: fleet_name, pilot_asset_id } = await getFleetForUpdate(tx, actor, fleet_id)
  const keys = await keysOf(tx, actor, chosen, fleet_id)
  const found = firstOfEach(await findAssetIds(tx, actor, [...new Set(keys)]))
  const ids = found.flatMap(({ id }) => id ?? [])
  const { rows } = await sql<{ asset_id: string }>`delete from fleet_asset using asset
    where fleet_asset.account_id = ${account_id} and fleet_asset.fleet_id = ${fleet_id} and fleet_asset.asset_id = any(${ids}::text[])
      and asset.id = fleet_asset.asset_id and ${visibleTo(actor)} returning fleet_asset.asset_id`.execute(tx)
  const gone = rows.map(({ asset_id }) => asset_id)
  const refused = await notIn(
    tx,
    account_id,
    found.filter(({ id }) => id === null || !gone.includes(id))
  )
  if (gone.length === 0) return { removed: 0, refused }
  await leaveRollouts(tx, account_id, fleet_id, gone)
  if (pilot_asset_id !== null && gone.includes(pilot_asset_id))
    await tx.updateTable('fleet').set({ pilot_asset_id: null }).where('account_id', '=', account_id).where('id', '=', fleet_id).execute()
  await record(tx, actor, assetsRemoved, { fleet_id, fleet_name, assets_deleted: gone.length })
  return { removed: gone.length, refused }
}

async function notIn(tx: Tx, account_id: string, found: readonly Found[]): Promise<RemovedAssets['refused']> {
  const ids = found.flatMap(({ id }) => id ?? [])
  const rows = await tx
    .selectFrom('asset')
    .select(['id', 'name'])
    .where('account_id', '=', account_id)
    .where('id', '=', anyOf(ids))
    .execute()
  const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
  return found.map(({ key, id }) => {
    const name = (id !== null && nameOf.get(id)) || null
    return { key, name, words: name === null ? noSuchAsset : 'It is not in this fleet' }
  })
}

/**
 * The keys of the assets that are meant; `within`: by a filter those of a fleet alone. To choose by a filter shows which assets match it, so it is for who
 * may see them.
 */
async function keysOf(tx: Tx, actor: Actor, { assets, filter, except = [] }: Chosen, within?: string): Promise<readonly string[]> {
  if ((assets === undefined) === (filter === undefined)) throw wrong('assets', 'Name the assets, or choose them by a filter')
  if (assets) return assets
  if (!actorMay(actor, listAssets.access)) throw new Problem(forbidden, `For a filter you need the permission ${listAssets.access} as well`)
  const known = await knowTags(tx, actor, filter!)
  await needAnswerable(tx, actor, known)
  const isIn = sql`exists (select from fleet_asset f
    where f.account_id = ${actor.account_id} and f.asset_id = asset.id and f.fleet_id = ${within})`
  const { rows } = await sql<{ id: string }>`select asset.id from asset
    where ${matching(actor, known)} and ${within === undefined ? sql`true` : isIn} and asset.id <> all(${[...except]}::text[]) limit ${mostAtOnce + 1}`.execute(
    tx
  )
  if (rows.length > mostAtOnce) throw wrong('filter', tooMany)
  return rows.map(({ id }) => id)
}

const tooMany = `At most ${mostAtOnce.toLocaleString('en')} assets are changed at a time, and more match. Narrow the list by a tag, a type or a search`
const noSuchAsset = 'There is no such asset'
const wrong = (field: string, words: string) => new Problem(invalidRequest, words, { fields: { [field]: words } })

/** Each asset once, by the first key that names it. */
function firstOfEach(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  return found.filter(({ id }) => {
    if (id === null) return true
    const isNew = !seen.has(id)
    seen.add(id)
    return isNew
  })
}

async function fleetsOf(tx: Tx, account_id: string, ids: readonly string[]) {
  const rows = await tx
    .selectFrom('fleet_asset')
    .innerJoin('fleet', (join) =>
      join.onRef('fleet.account_id', '=', 'fleet_asset.account_id').onRef('fleet.id', '=', 'fleet_asset.fleet_id')
    )
    .select(['fleet_asset.asset_id', 'fleet_asset.fleet_id', 'fleet.name'])
    .where('fleet_asset.account_id', '=', account_id)
    .where('fleet_asset.asset_id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(({ asset_id, ...fleet }) => [asset_id, fleet]))
}
