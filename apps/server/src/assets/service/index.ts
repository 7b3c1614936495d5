// Who may set what decides on a SIM's service, and who brings the network in line with it: see docs/decisions/0019.
export { askForCuts, cutAgainAfter, isLastTry } from './reconcile.ts'
export { addBlocks, blockScope, clearBlocks, clearScope } from './set-blocks.ts'
export { setSimStates, wakeSims } from './set-states.ts'
export { poolExhaustedBlock, suspendedBlock, switchedOffBlock, switchesOf } from './switches.ts'
export type { NamedSim, SimOf } from './sims.ts'
