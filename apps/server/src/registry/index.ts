// What other areas may use of the registry.
export { mountRegistry } from './protocol/mount.ts'
export { createRobot } from './robots.ts'
export { registryCheck } from './check-words.ts'
