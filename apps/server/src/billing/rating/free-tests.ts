import { sql } from 'kysely'
import type { Tx } from '../../kernel/app.ts'

type SimOf = { account_id: string; sim_id: string }

/**
 * What is left of the free tests of some SIMs, by their ids: below zero where they used more. Whoever asks holds their counters, which have the usage that is to be
 * charged already.
 */
export async function findFreeTests(tx: Tx, sims: readonly SimOf[]): Promise<Map<string, number>> {
  if (sims.length === 0) return new Map()
  const { rows } = await sql<{
    sim_id: string
    left: number
  }>`select s.id as sim_id, (s.test_bytes - c.lifetime_up - c.lifetime_down)::float8 as left
    from unnest(${sims.map(({ account_id }) => account_id)}::text[], ${sims.map(({ sim_id }) => sim_id)}::text[]) as k(account_id, id)
      join sim s on s.account_id = k.account_id and s.id = k.id and s.state = 'ready' and s.test_bytes is not null
      join sim_counter c on c.account_id = s.account_id and c.sim_id = s.id`.execute(tx)
  return new Map(rows.map(({ sim_id, left }) => [sim_id, left]))
}
