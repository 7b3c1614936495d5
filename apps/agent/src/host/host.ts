import { arch, hostname, release, uptime } from 'node:os'
import { join } from 'node:path'
import type { ReportedState } from '@masthead/contract/devices/agent/messages'
import { readText } from './read.ts'
import type { Places } from './vitals.ts'

const cut = (text: string | null, most = 120) => text?.slice(0, most) || null

export const readHost = ({ sys, proc }: Places): ReportedState['host'] => ({
  name: hostname().slice(0, 255),
  arch: arch(),
  // A board says it in the device tree, a PC in its firmware.
  model: cut(readText(join(proc, 'device-tree/model')) ?? readText(join(sys, 'class/dmi/id/product_name'))),
  serial: cut(readText(join(proc, 'device-tree/serial-number'))),
})

export const readSystem = (osRelease = '/etc/os-release'): { os: string; kernel: string } => ({
  os: cut(/^PRETTY_NAME="?([^"\n]*)/m.exec(readText(osRelease) ?? '')?.[1] ?? null) ?? 'Linux',
  kernel: release().slice(0, 120),
})

/** To the second, so that each reading gives the same. */
export const bootedAt = (at: Date): string => new Date(Math.floor((at.getTime() - uptime() * 1000) / 1000) * 1000).toISOString()
