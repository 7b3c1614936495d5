import * as z from 'zod/mini'
import { Name } from '../kernel/fields.ts'
import { operation } from '../kernel/operation.ts'
import { page, PageQuery } from '../kernel/page.ts'
import { forbidden, notFound } from '../kernel/problem.ts'
import { AssetFilter } from '../assets/asset-filter.ts'
import { AddedAssets, AssetKeys, Fleet, FleetAsset, FleetDevice, FleetFields, mostAtOnce, RemovedAssets } from './fleet.ts'
import { fleetNameTaken, pilotNotInFleet, tooManyFleets } from './problems.ts'

/** A member limited by tags counts their assets alone, here and below. */
export const listFleets = operation({
  name: 'alpon_fleets.listFleets',
  method: 'GET',
  path: '/alpon-fleets',
  summary: 'List fleets, by name',
  access: 'alpon_fleets.view',
  query: z.extend(PageQuery, { search: z.optional(z.string().check(z.maxLength(120))) }),
  reply: page(Fleet),
})

export const getFleet = operation({
  name: 'alpon_fleets.getFleet',
  method: 'GET',
  path: '/alpon-fleets/{fleet_id}',
  summary: 'One fleet',
  access: 'alpon_fleets.view',
  reply: Fleet,
  problems: [notFound],
})

export const createFleet = operation({
  name: 'alpon_fleets.createFleet',
  method: 'POST',
  path: '/alpon-fleets',
  summary: 'Create a fleet',
  access: 'alpon_fleets.edit',
  body: z.object({ name: Name }),
  reply: Fleet,
  problems: [forbidden, fleetNameTaken, tooManyFleets],
})

export const updateFleet = operation({
  name: 'alpon_fleets.updateFleet',
  method: 'PATCH',
  path: '/alpon-fleets/{fleet_id}',
  summary: 'Rename a fleet or choose its pilot',
  access: 'alpon_fleets.edit',
  body: FleetFields,
  reply: Fleet,
  problems: [forbidden, notFound, fleetNameTaken, pilotNotInFleet],
})

/** Its assets stay, and keep what runs on them. */
export const deleteFleet = operation({
  name: 'alpon_fleets.deleteFleet',
  method: 'DELETE',
  path: '/alpon-fleets/{fleet_id}',
  summary: 'Delete a fleet',
  access: 'alpon_fleets.edit',
  problems: [forbidden, notFound],
})

export const listFleetAssets = operation({
  name: 'alpon_fleets.listFleetAssets',
  method: 'GET',
  path: '/alpon-fleets/{fleet_id}/assets',
  summary: 'The assets of a fleet, by name',
  access: 'alpon_fleets.view',
  query: z.extend(PageQuery, { search: z.optional(z.string().check(z.maxLength(120))), device: z.optional(FleetDevice) }),
  reply: page(FleetAsset),
  problems: [notFound],
})

const ChosenAssets = z.object({
  assets: z.optional(AssetKeys),
  /** In place of names: those of the list of assets with this filter. */
  filter: z.optional(z.strictObject(AssetFilter.shape)),
  /** With a filter: ids of assets that match it and are not meant. */
  except: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(mostAtOnce))),
})

/**
 * An asset is in one fleet at most. What cannot be added is listed with the reason; the others are added. A filter takes the assets that match it (up to
 * 1,000) but some, and asks for `assets.view` as well.
 */
export const addFleetAssets = operation({
  name: 'alpon_fleets.addFleetAssets',
  method: 'POST',
  path: '/alpon-fleets/{fleet_id}/assets',
  summary: 'Add assets to a fleet',
  access: 'alpon_fleets.edit',
  body: ChosenAssets,
  reply: AddedAssets,
  problems: [forbidden, notFound],
})

/**
 * They keep what runs on them. What is named and is not in the fleet is listed with the reason; the others are taken out. A filter takes the assets of the
 * fleet that match it (up to 1,000) but some, and asks for `assets.view` as well.
 */
export const removeFleetAssets = operation({
  name: 'alpon_fleets.removeFleetAssets',
  method: 'POST',
  path: '/alpon-fleets/{fleet_id}/assets/remove',
  summary: 'Take assets out of a fleet',
  access: 'alpon_fleets.edit',
  body: ChosenAssets,
  reply: RemovedAssets,
  problems: [forbidden, notFound],
})
