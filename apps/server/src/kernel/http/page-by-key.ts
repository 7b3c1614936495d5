import { sql, type Expression, type SelectQueryBuilder } from 'kysely'
import type { Page, PageQuery } from '@masthead/contract/kernel/page'
import * as z from 'zod/mini'
import type { Db } from '../app.ts'
import { cappedTotal, countUpToCap, decodeCursor, encodeCursor, offsetOf, TextPlace, TimePlace, timePlace, type Total } from './paging.ts'

const kinds = {
  text: { type: sql`text`, Place: TextPlace },
  number: { type: sql`bigint`, Place: z.string().check(z.regex(/^-?\d{1,18}$/)) },
  time: { type: sql`timestamptz`, Place: TimePlace },
  day: { type: sql`date`, Place: z.iso.date() },
  boolean: { type: sql`boolean`, Place: z.enum(['true', 'false']) },
  address: { type: sql`inet`, Place: z.union([z.ipv4(), z.ipv6()]) },
}

/** What rows are put in order by: an expression and what it is. */
export type Key = { of: Expression<unknown>; is: keyof typeof kinds }

const placeOf = ({ of, is }: Key) =>
  is === 'time' ? timePlace(of as Expression<Date>) : is === 'address' ? sql`host(${of})` : sql`${of}::text`

/** A list, from what it counts to what it shows of a row. */
export type List<Tables, From extends keyof Tables, Of, Row, Item> = {
  /** Its name and order, so that a place of another is refused. */
  name: string
  /** The rows that match: all of them are counted. */
  all: SelectQueryBuilder<Tables, From, Of>
  /** How many they are, where another query counts them faster or it is known. */
  count?: () => Promise<Total>
  /** The last one is unique, so that no row is between two pages. */
  keys: readonly Key[]
  order: 'asc' | 'desc'
  /** The columns of a page's rows, and the joins that have them. */
  rows: (page: SelectQueryBuilder<Tables, From, Of>) => { execute: () => Promise<Row[]> }
  items: (rows: Row[]) => Item[] | Promise<Item[]>
}

/**
 * What a page shows of the rows that were read for it, one more than it has room for, and where the next page begins. Lists that cannot be
 * declared for `pageByKey` take it alone, because their rows come with others.
 */
export function cutPage<Row>(found: readonly Row[], { page_size }: PageQuery, placeOf: (last: Row) => readonly unknown[]) {
  const shown = found.slice(0, page_size)
  return { shown, next: found.length > shown.length ? encodeCursor(placeOf(shown.at(-1)!)) : null }
}

/** A page of a list, its total up to 10,000, and where the next one begins. Throws invalid_request for a place that is not of this list. */
export async function pageByKey<Tables, From extends keyof Tables, Of, Row extends object, Item>(
  db: Db,
  query: PageQuery,
  { name, all, count = () => countUpToCap(db, all), keys, order, rows, items }: List<Tables, From, Of, Row, Item>
): Promise<Page<Item>> {
  const after = decodeCursor(query.after, () => z.tuple([z.literal(name), ...keys.map(({ is }) => kinds[is].Place)]))
  const offset = offsetOf(query)
  let page = all
  if (after) {
    const places = keys.map(({ is }, i) => sql`${after[i + 1]}::${kinds[is].type}`)
    const beyond = order === 'desc' ? sql`<` : sql`>`
    page = page.where(sql<boolean>`(${sql.join(keys.map(({ of }) => of))}) ${beyond} (${sql.join(places)})`)
  }
  for (const { of } of keys) page = page.orderBy(of, order)
  const place = sql<string[]>`json_build_array(${sql.join(keys.map(placeOf))})`.as('place_of_row')
  const placed = page
    .offset(offset)
    .limit(query.page_size + 1)
    .select(place)
  const found = (await rows(placed).execute()) as (Row & { place_of_row: string[] })[]
  const { shown, next } = cutPage(found, query, ({ place_of_row }) => [name, ...place_of_row])
  // The end of the list is on this page: its place is the total.
  const isEnd = !after && !next && (offset === 0 || shown.length > 0)
  return {
    items: await items(shown.map(({ place_of_row: _, ...row }) => row as unknown as Row)),
    ...(isEnd ? cappedTotal(offset + shown.length) : await count()),
    next,
  }
}
