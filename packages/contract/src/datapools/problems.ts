import { problem } from '../kernel/problem.ts'

export const poolNameTaken = problem({ code: 'pool_name_taken', status: 409, title: 'A data pool with this name already exists' })
export const poolEnded = problem({ code: 'pool_ended', status: 409, title: 'This data pool has ended' })
export const poolFull = problem({ code: 'pool_full', status: 409, title: 'This data pool takes no more SIMs' })
/** How many pools an account can have at a time. */
export const mostPools = 200
export const tooManyPools = problem({
  code: 'too_many_pools',
  status: 409,
  title: `An account has at most ${mostPools} data pools at a time`,
})
/** How many pools one SIM can draw from. */
export const mostPoolsOfSim = 10
export const simInManyPools = problem({
  code: 'sim_in_many_pools',
  status: 409,
  title: `A SIM draws from at most ${mostPoolsOfSim} data pools`,
})
export const packageRetired = problem({ code: 'package_retired', status: 409, title: 'This package is not offered any more' })
export const packageNotSold = problem({ code: 'package_not_sold', status: 409, title: 'This package cannot be bought' })
export const packageNameTaken = problem({ code: 'package_name_taken', status: 409, title: 'A package with this name already exists' })
/** Each costs something, and nobody would be asked. */
export const poolPaidBySim = problem({
  code: 'pool_paid_by_sim',
  status: 409,
  title: 'Each SIM of this data pool is paid when it is added: add assets, not tags',
})
