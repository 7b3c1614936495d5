// What other areas may use of the registry.
export { mountRegistry } from './protocol/mount.ts'
