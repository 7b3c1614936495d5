import { textArray } from '../../kernel/array-literals.ts'
import type { MeterConnection, Statement } from '../meter-connection.ts'

/** What may be used, and what was, in bytes. */
export type Allowance = { limit: number | null; used: number }

/** A SIM that is in data pools, and the network it asks for; null: it was not named. */
type Asking = { account_id: string; id: string; mccmnc: string | null }

/** Of the pools that give data on a network: null where one of them gives any amount. `$4` is today. */
const findAllowances: Statement = {
  name: 'find_pool_allowances',
  text: `select k.sim_id, k.network,
      case when not bool_or(p.overage_policy = 'payg')
        then sum(t.size_bytes + case p.overage_policy when 'percent' then t.size_bytes::numeric * p.overage_percent / 100 else 0 end)::float8 end,
      sum(c.bytes)::float8
    from unnest($1::text[], $2::text[], $3::text[]) as k(account_id, sim_id, network)
      join data_pool_sim m on m.account_id = k.account_id and m.sim_id = k.sim_id
      join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
        and (p.zone is null or k.network = '' or p.zone = zone_of(k.network, $4::date))
      join data_pool_term t on t.account_id = p.account_id and t.pool_id = p.id and t.starts_at = p.term_starts_at
      cross join lateral (select coalesce(sum(o.within_bytes + o.over_bytes), 0) as bytes from data_pool_counter o
        where o.account_id = t.account_id and o.pool_id = t.pool_id and o.starts_at = t.starts_at) c
    group by 1, 2`,
}

const keyOf = ({ id, mccmnc }: Asking) => `${id} ${mccmnc ?? ''}`

/** What the data pools of SIMs give where each is, as they stand now. Where none gives anything there is no limit: what is used there is no pool's. */
export async function findPoolAllowances(
  db: MeterConnection,
  asking: readonly Asking[],
  today: string
): Promise<(sim: Asking) => Allowance> {
  const none: Allowance = { limit: null, used: 0 }
  if (asking.length === 0) return () => none
  const each = [...new Map(asking.map((sim) => [keyOf(sim), sim])).values()]
  const rows = await db.run<[sim_id: string, network: string, limit: number | null, used: number]>(findAllowances, [
    textArray(each.map(({ account_id }) => account_id)),
    textArray(each.map(({ id }) => id)),
    textArray(each.map(({ mccmnc }) => mccmnc ?? '')),
    today,
  ])
  const allowances = new Map(rows.map(([sim_id, network, limit, used]) => [`${sim_id} ${network}`, { limit, used }]))
  return (sim) => allowances.get(keyOf(sim)) ?? none
}
