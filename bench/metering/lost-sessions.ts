import type pg from 'pg'
import type { LoadSession } from '@masthead/simulator/load-sessions'

/** How many sessions count less than was acknowledged, or more than was sent; and SIMs whose totals are not those of their sessions. */
export async function lostSessions(pool: pg.Pool, sessions: readonly LoadSession[]): Promise<number> {
  const { rows } = await pool.query<{ acct_session_id: string; bytes_up: number; bytes_down: number }>(
    'select acct_session_id, bytes_up, bytes_down from data_session'
  )
  const counted = new Map(rows.map((row) => [row.acct_session_id, row]))
  const wrong = sessions.filter((session) => {
    const row = counted.get(session.session_id)
    if (!row) return session.known
    const between = (bytes: number, acknowledged: number, sent: number) => bytes >= acknowledged && bytes <= sent
    return (
      !between(row.bytes_up, session.acknowledged_input, session.sent_input) ||
      !between(row.bytes_down, session.acknowledged_output, session.sent_output)
    )
  })
  const unequal = await pool.query<{ count: number }>(`select count(*) from (
      select account_id, sim_id, sum(bytes_up) as up, sum(bytes_down) as down from data_session group by 1, 2) s
    full join sim_counter c using (account_id, sim_id)
    where s.up is distinct from c.lifetime_up or s.down is distinct from c.lifetime_down`)
  return wrong.length + unequal.rows[0]!.count
}
