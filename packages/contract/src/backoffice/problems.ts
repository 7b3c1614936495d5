import { problem } from '../kernel/problem.ts'

export const notStaff = problem({
  code: 'not_staff',
  status: 403,
  title: 'Only staff can enter the backoffice',
})

export const actingOnTeam = problem({
  code: 'acting_on_team',
  status: 403,
  title: "You are acting on a team's account. Go back to your own to enter the backoffice",
})
export const personUnknown = problem({
  code: 'person_unknown',
  status: 404,
  title: 'Nobody is registered with this e-mail',
})
export const gatewayUnknown = problem({
  code: 'gateway_unknown',
  status: 404,
  title: 'There is no gateway with this name or address',
})
export const gatewayAmbiguous = problem({
  code: 'gateway_ambiguous',
  status: 409,
  title: 'Several gateways have this name. Say which by its address',
})
export const gatewayAddressTaken = problem({
  code: 'gateway_address_taken',
  status: 409,
  title: 'There is a gateway with this address already',
})
export const gatewayInUse = problem({
  code: 'gateway_in_use',
  status: 409,
  title: 'Sessions of this gateway are on record',
})
