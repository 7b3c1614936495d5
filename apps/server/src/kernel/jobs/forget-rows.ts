import { sql, type RawBuilder } from 'kysely'
import type { App } from '../app.ts'

/** So many at once take the database some milliseconds, and hold nobody up. */
const most = 5000

/** Deletes the rows of a table that are over, in pieces of one short transaction each. What is changed meanwhile stays for the next time. */
export async function forgetRows({ db }: Pick<App, 'db'>, table: string, over: RawBuilder<unknown>, atOnce = most): Promise<void> {
  const name = sql.table(table)
  for (;;) {
    const piece = sql`delete from ${name} where ctid = any (array(select ctid from ${name} where ${over} limit ${atOnce}))`
    const { numAffectedRows = 0n } = await db.transaction().execute((tx) => piece.execute(tx))
    if (numAffectedRows < BigInt(atOnce)) return
  }
}
