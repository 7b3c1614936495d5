import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect } from 'vitest'

const programs = [
  '/usr/sbin/NetworkManager',
  '/usr/sbin/ModemManager',
  '/usr/lib/polkit-1/polkitd',
  '/usr/bin/dbus-daemon',
  '/usr/bin/gdbus',
  '/usr/bin/ip',
]

/** Why they cannot run here; empty: they can. */
export function whyNoManagers(): string {
  const missing = programs.filter((path) => !existsSync(path))
  if (missing.length > 0) return `${missing.join(', ')} is not installed`
  // They would take the network of this machine for theirs: it has other interfaces than lo.
  const interfaces = readFileSync('/proc/self/net/dev', 'utf8').match(/^ *[\w-]+(?=:)/gm) ?? []
  return process.getuid?.() === 0 && interfaces.map((name) => name.trim()).join() === 'lo' ? '' : 'it has no network of its own'
}

export const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString()
export const nmcli = (...args: string[]) => run('nmcli', ...args)

/** NetworkManager and ModemManager on a bus of their own, with two cables. Their processes are in network and mounts of their own. */
export async function startManagers() {
  const folder = mkdtempSync(join(tmpdir(), 'managers-'))
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  const children: ChildProcess[] = []
  const start = (program: string, ...args: string[]) => {
    const log = openSync(at('log'), 'a')
    children.push(spawn(program, args, { stdio: ['ignore', log, log] }))
  }
  // Read-only: what is there is in no udev, and NetworkManager does not wait for that.
  run('mount', '-t', 'sysfs', '-o', 'ro', 'sysfs', '/sys')
  for (const place of ['/run', '/etc/NetworkManager', '/var/lib/NetworkManager']) run('mount', '-t', 'tmpfs', 'tmpfs', place)
  run('ip', 'link', 'set', 'lo', 'up')
  for (const name of ['eth1', 'eth2']) {
    run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', `${name}-end`)
    run('ip', 'link', 'set', `${name}-end`, 'up')
  }
  writeFileSync(
    at('bus.conf'),
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=${at('bus')}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy></busconfig>`
  )
  const before = env.DBUS_SYSTEM_BUS_ADDRESS
  const stop = async () => {
    for (const child of children.toReversed()) {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }
    if (before === undefined) delete env.DBUS_SYSTEM_BUS_ADDRESS
    else env.DBUS_SYSTEM_BUS_ADDRESS = before
    rmSync(folder, { recursive: true, force: true })
  }
  env.DBUS_SYSTEM_BUS_ADDRESS = `unix:path=${at('bus')}`
  start('/usr/bin/dbus-daemon', '--nofork', '--nopidfile', `--config-file=${at('bus.conf')}`)
  await expect.poll(() => existsSync(at('bus'))).toBe(true)
  start('/usr/lib/polkit-1/polkitd', '--no-debug')
  mkdirSync(at('connections'))
  writeFileSync(
    at('manager.conf'),
    `[main]\nplugins=keyfile\ndns=none\nrc-manager=unmanaged\nno-auto-default=*\nauth-polkit=root-only\n[keyfile]\npath=${at('connections')}\nunmanaged-devices=interface-name:*-end\n[connectivity]\nenabled=false\n`
  )
  const own = ['--config', at('manager.conf'), '--state-file', at('state'), '--pid-file', at('pid')]
  start('/usr/sbin/ModemManager', '--test-enable', '--test-no-udev', '--test-no-suspend-resume', '--test-no-qrtr')
  start('/usr/sbin/NetworkManager', '--no-daemon', ...own)
  const isThere = (program: string, ...args: string[]) => {
    try {
      return run(program, ...args) !== ''
    } catch {
      return false
    }
  }
  const log = () => readFileSync(at('log'), 'utf8')
  try {
    await expect.poll(() => isThere('nmcli', '-t', 'general') && isThere('mmcli', '-L')).toBe(true)
  } catch (error) {
    console.log(log())
    await stop()
    throw error
  }
  return {
    /** Gives ModemManager a modem that it speaks AT with. */
    plugIn: (name: string) => {
      const service = 'org.freedesktop.ModemManager1'
      const call = ['call', '--system', '--dest', service, '--object-path', `/${service.replaceAll('.', '/')}`]
      run('gdbus', ...call, '--method', `${service}.Test.SetProfile`, 'one', 'generic', `['${name}']`)
    },
    log,
    [Symbol.asyncDispose]: stop,
  }
}
