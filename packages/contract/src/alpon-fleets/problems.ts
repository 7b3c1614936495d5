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
