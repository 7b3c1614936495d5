import { readdirSync, readFileSync } from 'node:fs'

const field = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024

const fileOf = (pid: number, name: string) => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return '' // it ended meanwhile
  }
}

/** The most memory a process has had resident, in MB; 0 once it has ended. */
export const peakMemory = (pid: number) => Math.round(field(fileOf(pid, 'status'), 'VmHWM'))

/** What a process has resident now, in MB. */
export const residentMemory = (pid: number) => field(fileOf(pid, 'status'), 'VmRSS')

/** A process's share of memory in MB: what several use counts in parts. `buffers` is what a database shares among its processes. */
export function shareOfMemory(pid: number): { own: number; buffers: number } {
  const text = fileOf(pid, 'smaps_rollup')
  const buffers = field(text, 'Pss_Shmem')
  return { own: field(text, 'Pss') - buffers, buffers }
}

/** Files, sockets and pipes a process has open. */
export const descriptorsOf = (pid: number) => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/** A process and all below it, with what each runs. */
export function processesBelow(root: number): { pid: number; runs: string }[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: Number(/\) \S (\d+)/.exec(fileOf(Number(name), 'stat'))?.[1] ?? 0) }))
  const found = [root]
  for (let i = 0; i < found.length; i++) for (const { pid, parent } of all) if (parent === found[i]) found.push(pid)
  return found.map((pid) => ({ pid, runs: fileOf(pid, 'cmdline').replaceAll('\0', ' ').trim() }))
}

/** The child of a process that runs a module of ours; undefined while there is none. */
export const childOf = (parent: number, module: string): number | undefined =>
  processesBelow(parent).find(({ pid, runs }) => pid !== parent && runs.includes(module))?.pid

/** Processor time a process has used so far, in milliseconds; of one that has ended, 0. */
export const cpuOf = (pid: number) => {
  const [, after = ''] = fileOf(pid, 'stat').split(') ')
  const [user = 0, system = 0] = after.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10 // in hundredths of a second
}
