import { setTimeout as pause } from 'node:timers/promises'
import { residentMemory } from '@masthead/testkit/process-figures'
import { until } from '../devices/until.ts'
import { openSession, type Place } from './open-session.ts'

const megabytes = Number(process.env.BENCH_STALL_MB ?? 400)
const looksFor = 15_000 // ms
const round = (n: number) => Number(n.toFixed(1))

/** A shell wants to write much to a window that reads nothing: how much it came to write, and how much memory of the server that took. */
export async function measureStalled(place: Place, pid: number) {
  const { window, look, end } = await openSession(place)
  const before = residentMemory(pid)
  window.type(`head -c ${megabytes * 1e6} /dev/zero | tr '\\0' a\r`)
  window.stall()
  let most = before
  for (const from = performance.now(); performance.now() - from < looksFor;) {
    most = Math.max(most, residentMemory(pid))
    await pause(200)
  }
  // What went through is written down every 5 s: it stands still once it is the same twice.
  let last = -1
  const written = await until('A shell that is held up', 60_000, async () => {
    const { bytes_out } = await look()
    const stands = bytes_out === last && bytes_out > 0
    last = bytes_out
    if (!stands) await pause(6000)
    return stands && bytes_out
  })
  await end()
  await window.closed.catch(() => {})
  return { wanted_mb: megabytes, written_mb: round(written / 1e6), grew_mb: round(Math.max(0, most - before)) }
}
