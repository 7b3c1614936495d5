// Meter and lists together at half of what they can, for BENCH_MINUTES (30): no error, and after a warm-up no process grows by 5 % or keeps
// descriptors. What they can is measured first, together, in the same run. Of the database it is the largest of its server processes, as they come
// and go with what is asked; the buffers they share fill up to the size they are given, and are told apart.
import { setTimeout as pause } from 'node:timers/promises'
import { descriptorsOf, processesBelow, shareOfMemory } from '@masthead/testkit/process-figures'
import { openListedMeter } from '../lists/open-listed-meter.ts'

const minutes = Number(process.env.BENCH_MINUTES ?? 30)
const assets = Number(process.env.BENCH_ASSETS ?? 200_000)
const probe = Number(process.env.BENCH_SECONDS ?? 20)
const mostDrift = 0.05

/** Its parts, by what they run. */
function look(productPid: number, databasePid: number) {
  const processes = (root: number) =>
    processesBelow(root).map(({ pid, runs }) => ({ runs, ...shareOfMemory(pid), descriptors: descriptorsOf(pid) }))
  const most = (of: number[]) => Math.max(...of)
  const database = processes(databasePid).filter(({ runs }) => !runs.includes('autovacuum')) // what cleans up takes its memory at once
  return {
    parts: [
      ...processes(productPid).map(({ runs, own, descriptors }) => ({
        name: /\/([\w-]+\/main)\.ts/.exec(runs)?.[1] ?? runs,
        memory: own,
        descriptors,
      })),
      { name: 'database', memory: most(database.map(({ own }) => own)), descriptors: most(database.map((each) => each.descriptors)) },
    ],
    database: { processes: database.length, buffers: database.reduce((sum, { buffers }) => sum + buffers, 0) },
  }
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
  const medianOf = (of: (one: (typeof looks)[number]) => number) => ({
    before: median(looks.slice(20, 30).map(of)),
    after: median(looks.slice(50, 60).map(of)),
  })
  const drifts = looks[0]!.parts.map(({ name }, i) => {
    const memory = medianOf(({ parts }) => parts[i]?.memory ?? 0)
    const descriptors = medianOf(({ parts }) => parts[i]?.descriptors ?? 0)
    return {
      name,
      mb: [Math.round(memory.before), Math.round(memory.after)],
      drift: Number((memory.after / memory.before - 1).toFixed(3)),
      descriptors: [descriptors.before, descriptors.after],
    }
  })
  const processes = medianOf(({ database }) => database.processes)
  const buffers = medianOf(({ database }) => database.buffers)
  const failed = listed.failed + metered.given_up
  // A server process of the database keeps open what it has read.
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
      database: {
        processes: [processes.before, processes.after],
        buffers_mb: [Math.round(buffers.before), Math.round(buffers.after)],
      },
      most_drift: mostDrift,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await all.stop()
}
