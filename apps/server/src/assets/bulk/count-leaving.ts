import { sql, type RawBuilder } from 'kysely'
import type { BulkPreview } from '@masthead/contract/assets/bulk/bulk'
import type { Db } from '../../kernel/app.ts'
import type { Viewer } from '../index.ts'
import { keptHere } from '../sim/release-asset.ts'
import { chosen } from './outcome.ts'

/** What it means for pools, limits and credits that assets leave, of those among them that can. */
export async function countLeaving(db: Db, viewer: Viewer, ids: RawBuilder<{ id: string }>): Promise<NonNullable<BulkPreview['leaving']>> {
  const { rows } = await sql<NonNullable<BulkPreview['leaving']>>`with leaving as (select s.account_id, s.id from ${chosen(viewer, ids)}
      join sim s on s.account_id = asset.account_id and s.asset_id = asset.id where ${keptHere} is null)
    select count(*) as sims,
      count(*) filter (where exists (select from data_pool_sim p where p.account_id = s.account_id and p.sim_id = s.id)) as in_pools,
      count(*) filter (where exists (select from usage_limit l where l.account_id = s.account_id and l.sim_id = s.id)) as own_limits,
      count(*) filter (where exists (select from sim_fee f where f.account_id = s.account_id and f.sim_id = s.id and f.kind = 'sim_active'
        and f.micros > 0 and f.month = date_trunc('month', ${viewer.at}::timestamptz at time zone 'UTC')::date)) as fees_charged
    from leaving s`.execute(db)
  return rows[0]!
}
