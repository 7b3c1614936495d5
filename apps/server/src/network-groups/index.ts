// What other areas may use of network groups.
export { createGroup } from './change-groups.ts'
export {
  countByPlaces,
  getGroupByWord,
  getGroupOrDefault,
  getGroupsByWord,
  groupOf,
  rulesInUse,
  rulesOfSim,
  simsIn,
  type NamedGroup,
} from './group-queries.ts'
export { moveSims } from './move-sims.ts'
