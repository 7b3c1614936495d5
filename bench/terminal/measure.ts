import type { Way } from '../devices/window.ts'
import { within } from '../devices/until.ts'

const keys = Number(process.env.BENCH_KEYS ?? 500)
const warmUp = 50
const megabytes = Number(process.env.BENCH_MB ?? 40)
/** Nothing is waited for longer: what hangs says what it was. */
export const stepWithin = Number(process.env.BENCH_STEP_SECONDS ?? 90) * 1000

/** How long a key takes to its echo, and how much a shell shows in a second. */
export async function measure(name: string, { type, onBytes }: Way) {
  let hear = (_: Buffer) => {}
  onBytes((bytes) => hear(bytes))
  const heard = (done: (all: string) => boolean) => {
    let all = ''
    return new Promise<void>((resolve) => {
      hear = (bytes) => done((all += bytes.toString('latin1'))) && resolve()
    })
  }
  const ready = heard((all) => all.includes('ready-1'))
  // As many keys as come are read, and then the shell goes on.
  type(`stty -icanon echo; PS1=; echo ready-$((0+1)); head -c ${keys + warmUp} > /dev/null\r`)
  await within(`${name}: the first command`, stepWithin, ready)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const taken: number[] = []
  for (let key = -warmUp; key < keys; key++) {
    const echo = heard(() => true)
    const from = performance.now()
    type('x')
    await within(`${name}: the echo of key ${key}`, stepWithin, echo)
    if (key >= 0) taken.push(performance.now() - from)
  }
  const over = heard((all) => all.includes('over-1'))
  type('stty -echo; echo over-$((0+1))\r')
  await within(`${name}: the end of the keys`, stepWithin, over)
  let size = 0
  const all = new Promise<void>((resolve) => {
    hear = (bytes) => (size += bytes.length) >= megabytes * 1e6 && resolve()
  })
  const from = performance.now()
  type(`head -c ${megabytes * 1e6} /dev/zero | tr '\\0' a\r`)
  await within(`${name}: ${megabytes} MB of output`, stepWithin, all)
  const output_mb_s = megabytes / ((performance.now() - from) / 1000)
  const at = (of: number) => Number(taken.toSorted((a, b) => a - b)[Math.floor(taken.length * of)]!.toFixed(3))
  return { p50_ms: at(0.5), p99_ms: at(0.99), output_mb_s: Number(output_mb_s.toFixed(1)) }
}
