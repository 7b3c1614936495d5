import { dayOf } from '@masthead/contract/kernel/time'
import { sql } from 'kysely'
import { getBalance } from '@masthead/contract/billing/operations'
import { forecastOf } from '@masthead/contract/datapools/forecast'
import * as ops from '@masthead/contract/datapools/operations'
import { buyingClosedWords, mostSimsCounted, type DataPool, type PoolState } from '@masthead/contract/datapools/pool'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import { anyOf, hasTag, type Viewer } from '../assets/index.ts'
import { actorMay, type Actor, type Db } from '../kernel/app.ts'
import { pageByKey } from '../kernel/http/page-by-key.ts'
import { containing } from '../kernel/http/like.ts'

type ListOp = typeof ops.listDataPools

/** Who reads of pools; their permissions say whether prices are for them. */
export type Reader = Viewer & Pick<Actor, 'permissions'>

/** Prices are for whoever sees billing, and for whoever may buy: a member limited by tags may not. */
export const seesPrices = (reader: Pick<Reader, 'permissions' | 'tags'>): boolean =>
  actorMay(reader, getBalance.access) || (actorMay(reader, ops.buyPackage.access) && reader.tags.length === 0)

/** The pools of the viewer's account; for a limited member those that SIMs of theirs draw from. */
function poolsOf(db: Db, viewer: Viewer) {
  const own = db.selectFrom('data_pool as pool').where('pool.account_id', '=', viewer.account_id)
  if (viewer.tags.length === 0) return own
  return own.where(
    sql<boolean>`exists (select from data_pool_sim m join sim s on s.account_id = m.account_id and s.id = m.sim_id
      join asset on asset.account_id = s.account_id and asset.id = s.asset_id and ${hasTag(viewer.tags)}
      where m.account_id = pool.account_id and m.pool_id = pool.id)`
  )
}

export async function listDataPools(db: Db, viewer: Reader, query: Parsed<ListOp>['query']): Promise<Reply<ListOp>> {
  const { state, search } = query
  let all = poolsOf(db, viewer)
  if (state !== 'all') all = all.where('pool.ended_at', state === 'running' ? 'is' : 'is not', null)
  if (search) all = all.where(sql<boolean>`lower(pool.name) like ${containing(search)}`)
  const pools = await pageByKey(db, query, {
    name: 'data pools',
    all,
    keys: [
      { of: sql`(pool.ended_at is not null)::int`, is: 'number' },
      { of: sql.ref('pool.priority'), is: 'number' },
      { of: sql.ref('pool.id'), is: 'text' },
    ],
    order: 'asc',
    rows: (page) => page.select('pool.id'),
    items: (rows) =>
      describePools(
        db,
        viewer,
        rows.map(({ id }) => id)
      ),
  })
  return { ...pools, closed: buyingClosedWords(viewer.tags.length > 0) }
}

/** Throws not_found. */
export async function getPool(db: Db, viewer: Reader, id: string): Promise<DataPool> {
  const seen = await poolsOf(db, viewer).select('pool.id').where('pool.id', '=', id).executeTakeFirst()
  if (!seen) throw new Problem(notFound)
  return (await describePools(db, viewer, [id]))[0]!
}

const sumOf = (column: 'within_bytes' | 'over_bytes') =>
  sql<number>`coalesce((select sum(c.${sql.ref(column)}) from data_pool_counter c
    where c.account_id = term.account_id and c.pool_id = term.pool_id and c.starts_at = term.starts_at), 0)::bigint`

/** What is left of pools that run, and what may be taken after that. */
export async function leftInPools(db: Db, account_id: string, ids: readonly string[]) {
  const rows = await db
    .selectFrom('data_pool as pool')
    .innerJoin('data_pool_term as term', (join) =>
      join
        .onRef('term.account_id', '=', 'pool.account_id')
        .onRef('term.pool_id', '=', 'pool.id')
        .onRef('term.starts_at', '=', 'pool.term_starts_at')
    )
    .select(['pool.id', 'pool.name', 'pool.overage_policy', 'pool.overage_percent', 'term.size_bytes'])
    .select(sumOf('within_bytes').as('within_bytes'))
    .where('pool.account_id', '=', account_id)
    .where('pool.id', '=', anyOf(ids))
    .where('pool.ended_at', 'is', null)
    .execute()
  return rows.map(({ size_bytes, within_bytes, ...pool }) => ({ ...pool, remaining_bytes: Math.max(0, size_bytes - within_bytes) }))
}

const rowsOf = (db: Db, account_id: string, ids: readonly string[]) =>
  db
    .selectFrom('data_pool as pool')
    .innerJoin('data_pool_term as term', (join) =>
      join
        .onRef('term.account_id', '=', 'pool.account_id')
        .onRef('term.pool_id', '=', 'pool.id')
        .onRef('term.starts_at', '=', 'pool.term_starts_at')
    )
    .innerJoin('data_package as package', 'package.id', 'pool.package_id')
    .selectAll('pool')
    .select(['package.name as package_name', 'term.starts_at', 'term.ends_at', 'term.size_bytes', 'term.used_up_at', 'term.exhausted_at'])
    .select([sumOf('within_bytes').as('within_bytes'), sumOf('over_bytes').as('over_bytes')])
    .select([
      sql<number>`(select count(*) from data_pool_sim m where m.account_id = pool.account_id and m.pool_id = pool.id)::int`.as('sims'),
      sql<number>`(select count(*) from (select from data_pool_usage u where u.account_id = term.account_id and u.pool_id = term.pool_id
        and u.starts_at = term.starts_at and u.bytes > 0 limit ${mostSimsCounted}) used)::int`.as('sims_used'),
      countriesOf(sql.ref('pool.zone')).as('countries'),
    ])
    .where('pool.account_id', '=', account_id)
    .where('pool.id', '=', sql<string>`any(${ids}::text[])`)

/** In how many countries networks of a zone are today. */
export const countriesOf = (zone: ReturnType<typeof sql.ref>) =>
  sql<number>`(select count(distinct n.country) from network n where ${zone} is not null and zone_of(n.mccmnc, current_date) = ${zone})::int`

async function describePools(db: Db, reader: Reader, ids: readonly string[]): Promise<DataPool[]> {
  const { account_id, at, tags } = reader
  const rows = await rowsOf(db, account_id, ids).execute()
  const days = await daysOf(
    db,
    account_id,
    rows.map(({ id }) => id)
  )
  const own = { limited: tags.length > 0, ...(!seesPrices(reader) && { price_micros: null }) }
  const pools = new Map(rows.map((row) => [row.id, { ...asPool(row, days.get(row.id) ?? [], at), ...own }]))
  return ids.flatMap((id) => pools.get(id) ?? [])
}

type Day = { day: string; bytes: number; overage_bytes: number }

/** Bytes by day of the terms that run, by pool, the oldest day first. */
async function daysOf(db: Db, account_id: string, pool_ids: readonly string[]): Promise<Map<string, Day[]>> {
  const { rows } = await sql<
    Day & { pool_id: string }
  >`select d.pool_id, d.day::text, sum(d.bytes)::bigint as bytes, sum(d.over_bytes)::bigint as overage_bytes
    from data_pool p join data_pool_day d on d.account_id = p.account_id and d.pool_id = p.id and d.starts_at = p.term_starts_at
    where p.account_id = ${account_id} and p.id = any(${pool_ids}::text[]) group by d.pool_id, d.day order by d.pool_id, d.day`.execute(db)
  return Map.groupBy(rows, ({ pool_id }) => pool_id)
}

const dayMs = 86_400_000

/** Each day of a term until `until`, with nothing where nothing was taken. */
function everyDay(days: readonly Day[], starts_at: Date, until: number): Day[] {
  const known = new Map(days.map((each) => [each.day, each]))
  const all: Day[] = []
  for (let at = Date.parse(dayOf(starts_at.getTime())); at < until; at += dayMs) {
    const { bytes = 0, overage_bytes = 0 } = known.get(dayOf(at)) ?? {}
    all.push({ day: dayOf(at), bytes: Math.max(0, bytes), overage_bytes: Math.max(0, overage_bytes) })
  }
  return all
}

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]

function stateOf({ ended_at, exhausted_at, used_up_at }: Row): PoolState {
  return ended_at ? 'ended' : exhausted_at ? 'exhausted' : used_up_at ? 'overage' : 'active'
}

function asPool(row: Row, days: readonly Day[], at: Date): Omit<DataPool, 'limited'> {
  const { starts_at, ends_at, size_bytes, within_bytes, over_bytes } = row
  const now = at.getTime()
  const all = everyDay(days, starts_at, Math.min(now + 1, ends_at.getTime()))
  const whole = all.filter(({ day }) => day < dayOf(now)).map(({ bytes }) => bytes)
  const used_bytes = within_bytes + over_bytes
  return {
    id: row.id,
    name: row.name,
    package: { id: row.package_id, name: row.package_name },
    kind: row.kind,
    bought: row.bought,
    unit_bytes: row.unit_bytes,
    prorate_first: row.prorate_first,
    zone: row.zone,
    countries: row.countries,
    state: stateOf(row),
    term_start: starts_at.toISOString(),
    term_end: ends_at.toISOString(),
    validity: { count: row.validity_count, unit: row.validity_unit },
    size_bytes,
    used_bytes,
    overage_bytes: over_bytes,
    remaining_bytes: Math.max(0, size_bytes - within_bytes),
    used_up_at: row.used_up_at?.toISOString() ?? null,
    exhausted_at: row.exhausted_at?.toISOString() ?? null,
    sims: row.sims,
    sims_used: row.sims_used,
    price_micros: row.price_micros as DataPool['price_micros'],
    currency: row.currency as DataPool['currency'],
    auto_renew: row.auto_renew,
    overage_policy: row.overage_policy,
    overage_percent: row.overage_percent,
    thresholds: row.thresholds,
    priority: row.priority,
    days: all,
    forecast: row.ended_at
      ? null
      : forecastOf({ starts_at: starts_at.getTime(), ends_at: ends_at.getTime(), size_bytes, used_bytes, days: whole }, now),
    opened_at: row.opened_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

const mostTerms = 24

export async function getDataPool(db: Db, viewer: Reader, id: string): Promise<Reply<typeof ops.getDataPool>> {
  const { account_id } = viewer
  const pool = await getPool(db, viewer, id)
  let tags = db
    .selectFrom('data_pool_tag as of')
    .innerJoin('tag', (join) => join.onRef('tag.account_id', '=', 'of.account_id').onRef('tag.id', '=', 'of.tag_id'))
    .select(['tag.id', 'tag.name'])
    .where('of.account_id', '=', account_id)
    .where('of.pool_id', '=', id)
  if (viewer.tags.length > 0) tags = tags.where('tag.id', 'in', viewer.tags)
  const terms = await db
    .selectFrom('data_pool_term as term')
    .select(['term.starts_at', 'term.ends_at', 'term.size_bytes'])
    .select([sumOf('within_bytes').as('within_bytes'), sumOf('over_bytes').as('over_bytes')])
    .where('term.account_id', '=', account_id)
    .where('term.pool_id', '=', id)
    .where('term.starts_at', '<', new Date(pool.term_start))
    .orderBy('term.starts_at', 'desc')
    .limit(mostTerms)
    .execute()
  return {
    ...pool,
    tags: await tags.orderBy((eb) => eb.fn('lower', ['tag.name'])).execute(),
    terms: terms.map(({ starts_at, ends_at, size_bytes, within_bytes, over_bytes }) => ({
      starts_at: starts_at.toISOString(),
      ends_at: ends_at.toISOString(),
      size_bytes,
      used_bytes: within_bytes + over_bytes,
      overage_bytes: over_bytes,
    })),
  }
}
