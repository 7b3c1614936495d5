import type pg from 'pg'
import { residentMemory } from '@masthead/testkit/process-figures'
import { mostOpen } from '@masthead/contract/terminal/session'
import { client } from '../devices/client.ts'
import { runAgent } from '../devices/own-agent.ts'
import { putAccount } from '../devices/put-account.ts'
import { within } from '../devices/until.ts'
import { stepWithin } from './measure.ts'
import { openSession } from './open-session.ts'

const count = Number(process.env.BENCH_SESSIONS ?? 200)
const round = (n: number) => Number(n.toFixed(1))

/** What the server takes with many terminals open at once, each of which has shown a screenful many times over. */
export async function measureMany(pool: pg.Pool, url: string, pid: number) {
  const before = residentMemory(pid)
  const stops: (() => Promise<unknown>)[] = []
  try {
    // As many as one person may have open, on a device of an account of theirs.
    for (let opened = 0, nth = 0; opened < count; nth++) {
      const { cookie, assets } = await putAccount(pool, { name: `bench-${nth}`, assets: 1 })
      const call = client(() => url, cookie)
      const asset = assets[0]!
      stops.push((await runAgent(call, url, asset)).stop)
      const own = Math.min(mostOpen.person, count - opened)
      const sessions = []
      for (let each = 0; each < own; each++) sessions.push(await openSession({ url, cookie, call, asset }))
      opened += own
      await Promise.all(
        sessions.map(async ({ window, end }) => {
          stops.push(async () => {
            await end()
            await window.closed
          })
          let all = ''
          const shown = new Promise<void>((resolve) =>
            window.onBytes((bytes) => (all += bytes.toString('latin1')).includes('over-1') && resolve())
          )
          window.type('seq 1 20000; echo over-$((0+1))\r')
          await within('A session among many', stepWithin, shown)
          window.onBytes(() => {})
        })
      )
    }
    const memory_mb = residentMemory(pid)
    return { count, memory_mb: round(memory_mb), added_mb: round(memory_mb - before) }
  } finally {
    // Sessions end before their agents do.
    for (const stop of stops.toReversed()) await stop().catch(() => {})
  }
}
