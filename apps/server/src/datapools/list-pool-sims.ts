import { sql } from 'kysely'
import { inOrder } from '@masthead/contract/assets/sim'
import type { listPoolSims as listOp } from '@masthead/contract/datapools/operations'
import type { PoolSim } from '@masthead/contract/datapools/pool'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { visibleTo } from '../assets/index.ts'
import type { Db } from '../kernel/app.ts'
import { beginning, containing } from '../kernel/http/like.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { getPool, type Reader } from './pool-queries.ts'

type Member = { sim_id: string; joined_at: Date; left_at: Date | null }

/** The SIMs of a pool that the viewer may see, and those that left it and took data of the term. Throws not_found. */
export async function listPoolSims(
  db: Db,
  viewer: Reader,
  pool_id: string,
  query: Parsed<typeof listOp>['query']
): Promise<Reply<typeof listOp>> {
  const { term_start } = await getPool(db, viewer, pool_id)
  const { search, sort } = query
  const bytes = sql<number>`coalesce(usage.bytes, 0)`
  const { account_id } = viewer
  const members = sql<Member>`(select sim_id, joined_at, null::timestamptz as left_at from data_pool_sim where account_id = ${account_id} and pool_id = ${pool_id}
    union all select l.sim_id, max(l.joined_at), max(l.left_at) from data_pool_left l
      join data_pool_usage u on u.account_id = l.account_id and u.pool_id = l.pool_id and u.sim_id = l.sim_id and u.starts_at = ${term_start}::timestamptz and u.bytes > 0
      where l.account_id = ${account_id} and l.pool_id = ${pool_id}
        and not exists (select from data_pool_sim m where m.account_id = l.account_id and m.pool_id = l.pool_id and m.sim_id = l.sim_id)
      group by 1)`
  let all = db
    .selectFrom(members.as('member'))
    .innerJoin('sim', (join) => join.onRef('sim.id', '=', 'member.sim_id').on('sim.account_id', '=', account_id))
    .innerJoin('asset', (join) => join.onRef('asset.account_id', '=', 'sim.account_id').onRef('asset.id', '=', 'sim.asset_id'))
    .leftJoin('data_pool_usage as usage', (join) =>
      join
        .onRef('usage.sim_id', '=', 'member.sim_id')
        .on('usage.account_id', '=', account_id)
        .on('usage.pool_id', '=', pool_id)
        .on('usage.starts_at', '=', new Date(term_start))
    )
    .where(visibleTo(viewer))
  if (search) {
    all = all.where(sql<boolean>`(lower(asset.name) like ${containing(search)} or sim.iccid like ${beginning(search)})`)
  }
  const key = sort.endsWith('bytes') ? ({ of: bytes, is: 'number' } as const) : ({ of: sql`lower(asset.name)`, is: 'text' } as const)
  const ofAsset = sql`${account_id} and m.asset_id = asset.id and m.pool_id = ${pool_id}`
  return pageByKey(db, query, {
    name: `data pool SIMs ${sort}`,
    all,
    keys: [key, { of: sql.ref('member.sim_id'), is: 'text' }],
    order: sort.startsWith('-') ? 'desc' : 'asc',
    rows: (page) =>
      page.select([
        'asset.id as asset_id',
        'asset.name as asset_name',
        'sim.id as sim_id',
        'sim.iccid',
        'sim.status',
        'sim.blocks',
        'member.joined_at',
        'member.left_at',
        bytes.as('bytes'),
        sql<number>`coalesce(usage.over_bytes, 0)`.as('overage_bytes'),
        sql<boolean>`exists (select from data_pool_asset m where m.account_id = ${ofAsset})`.as('by_asset'),
        sql<
          string | null
        >`(select min(tag.name) from asset_tag t join data_pool_tag m on m.account_id = t.account_id and m.tag_id = t.tag_id
          join tag on tag.account_id = t.account_id and tag.id = t.tag_id
          where t.account_id = ${account_id} and t.asset_id = asset.id and m.pool_id = ${pool_id}
            ${viewer.tags.length > 0 ? sql`and tag.id = any(${viewer.tags}::text[])` : sql``})`.as('by_tag'),
      ]),
    items: (rows) =>
      rows.map(({ joined_at, left_at, blocks, ...row }): PoolSim => ({
        ...row,
        blocks: inOrder(blocks).map(({ code }) => code),
        since: joined_at.toISOString(),
        left_at: left_at?.toISOString() ?? null,
      })),
  })
}
