import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'

const fleet = z.object({ fleet_id: z.string(), fleet_name: z.string() })
const assetsOf = (count: number, field: string) => (count === 1 ? `{${field}} asset` : `{${field}} assets`)

export const fleetCreated = event({
  name: 'alpon_fleets.fleet_created',
  refreshes: ['alpon_fleets'],
  detail: fleet,
  sentence: 'Created fleet {fleet_name}',
})
export const fleetRenamed = event({
  name: 'alpon_fleets.fleet_renamed',
  refreshes: ['alpon_fleets'],
  detail: z.extend(fleet, { old_name: z.string(), new_name: z.string() }),
  sentence: 'Renamed fleet {old_name} to {new_name}',
})
export const fleetDeleted = event({
  name: 'alpon_fleets.fleet_deleted',
  refreshes: ['alpon_fleets'],
  detail: fleet,
  sentence: 'Deleted fleet {fleet_name}',
})
export const pilotSet = event({
  name: 'alpon_fleets.pilot_set',
  refreshes: ['alpon_fleets'],
  detail: z.extend(fleet, { asset_id: z.nullable(z.string()), new_pilot_asset_name: z.nullable(z.string()) }),
  sentence: ({ new_pilot_asset_name: name }) =>
    name === null ? 'Took the pilot asset off {fleet_name}' : 'Made {new_pilot_asset_name} the pilot asset of {fleet_name}',
})
export const assetsAdded = event({
  name: 'alpon_fleets.assets_added',
  refreshes: ['alpon_fleets'],
  detail: z.extend(fleet, { assets_added: z.int() }),
  sentence: ({ assets_added }) => `Added ${assetsOf(assets_added, 'assets_added')} to {fleet_name}`,
})
export const assetsRemoved = event({
  name: 'alpon_fleets.assets_removed',
  refreshes: ['alpon_fleets'],
  detail: z.extend(fleet, { assets_deleted: z.int() }),
  sentence: ({ assets_deleted }) => `Removed ${assetsOf(assets_deleted, 'assets_deleted')} from {fleet_name}`,
})
