import { setTimeout as pause } from 'node:timers/promises'
import { openLoad } from '@masthead/simulator/load'
import pg from 'pg'
import { lostSessions } from './lost-sessions.ts'
import { rollUpsEqual } from './roll-ups-equal.ts'

const inFlight = 64
const often = 0.05

type Settings = { acctPort: number; sims: readonly { imsi: string }[]; seed: number; retry_after: number; give_up_after: number }

/** Packets without end, some twice and some out of order, while something is done to what counts them. */
export async function startLoad({ acctPort, ...settings }: Settings) {
  const target = { host: '127.0.0.1', acct_port: acctPort }
  const load = await openLoad({ target, secret: 'bench', inFlight, duplicates: often, reordered: often, ...settings })
  const stop = new AbortController()
  const running = load.run({ seconds: 3600, signal: stop.signal })
  return {
    answered: () => load.answered(),
    sessions: load.sessions,
    /** When the database answered again, and when the next packet was counted after that: of `performance.now()`. */
    untilCounting: async (databaseUrl: string) => {
      const answering = await whenAnswering(databaseUrl)
      for (const before = load.answered(); load.answered() === before;) await pause(2)
      return { answering, counting: performance.now() }
    },
    /** Ends it. */
    stop: async () => {
      stop.abort()
      const report = await running
      load.close()
      return report
    },
    /** Sessions of which something else was counted than was acknowledged, and whether the roll-ups are the records' sums. */
    compare: async (pool: pg.Pool) => ({ wrong: await lostSessions(pool, load.sessions), equal: await rollUpsEqual(pool) }),
  }
}

/** When the database takes new connections (those of a dead server may go on for a while). */
async function whenAnswering(url: string): Promise<number> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const answered = await client.connect().then(
      () => true,
      () => false
    )
    await client.end().catch(() => {})
    if (answered) return performance.now()
    await pause(5)
  }
}
