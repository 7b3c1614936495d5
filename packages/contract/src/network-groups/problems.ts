import { problem } from '../kernel/problem.ts'
import { mostNetworkGroups } from './network-group.ts'

export const groupNameTaken = problem({
  code: 'network_group_name_taken',
  status: 409,
  title: 'A network group with this name already exists',
})
export const tooManyGroups = problem({
  code: 'too_many_network_groups',
  status: 409,
  title: `An account has at most ${mostNetworkGroups} network groups of its own`,
})
export const groupBuiltIn = problem({
  code: 'network_group_built_in',
  status: 409,
  title: 'A built-in network group cannot be changed',
})
export const groupUnknown = problem({
  code: 'network_group_unknown',
  status: 400,
  title: 'There is no such network group',
})
export const groupsOff = problem({
  code: 'network_groups_off',
  status: 403,
  title: 'Network groups are switched off for this account. Ask support to switch them on',
})
