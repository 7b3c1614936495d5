import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../kernel/app.ts'

/** Something in the books that does not agree. */
export type Difference = { account_id: string; what: string; words: string; difference_micros: number }
/** How many there are, and some of them. */
export type Differences = { found: number; differences: Difference[] }

/** Of each account so many are kept, so that one does not hide the others. */
const keptOfAccount = 10
/** Of one query: there may be an error on every account. */
const keptInAll = 1000

/** Counts the rows of `found` (account_id, what, words, difference), which `ctes` names, and reads the first of each account. */
export async function readDifferences(db: Db, ctes: RawBuilder<unknown>): Promise<Differences> {
  const { rows } = await sql<Difference & { found: number }>`${ctes}
    select account_id, what, words, difference as difference_micros, in_all as found from (
      select *, row_number() over (partition by account_id order by what, words) as place, count(*) over () as in_all from found) placed
    where place <= ${keptOfAccount} order by place, account_id limit ${keptInAll}`.execute(db)
  return { found: rows[0]?.found ?? 0, differences: rows.map(({ found: _, ...difference }) => difference) }
}

/** Of several comparisons what is kept of one. */
export function together(parts: readonly Differences[]): Differences {
  const kept = new Map<string, number>()
  const differences = parts
    .flatMap((part) => part.differences)
    .filter(({ account_id }) => {
      const place = (kept.get(account_id) ?? 0) + 1
      kept.set(account_id, place)
      return place <= keptOfAccount
    })
  return { found: parts.reduce((sum, part) => sum + part.found, 0), differences }
}
