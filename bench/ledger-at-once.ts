// Many who move the money of one account at once: 16 clients with BENCH_OPERATIONS operations (100,000) of credits, charges and purchases that may be
// refused, then 200 credits and charges that are begun in one moment. None may be lost, what can be refused never brings the balance below its limit,
// and the books agree. Beside it the database's own updates of one row, each in a transaction of its own.
import { openFleet } from '@masthead/testkit/fleet'
import { openSharedLedger } from '@masthead/testkit/shared-ledger'

const operations = Number(process.env.BENCH_OPERATIONS ?? 100_000)
const clients = 16
const atOnce = 200
const amounts = [3_000_000, -1_000_000, -2_500_000] as const

const fleet = await openFleet(10)
const ledger = await openSharedLedger(fleet.url, fleet.account_id, clients)
try {
  let sum = 0
  let refused = 0
  const one = async (n: number) => {
    const amount = amounts[n % 3]!
    const refusable = n % 3 === 2
    const balance = await ledger.move(amount, { refusable })
    if (balance === null) refused++
    else sum += amount
    if (refusable && balance !== null && balance < 0) throw new Error('What could be refused went below the limit')
  }
  const run = async (from: number, count: number, lanes: number) => {
    let next = from
    const took: number[] = []
    const lane = async () => {
      while (next < from + count) {
        const begun = performance.now()
        await one(next++)
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
  await fleet.pool.query('create table bench_row as select 0::bigint as n')
  const begun = performance.now()
  for (let i = 0; i < 1000; i++) await fleet.pool.query('update bench_row set n = n + 1')
  const updates_per_s = Math.round(1000 / ((performance.now() - begun) / 1000))
  const { rows } = await fleet.pool.query<{ balance: string }>(
    'select balance_micros::text as balance from billing_account where account_id = $1',
    [fleet.account_id]
  )
  const differences = await ledger.prove()
  if (Number(rows[0]!.balance) !== sum || differences.length > 0)
    throw new Error(`The balance is ${rows[0]!.balance} and should be ${sum}; ${differences.length} differences`)
  const per_s = Math.round(operations / many.seconds)
  const figures = { operations, refused, per_s, p99_ms: many.p99_ms, at_once: atOnce, at_once_p99_ms: burst.p99_ms }
  console.log(JSON.stringify({ figure: 'ledger-at-once', ...figures, updates_per_s, ratio: Number((per_s / updates_per_s).toFixed(2)) }))
} finally {
  await ledger.stop()
  await fleet.stop()
}
