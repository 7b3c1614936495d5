import { statfsSync, readdirSync } from 'node:fs'
import { availableParallelism, loadavg, uptime } from 'node:os'
import { join } from 'node:path'
import type { Vitals } from '@masthead/contract/devices/agent/messages'
import { readNumber, readText } from './read.ts'

/** Where the kernel shows itself, and the disk that counts. Tests have folders of their own. */
export type Places = { proc: string; sys: string; disk: string }
export const realPlaces: Places = { proc: '/proc', sys: '/sys', disk: '/' }

type Ticks = { busy: number; all: number }

/** Reads the vitals of this machine; how busy the processor is, is of the time since it was read before. */
export function vitalsReader(places: Places): (at: Date) => Vitals {
  let last = readTicks(places)
  return (at) => {
    const ticks = readTicks(places)
    const all = ticks && last ? ticks.all - last.all : 0
    const cpu_pct = all > 0 ? clamp(((ticks!.busy - last!.busy) / all) * 100) : null
    last = ticks
    const { total, used } = readMemory(places)
    const disk = statfsSync(places.disk)
    return {
      at: at.toISOString(),
      cpu_pct,
      cores: availableParallelism(),
      load_1: round(loadavg()[0]!),
      memory_used_bytes: used,
      memory_total_bytes: total,
      disk_used_bytes: (disk.blocks - disk.bfree) * disk.bsize,
      disk_total_bytes: disk.blocks * disk.bsize,
      temperature_c: readTemperature(places),
      uptime_s: Math.floor(uptime()),
      undervolted: readUndervolted(places),
      agent_rss_bytes: process.memoryUsage.rss(),
    }
  }
}

const round = (value: number) => Math.round(value * 100) / 100
const clamp = (value: number) => Math.min(100, Math.max(0, round(value)))

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal. */
function readTicks({ proc }: Places): Ticks | null {
  const line = /^cpu +(.*)$/m.exec(readText(join(proc, 'stat')) ?? '')?.[1]
  if (!line) return null
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = line.split(' ').map(Number)
  const busy = user + nice + system + irq + soft + steal
  return { busy, all: busy + idle + wait }
}

/** What is not available to new programs counts as used. */
function readMemory({ proc }: Places) {
  const text = readText(join(proc, 'meminfo')) ?? ''
  const kb = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
  const total = kb('MemTotal') * 1024
  return { total, used: Math.max(0, total - (kb('MemAvailable') || kb('MemFree')) * 1024) }
}

/** The hottest zone, in degrees; zones that show nonsense are left out. */
function readTemperature({ sys }: Places): number | null {
  const folder = join(sys, 'class/thermal')
  const zones = namesIn(folder).filter((name) => name.startsWith('thermal_zone'))
  const all = zones.map((name) => (readNumber(join(folder, name, 'temp')) ?? Number.NaN) / 1000).filter((each) => each > -60 && each < 200)
  return all.length === 0 ? null : round(Math.max(...all))
}

/** Of a Raspberry Pi's supply: the kernel's `rpi_volt` sensor says so. */
function readUndervolted({ sys }: Places): boolean | null {
  const folder = join(sys, 'class/hwmon')
  const sensor = namesIn(folder).find((name) => readText(join(folder, name, 'name')) === 'rpi_volt')
  const alarm = sensor ? readNumber(join(folder, sensor, 'in0_lcrit_alarm')) : null
  return alarm === null ? null : alarm === 1
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}
