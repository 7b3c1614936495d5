import { sql } from 'kysely'
import type { DisconnectOutcome } from '@masthead/contract/assets/sim'
import type { Tx } from '../kernel/app.ts'
import { beginEnforcements, keepDisconnect, measureEnforcements } from '../usage/index.ts'

type Held = {
  sim_id: string
  asset_id: string
  at: Date
  period_start: string
  used_bytes: number
  limit_bytes: number
  group_name: string | null
  session_id: string
  disconnect: DisconnectOutcome
}

/** The limits that SIMs of the demo stand at were held as any limit is, so that each has its proof. All are monthly ones of a group. */
export async function writeDemoEnforcements(tx: Tx, account_id: string): Promise<void> {
  const { rows } =
    await sql<Held>`select s.id as sim_id, s.asset_id, (block ->> 'since')::timestamptz as at, c.period_start::text as period_start,
      (c.bytes_up::numeric + c.bytes_down)::bigint as used_bytes, l.bytes as limit_bytes, g.name as group_name, d.id as session_id, d.disconnect
    from sim s cross join jsonb_array_elements(s.blocks) block
      join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id
      join network_group g on g.account_id = s.account_id and g.id = s.group_id
      join usage_limit l on l.account_id = g.account_id and l.group_id = g.id
      join lateral (select id, disconnect from data_session d where d.account_id = s.account_id and d.sim_id = s.id order by started_at desc limit 1) d on true
    where s.account_id = ${account_id} and block ->> 'code' = 'data_limit'`.execute(tx)
  const by = { account_id, period: 'month' as const, by_change: false }
  await beginEnforcements(
    tx,
    rows.map(({ session_id: _, disconnect: __, ...reached }) => ({ ...by, ...reached }))
  )
  for (const { sim_id, session_id, disconnect } of rows) {
    const answered_at = new Date(disconnect.answered_at!)
    await keepDisconnect(tx, {
      account_id,
      sim_id,
      session_id,
      answered_at,
      asked_at: new Date(disconnect.requested_at),
      answer: 'ack',
      words: disconnect.words,
      attempts: disconnect.attempts,
    })
    await measureEnforcements(tx, { sims: [{ account_id, sim_id }], at: answered_at })
  }
}
