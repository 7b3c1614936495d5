// The simulated network as a process of its own: `node main.ts PLAN.json`. Ends on SIGTERM, SIGINT, or when its parent is gone.
import { fstatSync, readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { openNetwork } from './network.ts'
import { NetworkPlan } from './network-plan.ts'

function readPlan(path: string | undefined): NetworkPlan {
  if (!path) throw new Error('Give the path of a network plan (JSON)')
  const plan = NetworkPlan.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (!plan.success) throw new Error(`${path} is not a network plan:\n${z.prettifyError(plan.error)}`)
  return plan.data
}

// It keeps nothing that it could not begin anew: what nobody handled ends it with a sentence, and who started it starts it again.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => {
    console.error('The simulated network ends, as nobody handled this:', error)
    process.exit(70)
  })
// Words that cannot be written (a full disk, a reader that is gone) end nothing.
process.stderr.on('error', () => {})

try {
  const plan = readPlan(process.argv[2])
  const network = await openNetwork({ plan })
  const stop = (grace?: number) => void network.stop(grace).then(() => process.exit(0))
  process.on('SIGTERM', () => stop())
  process.on('SIGINT', () => stop())
  // Without its parent there is most likely no server either: nobody would receive a farewell.
  if (process.connected) process.on('disconnect', () => stop(0))
  else if (process.send) stop(0) // it went while we began
  else if (isPipe(0)) process.stdin.on('end', () => stop(0)).resume()
  process.send?.({ ready: true }, undefined, undefined, () => {}) // a parent that is gone gets nothing, and ends nothing by an EPIPE
} catch (error) {
  console.error(`The simulated network cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}

/** A terminal or /dev/null says nothing about a parent; a pipe ends with it. */
function isPipe(descriptor: number): boolean {
  const stat = fstatSync(descriptor)
  return stat.isFIFO() || stat.isSocket()
}
