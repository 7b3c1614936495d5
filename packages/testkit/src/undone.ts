import type { Pool, PoolClient } from 'pg'

const begins = /^(begin|start transaction)\b/i
const commits = /^commit\b/i
const rollsBack = /^rollback$/i

const beingUndone = new WeakSet<Pool>()

/** Whether what happens now will not have happened. */
export const isBeingUndone = (pool: Pool) => beingUndone.has(pool)

/**
 * Does work on the database and undoes it, whatever the server committed meanwhile: a transaction around all, in which theirs are savepoints.
 * One at a time, and nothing else may use the pools beside it. The first of them has the transactions.
 */
export async function undone<T>({ pools }: { pools: readonly Pool[] }, work: () => Promise<T>): Promise<T> {
  const client = await pools[0]!.connect()
  const query = client.query.bind(client) as (text: unknown, ...rest: unknown[]) => unknown
  let depth = 0
  let before: Promise<unknown> = Promise.resolve()
  const nested = (text: unknown) => {
    if (typeof text !== 'string') return text
    if (begins.test(text)) return `savepoint nested_${++depth}`
    if (commits.test(text)) return `release savepoint nested_${depth--}`
    if (rollsBack.test(text)) return `rollback to savepoint nested_${depth--}`
    return text
  }
  const shared = Object.create(client, {
    release: { value: () => {} },
    // What the server asks of several connections at once is asked of this one in turn.
    query: { value: (text: unknown, ...rest: unknown[]) => (before = before.catch(() => {}).then(() => query(nested(text), ...rest))) },
  }) as PoolClient
  // Transactions take turns: savepoints of two at once would end each other.
  let turn: Promise<void> = Promise.resolve()
  const inTurn = async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const earlier = turn
    turn = released
    await earlier
    return Object.create(shared, { release: { value: release } }) as PoolClient
  }
  const usual = pools.map((pool) => [pool, pool.connect] as const)
  await client.query('begin')
  for (const [index, pool] of pools.entries()) {
    pool.connect = (index === 0 ? inTurn : async () => shared) as typeof pool.connect
    beingUndone.add(pool)
  }
  try {
    return await work()
  } finally {
    for (const [pool, connect] of usual) {
      pool.connect = connect
      beingUndone.delete(pool)
    }
    await turn // what nobody waits for, too
    await client.query('rollback').finally(() => client.release())
  }
}
