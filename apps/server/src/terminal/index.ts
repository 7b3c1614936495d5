// What other areas may use of terminals.
export { mountTerminals } from './relay/mount.ts'
export { addSupport, getUsableSupport, leaveSupport, openSupported } from './support/ask-support.ts'
export { getStaffSupport, latestStaffSupport, listStaffSupport } from './support/support-queries.ts'
export { mountTunnels } from './tunnels/mount.ts'
export { getTerminal } from './terminal-queries.ts'
