// What other areas may use of fleets.
export { createFleet, updateFleet } from './change-fleets.ts'
export { addAssets } from './change-members.ts'
export { addPastRollout } from './rollouts/past-rollouts.ts'
export { imagesOfFleets } from './rollouts/images-of-fleets.ts'
