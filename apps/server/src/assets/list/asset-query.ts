import { sql } from 'kysely'
import { fieldsOf, parseAssetQuery, type AssetQuery, type QueryValue, type QueryWord } from '@masthead/contract/assets/query/query'
import { type QueryField, type QueryFieldName, queryFields } from '@masthead/contract/assets/query/query-fields'
import { totalBytes, limitNow } from '../../usage/index.ts'
import { monthOf } from '../sim-row.ts'
import type { Viewer } from '../viewer.ts'
import { type Condition, hasState, isInGroups, isOneOf, isOnline, needsAttention } from './asset-conditions.ts'
import { matchesText, matchesWord } from './asset-search.ts'

type Attention = Parameters<typeof needsAttention>[1]

/** A question as it was read at the edge. */
export function readQuery(text: string): AssetQuery {
  const { query, mistake } = parseAssetQuery(text)
  if (!query) throw new Error(`A question that was not read at the edge: ${mistake.words}`)
  return query
}

/** It asks for what changes with every packet. */
export const movesIn = (text: string): boolean =>
  fieldsOf(readQuery(text))
    .values()
    .some((name) => (queryFields[name] as QueryField).moves)

/** It asks for open sessions, which no copy has, in a way that each asset must be looked at. */
export const asksSessions = (text: string): boolean => fieldsOf(readQuery(text)).has('connection')

/** The first condition that all must meet over the connection or what needs attention, of one value, and what is left of the line without it. */
export function liveIn(text: string): { field: 'connection' | 'attention'; value: string; rest: string } | null {
  const query = readQuery(text)
  for (const part of 'all' in query ? query.all : [query]) {
    if (!('field' in part) || (part.field !== 'connection' && part.field !== 'attention')) continue
    const [value, ...others] = part.values
    const rest = `${text.slice(0, part.at)} ${text.slice(part.end)}`.trim()
    if (value && 'is' in value && others.length === 0 && parseAssetQuery(rest).query) return { field: part.field, value: value.is, rest }
  }
  return null
}

/** The lists of pasted numbers, or the countries, that it asks for. */
export const namedIn = (text: string, field: 'list' | 'country'): string[] => wordsOf(readQuery(text), field)

function wordsOf(query: AssetQuery, field: QueryFieldName): string[] {
  if ('all' in query) return query.all.flatMap((part) => wordsOf(part, field))
  if ('any' in query) return query.any.flatMap((part) => wordsOf(part, field))
  if ('not' in query) return wordsOf(query.not, field)
  return 'field' in query && query.field === field ? words(query.values) : []
}

/** The condition over `asset` that a question is. */
export function meets(viewer: Viewer, query: AssetQuery): Condition {
  if ('all' in query) return query.all.length === 0 ? sql`true` : joined(viewer, withWordsTogether(query.all), sql` and `)
  if ('any' in query) return joined(viewer, query.any, sql` or `)
  if ('not' in query) return sql`not ${meets(viewer, query.not)}`
  if ('word' in query) return query.quoted ? matchesWord(viewer, query.word) : matchesText(viewer, query.word)
  return conditions[query.field](viewer, query.values)
}

/** Words beside each other as one text: a number may be written with blanks, and a short word is found beside a longer one. */
function withWordsTogether(parts: readonly AssetQuery[]): AssetQuery[] {
  const { true: words = [], false: others = [] } = Object.groupBy(parts, (part) => `${'word' in part && !part.quoted}` as const)
  return words.length === 0 ? others : [{ word: words.map((part) => (part as QueryWord).word).join(' ') }, ...others]
}

const joined = (viewer: Viewer, parts: readonly AssetQuery[], by: ReturnType<typeof sql>): Condition =>
  sql`(${sql.join(
    parts.map((part) => meets(viewer, part)),
    by
  )})`

const words = (values: readonly QueryValue[]) => values.flatMap((value) => ('is' in value ? [value.is] : []))

/** Any of these holds. */
const anyOfThem = <Value>(values: readonly Value[], condition: (value: Value) => Condition): Condition =>
  sql`(${sql.join(values.map(condition), sql` or `)})`

/** The SIM in use of the asset. */
const ofSim = (condition: Condition): Condition =>
  sql`exists (select from sim where sim.account_id = asset.account_id and sim.id = asset.sim_id and ${condition})`

/**
 * The copy's row of the asset, if it is about the SIM in use. The planner takes two columns for independent, so that it would expect one row of
 * a hundred thousand, and read them all: what is in `coalesce` it expects of every second.
 */
const isCopied = (copy: 'c' | 'last'): Condition => {
  const of = (column: string) => sql.ref(`${copy}.${column}`)
  return sql`${of('asset_id')} = asset.id and coalesce(${of('sim_id')} = asset.sim_id, false)`
}

/** What was counted of the SIM in use, as `c`: of a large account as it is in the copy. */
const counted = ({ copied_at, one_by_one }: Viewer, condition: Condition): Condition =>
  sql`exists (select from ${copied_at ? sql`asset_moving` : sql`sim_counter`} c where c.account_id = asset.account_id
    and ${copied_at ? isCopied('c') : sql`c.sim_id = asset.sim_id`} and ${condition} ${one_by_one ? sql`offset 0` : sql``})`

/** Nothing was seen longer ago; the database has no time before its first. */
const longestAgo = 100 * 366 * 86_400 // seconds

const before = ({ at }: Viewer, seconds: number): Condition =>
  sql`c.seen_at < ${at}::timestamptz - ${Math.min(seconds, longestAgo)}::float8 * interval '1 second'`

const seenBefore = (viewer: Viewer, seconds: number) => counted(viewer, before(viewer, seconds))

const isOfMonth = ({ at }: Viewer): Condition => sql`c.period_start >= ${monthOf(at).start}::date`
const used = ({ copied_at }: Viewer) => (copied_at ? sql`c.used` : totalBytes('c'))
const usedOver = (viewer: Viewer, bytes: number): Condition => sql`(${isOfMonth(viewer)} and ${used(viewer)} > ${bytes}::numeric)`

/** A copy of all assets has a row of each, so that an index finds those that were never seen. An asset without a SIM is one. */
const isCopiedUnseen = ({ one_by_one }: Viewer): Condition =>
  sql`exists (select from asset_moving c where c.account_id = asset.account_id and c.asset_id = asset.id and c.seen_at is null
    and coalesce(c.sim_id = asset.sim_id, c.sim_id is null and asset.sim_id is null) ${one_by_one ? sql`offset 0` : sql``})`

/** By its last packet: longer ago than, or within. */
const seen = (viewer: Viewer, value: QueryValue): Condition => {
  if ('is' in value) return viewer.of_all ? isCopiedUnseen(viewer) : sql`not ${counted(viewer, sql`c.seen_at is not null`)}`
  if ('over' in value) return seenBefore(viewer, value.over)
  return sql`(${counted(viewer, sql`c.seen_at is not null`)} and not ${seenBefore(viewer, value.under)})`
}

const networksIn = ({ networks }: Viewer, values: readonly QueryValue[]) =>
  networks?.filter(({ country }) => words(values).includes(country)).map(({ mccmnc }) => mccmnc)

/** The operator of its newest session, as `network`. */
const lastOn = ({ copied_at, one_by_one }: Viewer, condition: Condition): Condition =>
  copied_at
    ? sql`exists (select from asset_moving last left join network on network.mccmnc = last.mccmnc
        where last.account_id = asset.account_id and ${isCopied('last')} and ${condition} ${one_by_one ? sql`offset 0` : sql``})`
    : sql`exists (select from (select s.mccmnc from data_session s where s.account_id = asset.account_id and s.sim_id = asset.sim_id
      order by s.started_at desc, s.id desc limit 1) last left join network on network.mccmnc = last.mccmnc where ${condition})`

/**
 * What a row of the copy, `c`, says of all that is asked, so that no asset need be read; null where it does not: "less than" holds for an asset
 * without a counter too. Whether it is about the SIM that is in use is asked besides.
 */
export function inCopy(viewer: Viewer, query: AssetQuery): Condition | null {
  const each = (parts: readonly (Condition | null)[], by: ReturnType<typeof sql>) =>
    parts.length > 0 && parts.every((part) => part !== null) ? sql<boolean>`(${sql.join(parts, by)})` : null
  if ('all' in query)
    return each(
      query.all.map((part) => inCopy(viewer, part)),
      sql` and `
    )
  if (!('field' in query)) return null
  const { field, values } = query
  if (field === 'country' || field === 'operator')
    return sql`c.mccmnc = any(${field === 'operator' ? words(values) : (networksIn(viewer, values) ?? [])}::text[])`
  if (field === 'usage')
    return each(
      values.map((value) => ('over' in value ? usedOver(viewer, value.over) : null)),
      sql` or `
    )
  if (field !== 'seen' && field !== 'silent') return null
  return each(
    values.map((value) => ('over' in value ? before(viewer, value.over) : 'is' in value && viewer.of_all ? sql`c.seen_at is null` : null)),
    sql` or `
  )
}

const conditions: Record<QueryFieldName, (viewer: Viewer, values: readonly QueryValue[]) => Condition> = {
  type: (_, values) => isOneOf(sql`asset.type`, words(values)),
  status: (_, values) => isOneOf(sql`asset.sim_status`, words(values)),
  state: (_, values) => hasState(words(values)),
  // The status is named as well, because an index has it.
  block: (_, values) => {
    const codes = words(values)
    const which = codes.includes('any')
      ? sql<boolean>`true`
      : sql<boolean>`exists (
      select from jsonb_array_elements(sim.blocks) block where block->>'code' = any(${codes}::text[]))`
    return sql`(asset.sim_status = 'blocked' and ${ofSim(which)})`
  },
  tag: ({ tags }, values) => {
    const own = tags.length === 0 ? sql`` : sql`and tag.id = any(${[...tags]}::text[])`
    return sql`exists (select from asset_tag t join tag on tag.account_id = t.account_id and tag.id = t.tag_id
      where t.account_id = asset.account_id and t.asset_id = asset.id ${own} and ${isNamed('tag', values)})`
  },
  list: ({ account_id }, values) => sql`asset.id = any(array(select unnest(l.asset_ids) from asset_list l
      where l.account_id = ${account_id} and l.id = any(${words(values)}::text[])))`,
  // Whoever sees assets may filter them by their group, pool and fleet, of which nothing else is said.
  group: ({ account_id }, values) => isInGroups(account_id, words(values)),
  pool: (_, values) =>
    ofSim(sql`exists (select from data_pool pool where pool.account_id = sim.account_id and pool.id = sim.pool_id
      and pool.ended_at is null and ${isNamed('pool', values)})`),
  fleet: (_, values) => sql`exists (select from fleet_asset own join fleet on fleet.account_id = own.account_id and fleet.id = own.fleet_id
    where own.account_id = asset.account_id and own.asset_id = asset.id and ${isNamed('fleet', values)})`,
  limit: ({ at }, values) => {
    const { allows } = limitNow(at)
    const row = (condition: Condition) =>
      sql<boolean>`exists (select from sim_limit l where l.account_id = asset.account_id and l.sim_id = asset.sim_id and ${condition})`
    return anyOfThem(values, (value) => {
      if ('is' in value) return sql`not ${row(sql`l.bytes is not null`)}`
      return 'over' in value ? row(sql`${allows} > ${value.over}::float8`) : row(sql`${allows} < ${value.under}::float8`)
    })
  },
  usage: (viewer, values) =>
    anyOfThem(values, (value) => {
      if ('over' in value) return counted(viewer, usedOver(viewer, value.over))
      return sql`not ${counted(viewer, sql`${isOfMonth(viewer)} and ${used(viewer)} >= ${'under' in value ? value.under : 0}::numeric`)}`
    }),
  silent: (viewer, values) => anyOfThem(values, (value) => seen(viewer, value)),
  seen: (viewer, values) => anyOfThem(values, (value) => seen(viewer, value)),
  country: (viewer, values) => {
    const known = networksIn(viewer, values)
    return lastOn(viewer, known ? sql`last.mccmnc = any(${known}::text[])` : sql`network.country = any(${words(values)}::text[])`)
  },
  operator: (viewer, values) => lastOn(viewer, sql`last.mccmnc = any(${words(values)}::text[])`),
  // Where the map of the overview counts it.
  network: (_, values) => sql`exists (select from sim_sent k where k.account_id = asset.account_id and k.sim_id = asset.sim_id
    and k.mccmnc = any(${words(values)}::text[]))`,
  attention: (viewer, values) => anyOfThem(words(values), (word) => needsAttention(viewer, word as Attention)),
  connection: (viewer, values) => anyOfThem(words(values), (word) => (word === 'online' ? isOnline(viewer) : sql`not ${isOnline(viewer)}`)),
}

/** By id, or by name whatever its capitals. */
const isNamed = (table: 'tag' | 'pool' | 'fleet', values: readonly QueryValue[]): Condition =>
  sql`(${sql.ref(`${table}.id`)} = any(${words(values)}::text[]) or lower(${sql.ref(`${table}.name`)}) = any(
    array(select lower(trim(word)) from unnest(${words(values)}::text[]) word)))`
