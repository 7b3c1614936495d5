// Meter and lists together at half of what they can, for BENCH_MINUTES (30): no error, and after a warm-up no process grows by 5 % or keeps
// descriptors. What they can is measured first, together, in the same run. The database's server processes come and go with what is asked: there
// must not be more of them, and the largest must not grow by a megabyte. What they share (buffers) and keep open (files, 1,000 each) are caches of
// a size that is set: reported, not judged.
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
    parts: processes(productPid).map(({ runs, own, descriptors }) => ({
      name: /\/([\w-]+\/main)\.ts/.exec(runs)?.[1] ?? runs,
      memory: own,
      descriptors,
    })),
    database: {
      processes: database.length,
      largest: most(database.map(({ own }) => own)),
      buffers: database.reduce((sum, { buffers }) => sum + buffers, 0),
      descriptors: most(database.map((each) => each.descriptors)),
    },
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
  // The first third warms up. The medians of the next and the last tenth of checks show a drift apart from chance.
  const medianOf = (of: (one: (typeof looks)[number]) => number) => ({
    before: median(looks.slice(20, 30).map(of)),
    after: median(looks.slice(50, 60).map(of)),
  })
  const parts = looks[0]!.parts.map(({ name }, i) => {
    const memory = medianOf(({ parts }) => parts[i]?.memory ?? 0)
    const descriptors = medianOf(({ parts }) => parts[i]?.descriptors ?? 0)
    return {
      name,
      mb: [Math.round(memory.before), Math.round(memory.after)],
      drift: Number((memory.after / memory.before - 1).toFixed(3)),
      descriptors: [descriptors.before, descriptors.after],
    }
  })
  const ofDatabase = (name: keyof (typeof looks)[number]['database']) => {
    const { before, after } = medianOf(({ database }) => database[name])
    return [Number(before.toFixed(1)), Number(after.toFixed(1))] as const
  }
  const database = {
    processes: ofDatabase('processes'),
    largest_mb: ofDatabase('largest'),
    buffers_mb: ofDatabase('buffers'),
    most_descriptors: ofDatabase('descriptors'),
  }
  const failed = listed.failed + metered.given_up
  const stays = ([before, after]: readonly number[], room: number) => after! <= before! + room
  const ok =
    failed === 0 &&
    parts.every(({ drift, descriptors }) => drift < mostDrift && stays(descriptors, 2)) &&
    stays(database.processes, 2) &&
    stays(database.largest_mb, 1)
  const told = { rate: metered.rate, asked: half.meter, p99: metered.latency.p99, retransmits: metered.retransmits }
  console.log(
    JSON.stringify({
      figure: 'soak',
      minutes,
      assets,
      failed,
      meter: told,
      list: { rate: listed.rate, asked: half.list, p50: listed.p50, p99: listed.p99 },
      processes: parts,
      database,
      most_drift: mostDrift,
      ok,
    })
  )
  process.exitCode = ok ? 0 : 1
} finally {
  await all.stop()
}
