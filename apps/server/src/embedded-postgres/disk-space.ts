import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { formatBytes } from '@masthead/contract/usage/bytes'

/** An empty database with the demo takes some 130 MB, and what it writes beforehand (its log) as much again at least. */
const toBegin = 500_000_000
/** The log alone may grow by so much while much arrives. */
const toGoOn = 1_000_000_000

/** Whether the embedded database has space on its disk: why not, in words, for one that is to be made; or a word of warning. */
export function lackOfSpace(
  dataDir: string,
  { clusterDir = join(dataDir, 'postgres/cluster'), free = freeOn(dataDir) } = {}
): { refused: string } | { warning: string } | null {
  const has = `The disk of ${dataDir} has ${formatBytes(free)} left`
  const isNew = !existsSync(join(clusterDir, 'PG_VERSION'))
  if (isNew && free < toBegin)
    return {
      refused: `${has}, and a new database needs ${formatBytes(toBegin)}. Make space, or set MASTHEAD_DATA_DIR to a directory on a larger disk.`,
    }
  if (free < toGoOn)
    return { warning: `${has}: once it is full nothing is counted any more. Make space, or move the directory to a larger disk` }
  return null
}

/** Of a usual user: what is kept back for root is not counted. */
function freeOn(dir: string): number {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize
}
