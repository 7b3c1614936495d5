import { openProductDatabase } from '@masthead/testkit/product-database'
import { sql } from 'kysely'

/** Those that tests type, each a card of the provider's for tests. */
export const typedNumbers = ['4242424242424242', '5555555555554444', '4000000000009995', '4000002500003155', '4000002760003184']

const inFull = typedNumbers.map((number) => number.match(/.{4}/g)!.join('[ +-]?'))
/** Also as people group them. */
export const cardNumbers: RegExp = new RegExp(inFull.join('|'))

type Kept = { databaseUrl: string; log: string }

/**
 * Where a product kept the number of a card: its log, and tables by their names. Throws where it would find none because it reads nothing: the log has a line of each call,
 * and accounts are in their table.
 */
export async function findCardNumbers({ databaseUrl, log }: Kept): Promise<string[]> {
  if (!log.includes('"operation":"')) throw new Error('The log has no calls')
  const db = openProductDatabase(databaseUrl)
  try {
    const { rows: tables } = await sql<{ name: string }>`select c.oid::regclass::text as name from pg_class c
      where c.relkind = 'r' and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`.execute(db)
    const holding = async (words: string) => {
      const found: string[] = []
      for (const { name } of tables) {
        const { rows } = await sql`select from ${sql.raw(name)} each where each::text ~ ${words} limit 1`.execute(db)
        if (rows.length > 0) found.push(name)
      }
      return found
    }
    if (!(await holding('owner@demo[.]test')).includes('person')) throw new Error('The tables are not read')
    const kept = await holding(cardNumbers.source)
    return cardNumbers.test(log) ? ['the log', ...kept] : kept
  } finally {
    await db.destroy()
  }
}
