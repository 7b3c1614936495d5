import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startProduct } from '@masthead/testkit/product'

// Memory of the whole product at rest, all roles and the embedded database with it: the sum of PSS over its processes, beside the simulated network and
// devices of the demo at their default speed, which count by themselves. A machine with 2 GB runs it, so it has half of that.

const limitBytes = 1_000_000_000
const simulated = /^(simulator|card-sandbox)\//

/** Every process whose ancestor is `root`, and PostgreSQL's, which are children of it too. */
function familyOf(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It ended while we looked.
    }
  }
  const family = new Set([root])
  for (let grown = true; grown;) {
    grown = false
    for (const [pid, parent] of parents) {
      if (family.has(parent) && !family.has(pid)) grown = Boolean(family.add(pid))
    }
  }
  return [...family]
}

function pssOf(pid: number): { name: string; bytes: number } | null {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const name = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return {
      name: /postgres/.test(name) ? 'postgres' : (/[\w-]+\/src\/[\w/-]*main\.ts/.exec(name)?.[0] ?? name.slice(0, 40)),
      bytes: Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024,
    }
  } catch {
    return null
  }
}

const product = await startProduct()
try {
  await pause(20_000) // the network is attached and reporting by then
  const parts = familyOf(product.pid)
    .map(pssOf)
    .filter((each) => each !== null)
  const by_process: Record<string, number> = {}
  for (const { name, bytes } of parts) by_process[name] = (by_process[name] ?? 0) + bytes
  const sumOf = (some: typeof parts) => some.reduce((sum, each) => sum + each.bytes, 0)
  const simulated_bytes = sumOf(parts.filter(({ name }) => simulated.test(name)))
  const bytes = sumOf(parts) - simulated_bytes
  const ratio = bytes / limitBytes
  console.log(
    JSON.stringify({ figure: 'memory', bytes, limit_bytes: limitBytes, ratio, simulated_bytes, processes: parts.length, by_process })
  )
} finally {
  await product.stop()
}
