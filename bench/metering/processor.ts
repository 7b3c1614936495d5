import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { cpuOf, processesBelow } from '@masthead/testkit/process-figures'

type Used = { meter: number; connections: number; others: number }

/**
 * What a meter, the processes of its connections and the rest of its database use of the processor from now on, in milliseconds: asked for by
 * calling the answer. What ended meanwhile (who cleans up) counts with its parent.
 */
export async function processorOf(pool: pg.Pool, meterPid: number): Promise<() => Promise<Used>> {
  const { rows } = await pool.query<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'masthead meter'`)
  const postmaster = parentOf(rows[0]!.pid)
  const now = (): Used => {
    const connections = rows.reduce((sum, { pid }) => sum + cpuOf(pid), 0)
    const all = processesBelow(postmaster).reduce((sum, { pid }) => sum + cpuOf(pid), ofEnded(postmaster))
    return { meter: cpuOf(meterPid), connections, others: all - connections }
  }
  const before = now()
  return async () => {
    const after = now()
    return {
      meter: after.meter - before.meter,
      connections: after.connections - before.connections,
      others: after.others - before.others,
    }
  }
}

const stat = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ')
const parentOf = (pid: number) => Number(stat(pid)[1])
/** Of children that ended; hundredths of a second in the file. */
const ofEnded = (pid: number) => (Number(stat(pid)[13]) + Number(stat(pid)[14])) * 10
