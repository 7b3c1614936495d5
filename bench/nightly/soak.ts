// Meter and lists together at half of what they can, for BENCH_MINUTES (30): no error, and after a warm-up no process grows by 5 % or keeps
// descriptors. What they can is measured first, together, in the same run.
import { setTimeout as pause } from 'node:timers/promises'
import { descriptorsOf, processesBelow, shareOfMemory } from '@masthead/testkit/process-figures'
import { openListedMeter } from '../lists/open-listed-meter.ts'

const minutes = Number(process.env.BENCH_MINUTES ?? 30)
const assets = Number(process.env.BENCH_ASSETS ?? 200_000)
const probe = Number(process.env.BENCH_SECONDS ?? 20)
const mostDrift = 0.05

/** Its parts, by what they run. The server processes of the database come and go: they are one part. */
function look(productPid: number, databasePid: number) {
  const product = processesBelow(productPid)
  const database = processesBelow(databasePid).map(({ pid }) => pid)
  const sum = (pids: number[], of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0)
  const parts = [
    ...product.map(({ pid, runs }) => ({ name: /\/([\w-]+\/main)\.ts/.exec(runs)?.[1] ?? runs, pids: [pid] })),
    { name: 'database', pids: database },
  ]
  return parts.map(({ name, pids }) => ({ name, memory: sum(pids, shareOfMemory), descriptors: sum(pids, descriptorsOf) }))
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const all = await openListedMeter(assets, { meterInFlight: 256, clients: 32 })
try {
  const { fleet, product, meter, list } = all
  const [fullMeter, fullList] = await Promise.all([meter.run({ seconds: probe }), list.run({ seconds: probe })])
  const half = { meter: Math.round(fullMeter.rate / 2), list: Math.round(fullList.rate / 2) }
  const seconds = minutes * 60
  const running = Promise.all([meter.run({ seconds, rate: half.meter }), list.run({ seconds, rate: half.list })])
  const looks: ReturnType<typeof look>[] = []
  for (let i = 0; i < 60; i++) {
    await pause((seconds * 1000) / 61)
    looks.push(look(product.pid, fleet.databasePid))
  }
  const [metered, listed] = await running
  // The first third warms up. The medians of the next and the last tenth of looks tell a drift from a breath.
  const drifts = looks[0]!.map(({ name }, i) => {
    const at = (from: number, to: number, of: 'memory' | 'descriptors') => median(looks.slice(from, to).map((one) => one[i]?.[of] ?? 0))
    const [before, after] = [at(20, 30, 'memory'), at(50, 60, 'memory')]
    return {
      name,
      mb: [Math.round(before), Math.round(after)],
      drift: Number((after / before - 1).toFixed(3)),
      descriptors: [at(20, 30, 'descriptors'), at(50, 60, 'descriptors')],
    }
  })
  const failed = listed.failed + metered.given_up
  // A server process of the database keeps open what it has read: their number follows what is asked.
  const keeps = ({ name, descriptors: [before, after] }: (typeof drifts)[number]) =>
    after! <= (name === 'database' ? before! * (1 + mostDrift) : before! + 2)
  const ok = failed === 0 && drifts.every((part) => part.drift < mostDrift && keeps(part))
  const told = { rate: metered.rate, asked: half.meter, p99: metered.latency.p99, retransmits: metered.retransmits }
  console.log(
    JSON.stringify({
      figure: 'soak',
      minutes,
      assets,
      failed,
      meter: told,
      list: { rate: listed.rate, asked: half.list, p50: listed.p50, p99: listed.p99 },
      processes: drifts,
      most_drift: mostDrift,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await all.stop()
}
