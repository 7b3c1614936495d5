import { problem } from '../../kernel/problem.ts'

export const apnNotSet = problem({ code: 'apn_not_set', status: 409, title: 'Set an APN first: user and password are those of an APN' })
export const networkNotWanted = problem({
  code: 'network_not_wanted',
  status: 409,
  title: 'Nothing is wanted of the network of this device',
})
