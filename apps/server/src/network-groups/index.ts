// What other areas may use of network groups.
export { createGroup } from './change-groups.ts'
export { getGroupByWord, getGroupOrDefault, getGroupsByWord, groupOf, rulesOfSim, type NamedGroup } from './group-queries.ts'
export { moveSims } from './move-sims.ts'
