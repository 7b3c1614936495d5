import { sql } from 'kysely'
import type { Part } from './part.ts'

/**
 * SIMs for which a feed counted while a session of a gateway was over, or not known, that goes on now: the feed looks for such sessions again. In the order
 * of their keys, as feeds write them.
 */
export const feeds: Part = {
  after: async ({ goneOn }, _, tx) => {
    if (goneOn.length === 0) return
    const of = <Key extends keyof (typeof goneOn)[0]>(key: Key) => goneOn.map((each) => each[key])
    await sql`with given as (
        select account_id, sim_id, to_timestamp(max(at) / 1000) as at
        from unnest(${of('account_id')}::text[], ${of('sim_id')}::text[], ${of('at')}::float8[]) as k(account_id, sim_id, at) group by 1, 2
      ), held as (
        select f.account_id, f.sim_id, greatest(given.at, f.counted_to) as at from given join sim_feed f using (account_id, sim_id)
        order by f.account_id, f.sim_id for update of f
      ) update sim_feed f set gateway_at = greatest(f.gateway_at, held.at) from held where f.account_id = held.account_id and f.sim_id = held.sim_id`.execute(
      tx
    )
  },
}
