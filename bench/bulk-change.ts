// Seconds that a change of many SIMs takes by the API, from the call to the last row: BENCH_ASSETS (100,000) deactivated by a filter, then activated,
// where the product is killed (SIGKILL, with its jobs) about the middle and started again; that change is timed with the restart in it. Afterwards
// each SIM is as it was asked, with exactly one event of each change. Then a CSV with a limit for each. Under 60 seconds each.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BulkChange } from '@masthead/contract/assets/bulk/bulk'
import { openFleet } from '@masthead/testkit/fleet'
import { type RunningProduct, startProduct } from '@masthead/testkit/product'

const assets = Number(process.env.BENCH_ASSETS ?? 100_000)
const fleet = await openFleet(assets)
const { pool, account_id } = fleet
let product: RunningProduct | undefined
try {
  const env: Record<string, string> = {
    DATABASE_URL: fleet.url,
    MASTHEAD_DEMO: 'off',
    MASTHEAD_LOG_LEVEL: 'silent',
    MASTHEAD_DATA_DIR: mkdtempSync(join(tmpdir(), 'masthead-bulk-')),
  }
  product = await startProduct(env)
  env.MASTHEAD_HTTP_PORT = new URL(product.url).port
  env.MASTHEAD_RADIUS_AUTH_PORT = String(product.authPort)
  env.MASTHEAD_RADIUS_ACCT_PORT = String(product.acctPort)
  const { url } = product
  const cookie = await fleet.newCookie(['assets.view', 'assets.edit'])

  async function call<Answer>(method: string, path: string, body?: string, type = 'application/json'): Promise<Answer> {
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': type }) },
      ...(body && { body }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Answer
  }
  const doneOf = async (id: string) => {
    const { rows } = await pool.query<{ parts_done: number; finished_at: Date | null }>(
      'select parts_done, finished_at from bulk_change where account_id = $1 and id = $2',
      [account_id, id]
    )
    return rows[0]!
  }
  const ended = async (id: string) => {
    while ((await doneOf(id)).finished_at === null) await pause(50)
    return call<BulkChange>('GET', `/assets/bulk-changes/${id}`)
  }
  /** How many SIMs have other than one event of a kind, since a moment. */
  const notOnce = async (action: string, changed: number) => {
    const { rows } = await pool.query<{ events: number; sims: number }>(
      `select count(*)::int as events, count(distinct detail ->> 'sim_id')::int as sims from event where account_id = $1 and action = $2`,
      [account_id, action]
    )
    const { events, sims } = rows[0]!
    return Math.abs(events - sims) + Math.abs(sims - changed)
  }
  const statesOtherThan = async (state: string) => {
    const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from sim where account_id = $1 and state <> $2', [
      account_id,
      state,
    ])
    return rows[0]!.count
  }
  const start = (action: string) => call<BulkChange>('POST', '/assets/bulk-changes', JSON.stringify({ action, filter: {}, count: assets }))
  const timed = async (work: () => Promise<BulkChange>) => {
    const from = performance.now()
    const change = await ended((await work()).id)
    return { seconds: (performance.now() - from) / 1000, change }
  }

  const undisturbed = await timed(() => start('deactivate_sim'))
  const wrongAfterFirst = (await notOnce('sim_deactivated', undisturbed.change.changed)) + (await statesOtherThan('inactive'))

  const parts = Math.ceil(assets / 500)
  let killed_at = 0
  const killed = await timed(async () => {
    const change = await start('activate_sim')
    while ((killed_at = (await doneOf(change.id)).parts_done) < parts / 2) await pause(5)
    process.kill(product!.pid, 'SIGKILL')
    product = await startProduct(env)
    return change
  })
  const wrongAfterKill = (await notOnce('sim_activated', killed.change.changed)) + (await statesOtherThan('active'))

  const { rows } = await pool.query<{ serial: string }>('select serial from asset where account_id = $1 order by serial', [account_id])
  const file = ['asset,limit', ...rows.map(({ serial }, i) => `${serial},${1 + (i % 1000)} GB`)].join('\n')
  const by_file = await timed(() => call<BulkChange>('POST', '/assets/bulk-changes/csv', file, 'text/csv'))

  console.log(
    JSON.stringify({
      figure: 'bulk-change',
      assets,
      seconds: undisturbed.seconds,
      changed: undisturbed.change.changed,
      killed_seconds: killed.seconds,
      killed_after_parts: killed_at,
      of_parts: parts,
      killed_changed: killed.change.changed,
      csv_seconds: by_file.seconds,
      csv_changed: by_file.change.changed,
      rows_not_exactly_once: wrongAfterFirst + wrongAfterKill,
      most_seconds: 60,
    })
  )
} finally {
  await product?.stop()
  await fleet.stop()
}
