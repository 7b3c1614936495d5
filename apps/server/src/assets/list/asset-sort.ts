import { sql, type Expression, type RawBuilder } from 'kysely'
import type { AssetSort } from '@masthead/contract/assets/asset-filter'
import * as z from 'zod/mini'
import { TextPlace, TimePlace, timePlace } from '../../kernel/http/paging.ts'
import { totalBytes } from '../../usage/index.ts'
import { monthOf } from '../sim-row.ts'
import { anyOf, type Viewer } from '../viewer.ts'

type Key = { key: Expression<unknown>; type: 'text' | 'numeric' | 'timestamptz' }
export type Sort = Key & {
  order: ReturnType<typeof sql>
  /** Which side of a place the rows after it are on. */
  beyond: ReturnType<typeof sql>
  /** The key as a cursor has it, of a column with the key's values. */
  placeOf: (key: Expression<unknown>) => Expression<string>
  Place: z.ZodMiniType<string>
  /** No index has it, as it moves with every packet or stands elsewhere: every asset that matches must be read. */
  moves: boolean
  /** The indexes of types and statuses have it within each. */
  byName?: true
}

const isInUse = sql`sim.account_id = asset.account_id and sim.id = asset.sim_id`

const NumberPlace = z.string().check(z.regex(/^\d{1,20}$/))

/** What an asset's place in each order is made of. */
export function sortOf(sort: z.output<typeof AssetSort>, viewer: Viewer): Sort {
  const { at, tags } = viewer
  const [order, beyond] = sort.startsWith('-') ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const asTime = {
    type: 'timestamptz',
    placeOf: (key: Expression<unknown>) => timePlace(key as Expression<Date>),
    Place: TimePlace,
  } as const
  const asText = { type: 'text', placeOf: (key: Expression<unknown>) => sql<string>`${key}`, Place: TextPlace } as const
  /** What begins with a 1; assets that have none of it come after all others. */
  const afterAll = (key: RawBuilder<unknown>): Sort => ({ key: sql`coalesce(${key}, '2')`, order, beyond, moves: true, ...asText })
  switch (sort) {
    case 'name':
    case '-name':
      return { key: sql`lower(asset.name)`, order, beyond, moves: false, byName: true, ...asText }
    case 'type':
    case '-type':
      return { key: sql`asset.type`, order, beyond, moves: false, ...asText }
    case 'sim_status':
    case '-sim_status':
      return { key: sql`coalesce(asset.sim_status, '')`, order, beyond, moves: false, ...asText }
    case 'serial':
    case '-serial':
      return { key: sql`lower(asset.serial)`, order, beyond, moves: false, ...asText }
    case 'tags':
    case '-tags': {
      // By the first of those shown.
      const seen = tags.length === 0 ? sql`` : sql`and tag.id = ${anyOf(tags)}`
      const first = sql`(select '1' || min(lower(tag.name)) from asset_tag t join tag on tag.account_id = t.account_id and tag.id = t.tag_id ${seen}
        where t.account_id = asset.account_id and t.asset_id = asset.id)`
      return afterAll(first)
    }
    case 'network_group':
    case '-network_group':
      return afterAll(sql`(select '1' || lower(g.name) from sim join network_group g
        on g.account_id = sim.account_id and g.id = coalesce(sim.group_id, 'default') where ${isInUse})`)
    case 'imsi':
    case '-imsi':
      return afterAll(sql`(select '1' || i.imsi from sim_imsi i
        where i.account_id = asset.account_id and i.sim_id = asset.sim_id order by i.position limit 1)`)
    case 'msisdn':
    case '-msisdn':
    case 'imei':
    case '-imei':
    case 'eid':
    case '-eid':
      return afterAll(sql`(select '1' || ${sql.ref(`sim.${sort.replace('-', '')}`)} from sim where ${isInUse})`)
    case 'ip':
    case '-ip':
      // Of the session that is shown; as bytes, so that .9 comes before .10.
      return afterAll(sql`(select '1' || encode(inet_send(s.ip), 'hex') from data_session s
        where s.account_id = asset.account_id and s.sim_id = asset.sim_id and s.ended_at is null and not s.superseded
        order by s.started_at desc, s.id desc limit 1)`)
    case 'created_at':
    case '-created_at':
      return { key: sql`asset.created_at`, order, beyond, moves: false, ...asTime }
    case 'last_seen_at':
    case '-last_seen_at':
      return { key: sql`coalesce(${counterOf(sql`seen_at`)}, 'epoch'::timestamptz)`, order, beyond, moves: true, ...asTime }
    case 'usage':
    case '-usage': {
      const used = sql`case when counter.period_start >= ${monthOf(at).start}::date then ${totalBytes('counter')} end`
      return {
        key: sql`coalesce(${counterOf(used)}, 0)`,
        type: 'numeric',
        order,
        beyond,
        moves: true,
        placeOf: (key) => sql<string>`${key}::text`,
        Place: NumberPlace,
      }
    }
  }
}

const counterOf = (value: Expression<unknown>) =>
  sql`(select ${value} from sim_counter counter where counter.account_id = asset.account_id and counter.sim_id = asset.sim_id)`
