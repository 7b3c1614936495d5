import { sql } from 'kysely'
import type { RolloutTry } from '@masthead/contract/alpon-fleets/rollout'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { getAssetId } from '../../assets/index.ts'
import type { Actor, Db } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { getRollout } from './rollout-queries.ts'

type Of = { fleet_id: string; rollout_id: string; asset_id: string }

export async function listRolloutTries(
  db: Db,
  actor: Actor,
  { fleet_id, rollout_id, asset_id: key }: Of,
  query: PageQuery
): Promise<Page<RolloutTry>> {
  await getRollout(db, actor, fleet_id, rollout_id)
  const asset_id = await getAssetId(db, actor, key)
  const ofDevice = { account_id: actor.account_id, rollout_id, asset_id }
  const device = await db
    .selectFrom('rollout_device')
    .select('asset_id')
    .where((of) => of.and(ofDevice))
    .executeTakeFirst()
  if (!device) throw new Problem(notFound, 'The asset is not in this rollout')
  return pageByKey(db, query, {
    name: 'rollout_tries',
    all: db.selectFrom('rollout_try').where((of) => of.and(ofDevice)),
    keys: [{ of: sql.ref('started_at'), is: 'time' }],
    order: 'desc',
    rows: (page) => page.select(['started_at', 'ended_at', 'outcome', 'words']),
    items: (rows) =>
      rows.map(({ started_at, ended_at, ...each }) => ({
        ...each,
        started_at: started_at.toISOString(),
        ended_at: ended_at.toISOString(),
      })),
  })
}
