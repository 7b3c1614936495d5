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
