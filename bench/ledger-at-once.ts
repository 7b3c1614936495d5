// Many who move the money of one account at once: 16 clients with BENCH_OPERATIONS operations (100,000) of credits, charges and purchases that may be
// refused, then 200 credits and charges that are begun in one moment. None may be lost, what can be refused never brings the balance below its limit,
// and the books agree. Beside it the database's own time for as many updates of one row, each in a transaction of its own.
import { micros } from '@masthead/contract/billing/money'
import { Problem } from '@masthead/contract/kernel/problem'
import { post, proveLedger, switchOn, type Posting } from '@masthead/server/billing/ledger/index'
import { loadConfig } from '@masthead/server/kernel/config'
import { connectDatabase } from '@masthead/server/kernel/database/open-database'
import { SecretKeys } from '@masthead/server/kernel/secrets/secret-keys'
import { openFleet } from '@masthead/testkit/fleet'
import { testSecretKey } from '@masthead/testkit/secret-key'

const operations = Number(process.env.BENCH_OPERATIONS ?? 100_000)
const clients = 16
const atOnce = 200

const fleet = await openFleet(10)
const keys = new SecretKeys(loadConfig({ DATABASE_URL: fleet.url, MASTHEAD_SECRET_KEY: testSecretKey }))
const { db, pools } = connectDatabase(fleet.url, { name: 'bench', writes: clients, reads: 2, keys })
try {
  const { account_id } = fleet
  await db.transaction().execute((tx) => switchOn(tx, { account_id, currency: 'USD' as never, by: 'bench', at: new Date() }))
  let sum = 0
  let refused = 0
  const one = async (n: number) => {
    const amount = n % 3 === 0 ? 3_000_000 : n % 3 === 1 ? -1_000_000 : -2_500_000
    const posting: Posting = {
      account_id,
      key: `bench:${n}`,
      type: amount > 0 ? 'credit' : 'charge',
      sub_type: 'bench',
      amount_micros: micros(amount),
      against: amount > 0 ? 'cash' : 'revenue',
      description: 'Bench',
      actor: 'bench',
      source: 'system',
      refusable: n % 3 === 2,
    }
    try {
      const [posted] = await db.transaction().execute((tx) => post(tx, new Date(), [posting]))
      sum += amount
      if (n % 3 === 2 && posted!.balance_after_micros < 0) throw new Error('What could be refused went below the limit')
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused++
    }
  }
  const run = async (from: number, count: number, lanes: number) => {
    let next = from
    const took: number[] = []
    const lane = async () => {
      while (next < from + count) {
        const n = next++
        const begun = performance.now()
        await one(n)
        took.push(performance.now() - begun)
      }
    }
    const begun = performance.now()
    await Promise.all(Array.from({ length: lanes }, lane))
    const sorted = took.toSorted((a, b) => a - b)
    return { seconds: (performance.now() - begun) / 1000, p99_ms: Math.round(sorted[Math.floor(sorted.length * 0.99)]!) }
  }
  const many = await run(0, operations, clients)
  const burst = await run(operations, atOnce, atOnce)
  const reference = async () => {
    await fleet.pool.query('create table if not exists bench_row (n bigint); delete from bench_row; insert into bench_row values (0)')
    const begun = performance.now()
    for (let i = 0; i < 500; i++) await fleet.pool.query('update bench_row set n = n + 1')
    return 500 / ((performance.now() - begun) / 1000)
  }
  const updates_per_s = Math.round(await reference())
  const { rows } = await fleet.pool.query<{ balance: string }>(
    'select balance_micros::text as balance from billing_account where account_id = $1',
    [account_id]
  )
  const { differences } = await proveLedger({ db, clock: { now: () => new Date() } })
  if (Number(rows[0]!.balance) !== sum || differences.length > 0)
    throw new Error(`The balance is ${rows[0]!.balance} and should be ${sum}; ${differences.length} differences`)
  const per_s = Math.round(operations / many.seconds)
  const ratio = Number((per_s / updates_per_s).toFixed(2))
  console.log(
    JSON.stringify({
      figure: 'ledger-at-once',
      operations,
      refused,
      per_s,
      p99_ms: many.p99_ms,
      at_once: atOnce,
      at_once_p99_ms: burst.p99_ms,
      updates_per_s,
      ratio,
    })
  )
} finally {
  await Promise.all(pools.map((each) => each.end()))
  await fleet.stop()
}
