// Who may set what decides on a SIM's service, and who brings the network in line with it: see docs/decisions/0019.
export { heldByLock, imeiLockOf, seeDevices, setImeiLockDefaults, setImeiLocks, type LockOf } from './devices.ts'
export { askForCuts, cutAgainAfter, isLastTry, mostTries, resetSessions } from './reconcile.ts'
export { recordSims } from './record-sims.ts'
export { blockByRule, restateBlocksOf, takeOverBlock, unblockOfRules } from './rule-blocks.ts'
export { addBlocks, blockScope, clearBlocks, clearScope } from './set-blocks.ts'
export { setSimStates, wakeSims } from './set-states.ts'
export { balanceBlock, poolExhaustedBlock, refuserOf, suspendedBlock, switchedOffBlock, switchesOf } from './switches.ts'
export type { NamedSim, SimOf } from './sims.ts'
