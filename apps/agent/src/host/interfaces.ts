import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Interface } from '@masthead/contract/devices/agent/messages'
import { readNumber, readText } from './read.ts'
import { namesIn, type Places } from './vitals.ts'

const most = 32
const mostAddresses = 16
/** Of containers and of the machine itself: nothing that leads outside. */
const inner = /^(lo|veth|docker|br-|cni|podman|virbr|tap|dummy|ifb)/

/** The interfaces by which this machine reaches others. */
export function readInterfaces(places: Places, addresses = networkInterfaces()): Interface[] {
  const folder = join(places.sys, 'class/net')
  const metrics = readMetrics(places)
  return namesIn(folder)
    .filter((name) => !inner.test(name))
    .slice(0, most)
    .map((name) => {
      const of = (file: string) => join(folder, name, file)
      const state = readText(of('operstate'))
      return {
        name: name.slice(0, 32),
        kind: kindOf(name, folder),
        // Tunnels and modems often have no state of their own: one with an address is up.
        up: state === 'up' || (state === 'unknown' && (addresses[name]?.length ?? 0) > 0),
        addresses: (addresses[name] ?? [])
          .map(({ address }) => address)
          .filter((address) => !address.startsWith('fe80'))
          .slice(0, mostAddresses),
        mac: readText(of('address')) || null,
        metric: metrics.get(name) ?? null,
        received_bytes: readNumber(of('statistics/rx_bytes')) ?? 0,
        sent_bytes: readNumber(of('statistics/tx_bytes')) ?? 0,
      }
    })
}

function kindOf(name: string, folder: string): Interface['kind'] {
  if (existsSync(join(folder, name, 'wireless')) || name.startsWith('wl')) return 'W'
  if (/^(wwan|rmnet|usb|cdc|ppp)/.test(name)) return 'C'
  return existsSync(join(folder, name, 'device')) || /^(eth|en)/.test(name) ? 'E' : 'X'
}

/** The metric of each interface's default route; the lowest is the one in use. */
function readMetrics({ proc }: Places): Map<string, number> {
  const rows = (readText(join(proc, 'net/route')) ?? '').split('\n').slice(1)
  const metrics = new Map<string, number>()
  for (const row of rows) {
    const [name, destination, , , , , metric] = row.split(/\s+/)
    if (!name || destination !== '00000000') continue
    metrics.set(name, Math.min(metrics.get(name) ?? Infinity, Number(metric)))
  }
  return metrics
}
