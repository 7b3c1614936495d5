// What other areas may use of network groups.
export { GroupSelect } from './GroupSelect.tsx'
export { useNetworkGroups } from './use-network-groups.ts'
