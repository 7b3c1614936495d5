import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import type { RefusedNow } from '@masthead/contract/assets/past/history-operations'
import { hasService } from '@masthead/contract/assets/service'
import type { Sim } from '@masthead/contract/assets/sim'
import { listDataPools } from '@masthead/contract/datapools/operations'
import { networkRefusal } from '@masthead/contract/network-groups/rules'
import { actorMay, type Actor, type Db } from '../../kernel/app.ts'
import { rulesOfSim } from '../../network-groups/index.ts'
import { hourBefore } from '../hour-before.ts'
import { refuserOf } from '../service/index.ts'
import type { Viewer } from '../viewer.ts'

/** Whose asset it is, and what they may see. */
export type Reader = Viewer & Pick<Actor, 'permissions'>

type Row = {
  key: string
  last_at: Date
  count: number
  words: string | null
  mccmnc: string | null
  rat: string | null
  pool: string | null
  pool_id: string | null
}

/**
 * How the SIM in use is refused, in this hour or the one before, like the overview counts it: neither accepted since, nor in a session. What was
 * refused for a reason that is gone is left out: where the device tries again, it comes on.
 */
export async function findRefused(db: Db, viewer: Reader, asset_id: string, sim: Sim): Promise<RefusedNow | null> {
  const { account_id, at } = viewer
  if (sim.session !== null) return null
  const from = hourBefore(at)
  const own = sql`account_id = ${account_id} and sim_id = ${sim.id}`
  const { rows } = await sql<Row>`select refused.*, (select p.id from data_pool_sim m
      join data_pool p on p.account_id = m.account_id and p.id = m.pool_id and p.ended_at is null
      where m.account_id = ${account_id} and m.sim_id = ${sim.id} and starts_with(refused.pool, 'The data pool ' || p.name || ' is used up')
      order by length(p.name) desc limit 1) as pool_id
    from (select key, last_at, count, words, nullif(mccmnc, '') as mccmnc, rat,
      case when mccmnc <> '' then pool_refusal(account_id, sim_id, mccmnc, ${dayOf(at.getTime())}::date) end as pool
    from connection_event where ${own} and kind = 'rejected' and hour >= ${from} and last_at > coalesce((select max(last_at) from connection_event
        where ${own} and kind = 'accepted' and hour >= ${from}), '-infinity')
      and last_at >= coalesce((select ended_at from data_session where ${own} and not superseded order by started_at desc limit 1), '-infinity')
    ) refused order by last_at desc`.execute(db)
  if (rows.length === 0) return null
  const seesPools = actorMay(viewer, listDataPools.access)
  const rules = await rulesOfSim(db, account_id, asset_id)
  const standing = rows.flatMap((row): RefusedNow[] => {
    const now = (by: RefusedNow['by'], words: string | null) => [
      { by, words, count: row.count, last_at: row.last_at.toISOString(), pool_id: by === 'pool' && seesPools ? row.pool_id : null },
    ]
    const cause = /^(network|blocked|state)[: ]/.exec(row.key)?.[1]
    if (!hasService(sim)) return now('held', row.words)
    if (cause === 'blocked' || cause === 'state') return []
    if (cause === undefined) return now('network', row.words)
    const ofGroup = rules && networkRefusal(rules, row)
    if (ofGroup) return now('group', ofGroup.words)
    return row.pool === null ? [] : now(refuserOf(row.pool), row.pool)
  })
  const [last] = standing
  return last ? { ...last, count: standing.reduce((sum, { by, count }) => (by === last.by ? sum + count : sum), 0) } : null
}
