// A key to its echo, and what a shell writes: browser, server, agent, shell, recorded; beside the same two WebSockets that only hand on. Then a window
// that reads nothing, which must hold up the shell and fill no memory, and what the server takes with 200 sessions at once.
import { openProductionDatabase } from '@masthead/testkit/production-database'
import { type RunningProduct, startProduct } from '@masthead/testkit/product'
import { client } from './devices/client.ts'
import { runAgent } from './devices/own-agent.ts'
import { putAccount } from './devices/put-account.ts'
import { openBare } from './terminal/bare-shell.ts'
import { measureMany } from './terminal/many-sessions.ts'
import { measure } from './terminal/measure.ts'
import { openSession } from './terminal/open-session.ts'
import { measureStalled } from './terminal/stalled-reader.ts'

/** `stalled`: of what the shell wants to write, what it may write, and what the server may take. `sessions`: MB of the server. */
const limits = { p50: 2, p99: 3, output: 0.8, output_mb_s: 18, stalled: 0.1, sessions_mb: 400 }

const database = await openProductionDatabase({ warn: () => {} })
let product: RunningProduct | undefined
try {
  product = await startProduct({ DATABASE_URL: database.url, MASTHEAD_DEMO: 'off' })
  const { url, pid } = product
  const { cookie, assets } = await putAccount(database.pool, { name: 'bench', assets: 1 })
  const place = { url, cookie, call: client(() => url, cookie), asset: assets[0]! }
  const agent = await runAgent(place.call, url, place.asset)
  const { window, end } = await openSession(place)
  const ours = await measure('ours', window)
  await end()
  await window.closed
  const bare = await openBare()
  const plain = await measure('bare', bare.way)
  bare.stop()
  const stalled = await measureStalled(place, pid)
  await agent.stop()
  const sessions = await measureMany(database.pool, url, pid)
  const ratio = {
    p50: ours.p50_ms / plain.p50_ms,
    p99: ours.p99_ms / plain.p99_ms,
    output: ours.output_mb_s / plain.output_mb_s,
    stalled: Math.max(stalled.written_mb, stalled.grew_mb) / stalled.wanted_mb,
    sessions: sessions.memory_mb / limits.sessions_mb,
  }
  const ok =
    ratio.p50 <= limits.p50 &&
    ratio.p99 <= limits.p99 &&
    (ours.output_mb_s >= limits.output_mb_s || ratio.output >= limits.output) &&
    ratio.stalled <= limits.stalled &&
    ratio.sessions <= 1
  console.log(JSON.stringify({ figure: 'terminal', ours, plain, stalled, sessions, ratio, limits, ok }))
  process.exitCode = ok ? 0 : 1
} finally {
  await product?.stop()
  await database.stop()
}
