import { problem } from '../kernel/problem.ts'
import { mostFleets } from './fleet.ts'

export const fleetNameTaken = problem({ code: 'fleet_name_taken', status: 409, title: 'A fleet with this name already exists' })
export const tooManyFleets = problem({
  code: 'too_many_fleets',
  status: 409,
  title: `An account has at most ${mostFleets.toLocaleString('en')} fleets`,
})
export const pilotNotInFleet = problem({
  code: 'pilot_not_in_fleet',
  status: 400,
  title: 'The pilot must be an asset of the fleet',
})
export const fleetHasNoPilot = problem({ code: 'fleet_has_no_pilot', status: 409, title: 'The fleet has no pilot' })
export const pilotNotReady = problem({
  code: 'pilot_not_ready',
  status: 409,
  title: 'The pilot does not run what is wanted of it yet',
})
export const nothingToPublish = problem({
  code: 'nothing_to_publish',
  status: 409,
  title: 'The pilot runs what the newest version says',
})
export const rolloutOpen = problem({ code: 'rollout_open', status: 409, title: 'A rollout of this fleet is not over' })
export const assetNotRestorable = problem({
  code: 'asset_not_restorable',
  status: 409,
  title: 'The asset cannot be brought to the version of the fleet',
})
export const rolloutWrongState = problem({ code: 'rollout_wrong_state', status: 409, title: 'The rollout is in another state' })
