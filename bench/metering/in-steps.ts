import type pg from 'pg'

const lanes = 2
const step = 50_000

/**
 * Runs statements for all numbers n below `count`, 50,000 at a time on two connections, without triggers and foreign keys: for rows that are
 * right as they are written. `sql` is given what to select n from.
 */
export async function inSteps(pool: pg.Pool, count: number, sql: (range: string) => string[]): Promise<void> {
  let next = 0
  const lane = async () => {
    const client = await pool.connect()
    try {
      await client.query('set session_replication_role = replica')
      while (next < count) {
        const from = next
        next = Math.min(from + step, count)
        for (const statement of sql(`generate_series(${from}, ${next - 1}) n`)) await client.query(statement)
      }
    } finally {
      client.release(true)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
