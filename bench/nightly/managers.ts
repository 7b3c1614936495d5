import { run, vitest } from '../../tools/run.ts'

// The agent at the real NetworkManager and ModemManager, on a bus, in a network and with mounts of their own, so that they touch nothing of this machine. It needs
// root, and network-manager, modemmanager, polkitd, dbus, libglib2.0-bin and iproute2 of Debian; none of them need run.

const { command, args } = vitest('apps/agent/src/network/managers.test.ts')
const apart = ['--net', '--mount', command, ...args]
const { ok, seconds } = await run({ name: 'managers', command: 'unshare', args: apart, env: { MASTHEAD_MANAGERS: 'needed' } }, true)
console.log(JSON.stringify({ figure: 'managers', seconds: Math.round(seconds), ok }))
process.exitCode = ok ? 0 : 1
