// The list at 200 requests a second, at rest and while the meter counts 1,000 packets a second. The two take turns, each pair once the database
// has cleaned up after the last; a turn's p99 is from when a request was due. It may be five times that of rest, and that of packets 150 ms.
import { setTimeout as pause } from 'node:timers/promises'
import type { LoadReport } from '@masthead/simulator/load'
import type { HttpReport } from '../lists/http-load.ts'
import { openListedMeter } from '../lists/open-listed-meter.ts'

const assets = Number(process.env.BENCH_ASSETS ?? 1_000_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const metered = Number(process.env.BENCH_METER_RATE ?? 1000)
const rate = 200
const most = { ratio: 5, packets_p99: 150 } // of the list at rest; ms

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

const all = await openListedMeter(assets, { meterInFlight: 512, clients: 32 })
try {
  const { list, meter, fleet, settle } = all
  await list.run({ seconds, rate }) // the same requests: no turn waits for what was never read
  const turns: { rest: HttpReport; busy: HttpReport; meter: LoadReport }[] = []
  for (let round = 0; round < rounds; round++) {
    await settle()
    const rest = await list.run({ seconds, rate })
    const over = new AbortController()
    const counting = meter.run({ seconds: 3600, rate: metered, signal: over.signal })
    await pause(5000) // what begins is not what goes on
    const busy = await list.run({ seconds, rate })
    over.abort()
    turns.push({ rest, busy, meter: await counting })
  }
  const of = (pick: (turn: (typeof turns)[number]) => number) => median(turns.map(pick))
  const [rest, busy] = [of((turn) => turn.rest.p99), of((turn) => turn.busy.p99)]
  const figures = {
    rest: { rate: of((turn) => turn.rest.rate), p50: of((turn) => turn.rest.p50), p99: rest },
    busy: { rate: of((turn) => turn.busy.rate), p50: of((turn) => turn.busy.p50), p99: busy },
    meter: { asked: metered, rate: of((turn) => turn.meter.rate), p99: of((turn) => turn.meter.latency.p99) },
    failed: turns.reduce((sum, turn) => sum + turn.rest.failed + turn.busy.failed + turn.meter.given_up, 0),
  }
  const ratio = Number((busy / rest).toFixed(2))
  const ok = figures.failed === 0 && ratio <= most.ratio && figures.meter.p99 < most.packets_p99
  console.log(JSON.stringify({ figure: 'list-beside-meter', assets, load: fleet.load, list_rate: rate, ...figures, ratio, most, ok }))
  process.exitCode = ok ? 0 : 1
} finally {
  await all.stop()
}
