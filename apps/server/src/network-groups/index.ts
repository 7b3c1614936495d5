// What other areas may use of network groups.
export { createGroup } from './change-groups.ts'
export { getGroupByWord, rulesOfSim } from './group-queries.ts'
export { moveSims } from './move-sims.ts'
export { locksNewSims } from './imei-lock.ts'
