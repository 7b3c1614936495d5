import { sql, type Expression, type SelectQueryBuilder } from 'kysely'
import { countCap, type Page, type PageQuery } from '@masthead/contract/kernel/page'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import * as z from 'zod/mini'
import type { Db } from '../app.ts'

/** A place in a list, opaque to who carries it: the sort key and id of the last row given. */
export const encodeCursor = (place: readonly unknown[]): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** A time in a cursor, to the microsecond: a JavaScript date would lose three digits, and rows with them. */
export const timePlace = (time: Expression<Date>) => sql<string>`to_json(${time}) #>> '{}'`
/** Words in a cursor: the database takes no text that is not well-formed, and no NUL. */
export const TextPlace = z.string().check(z.refine((text) => text.isWellFormed() && !text.includes('\0')))
/** The database takes no offset of 16 hours and more, and no text of more than 128 characters. */
export const TimePlace = z.iso.datetime({ offset: true }).check(
  z.maxLength(40),
  z.refine((text) => text >= '1970' && text < '3000' && /(Z|[+-](0\d|1[0-4]):\d\d)$/.test(text))
)

/**
 * Reads a cursor back; anything we did not make for this very list is a mistake of the caller. Most calls come without one, so its schema is
 * made for those that have it.
 */
export function decodeCursor<Place extends z.ZodMiniType>(after: string | undefined, place: () => Place): z.output<Place> | undefined {
  if (after === undefined) return undefined
  const wrong = () =>
    new Problem(invalidRequest, 'Give `after` back just as `next` of the same list gave it', {
      fields: { after: 'This place is not of this list' },
    })
  try {
    const result = place().safeParse(JSON.parse(Buffer.from(after, 'base64url').toString()))
    if (result.success) return result.data
  } catch {
    throw wrong()
  }
  throw wrong()
}

/** How many rows to skip for `page`; `after` rules where both are given. `reach`: rows that pages may lead to. */
export function offsetOf({ page, page_size, after }: PageQuery, reach = countCap): number {
  if (after !== undefined) return 0
  if (page * page_size > reach + page_size - 1) {
    const words = `Pages reach the first ${reach.toLocaleString('en')} rows`
    throw new Problem(invalidRequest, `${words}; use \`after\` for the rest`, { fields: { page: words } })
  }
  return (page - 1) * page_size
}

export type Total = Pick<Page<never>, 'total' | 'total_capped'>

export const cappedTotal = (count: number): Total => ({ total: Math.min(count, countCap), total_capped: count > countCap })

/** Counts the rows of a query, exactly up to 10,000. */
export async function countUpToCap<Tables, From extends keyof Tables>(
  db: Db,
  rows: SelectQueryBuilder<Tables, From, unknown>
): Promise<Total> {
  const counted = rows.select(sql`1`.as('one')).limit(countCap + 1)
  const {
    rows: [row],
  } = await sql<{ count: number }>`select count(*) as count from (${counted}) counted`.execute(db)
  return cappedTotal(row!.count)
}
