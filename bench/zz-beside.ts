import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openListedMeter } from './lists/open-listed-meter.ts'
import { processesBelow, cpuOf } from '@masthead/testkit/process-figures'
const all = await openListedMeter(1_000_000, { meterInFlight: 512, clients: 32 })
const { list, meter, fleet, product } = all
const secs = Number(process.env.S ?? 15)
const stat = () => readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1).map(Number)
const comm = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim().slice(0, 90)
  } catch {
    return ''
  }
}
const psAll = () => {
  const m = new Map<number, number>()
  for (const p of [...processesBelow(process.pid)]) m.set(p.pid, cpuOf(p.pid))
  return m
}
const settle = async () => {
  await fleet.pool.query('vacuum analyze')
  await fleet.pool.query('checkpoint')
  await pause(3000)
}
async function turn(name: string) {
  const per: string[] = []
  const before = psAll(),
    s0 = stat()
  const whole: number[] = []
  for (let i = 0; i < secs; i++) {
    const a = stat()
    const r = await list.run({ seconds: 1, rate: 200 })
    const b = stat()
    const d = b.map((x, k) => x - a[k]!)
    const tot = d.reduce((x, y) => x + y, 0)
    per.push(`${r.p99.toFixed(0)}/${r.max.toFixed(0)}(${Math.round((100 * d[3]!) / tot)}i${Math.round((100 * d[4]!) / tot)}w)`)
    whole.push(r.p99)
  }
  const s1 = stat(),
    after = psAll()
  const d = s1.map((x, i) => x - s0[i]!),
    tot = d.reduce((a, b) => a + b, 0)
  console.log(
    name,
    'user',
    ((d[0]! / tot) * 100).toFixed(0),
    'nice',
    ((d[1]! / tot) * 100).toFixed(0),
    'sys',
    ((d[2]! / tot) * 100).toFixed(0),
    'idle',
    ((d[3]! / tot) * 100).toFixed(0),
    'iow',
    ((d[4]! / tot) * 100).toFixed(0),
    'soft',
    ((d[6]! / tot) * 100).toFixed(0)
  )
  console.log('  per s p99/max', per.join(' '))
  const rows = [...after]
    .map(([pid, ms]) => [pid, ms - (before.get(pid) ?? 0)] as const)
    .filter(([, ms]) => ms > 50)
    .toSorted((a, b) => b[1] - a[1])
  for (const [pid, ms] of rows) console.log('   ', (ms / secs / 10).toFixed(1) + '%', pid, comm(pid))
}
try {
  await list.run({ seconds: 5, rate: 200 })
  await settle()
  await turn('rest')
  for (let i = 0; i < Number(process.env.R ?? 2); i++) {
    const over = new AbortController()
    const counting = meter.run({ seconds: 3600, rate: 5000, signal: over.signal })
    await turn('busy')
    over.abort()
    const m = await counting
    console.log('  meter', m.rate, m.latency)
    await settle()
    await turn('rest')
  }
} finally {
  await all.stop()
}
