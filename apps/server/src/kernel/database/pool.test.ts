import { expect, test } from 'vitest'
import { cloneDatabase } from '@masthead/testkit/cluster'
import { openPool } from './pool.ts'

test('what a host that vanished has locked does not stay so for hours', async () => {
  const pool = openPool((await cloneDatabase()).url, { max: 1 })
  try {
    // A socket of the same machine shows no values of TCP, but who has set them.
    const { rows } = await pool.query<{ name: string }>(`select name from pg_settings where source = 'session'
      and (name like 'tcp_keepalives%' or name = 'idle_in_transaction_session_timeout' and setting = '60000') order by name`)
    const names = ['idle_in_transaction_session_timeout', ...['count', 'idle', 'interval'].map((each) => `tcp_keepalives_${each}`)]
    expect(rows.map(({ name }) => name)).toEqual(names)
  } finally {
    await pool.end()
  }
})

test('days are in UTC in a database of another time zone', async () => {
  const { url } = await cloneDatabase()
  const first = openPool(url, { max: 1 })
  const name = new URL(url).pathname.slice(1)
  await first.query(`alter database "${name}" set timezone = 'America/New_York'`)
  await first.end()
  const pool = openPool(url, { max: 1 })
  try {
    const { rows } = await pool.query<{ day: string }>(`select '2026-11-01T00:00:00Z'::timestamptz::date as day`)
    expect(rows).toEqual([{ day: '2026-11-01' }])
  } finally {
    await pool.end()
  }
})
