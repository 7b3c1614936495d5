// What other areas may use of terminals.
export { mountTerminals } from './relay/mount.ts'
