// What other areas may use of the registry.
export { mountRegistry } from './protocol/mount.ts'
export { getQuota, setQuota } from './content/room.ts'
export { addSigningKey } from './attached/signing-keys.ts'
export { createRobot } from './robots.ts'
export { startScans } from './scans/run-scans.ts'
export { scanFigures } from './scans/scan-figures.ts'
export { askWhatItIs } from './scans/scanner-says.ts'
export { registryCheck } from './check-words.ts'
