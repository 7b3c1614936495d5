import { parse } from 'csv-parse/sync'
import { readFile } from 'node:fs/promises'
import type { Network } from '@masthead/contract/networks/network'
import type { AppDb, Db } from '../kernel/app.ts'
import { countryOf } from '@masthead/contract/networks/countries'

/** Fills the table of networks with the operators we know, when it is empty. What staff changed stays. */
export async function loadNetworks(db: AppDb): Promise<void> {
  if (await db.selectFrom('network').select('mccmnc').limit(1).executeTakeFirst()) return
  const text = await readFile(new URL('operators.csv', import.meta.url), 'utf8')
  const operators: { mccmnc: string; name: string; country: string }[] = parse(text, { columns: true })
  await db.transaction().execute((tx) =>
    tx
      .insertInto('network')
      .values(operators)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  )
}

/** All networks in the table, by MCC-MNC. */
export const listNetworks = (db: Db): Promise<Network[]> =>
  db.selectFrom('network').select(['mccmnc', 'name', 'country']).orderBy('mccmnc').execute()

/** What is known of each of these MCC-MNCs: a network that is in no table still has its country. */
export async function networksOf(db: Db, mccmncs: readonly (string | null)[]): Promise<Map<string, Network>> {
  const wanted = [...new Set(mccmncs)].filter((each) => each !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('network').select(['mccmnc', 'name', 'country']).where('mccmnc', 'in', wanted).execute()
  const known = new Map(rows.map((row) => [row.mccmnc, row]))
  return new Map(wanted.map((mccmnc) => [mccmnc, known.get(mccmnc) ?? { mccmnc, name: null, country: countryOf(mccmnc) }]))
}
