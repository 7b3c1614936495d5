import { sql } from 'kysely'
import { newId } from '@masthead/contract/kernel/id'
import { claimStock, friendlyName, insertAssets, lockPools, type NewAsset } from '../../assets/index.ts'
import type { App, Tx } from '../../kernel/app.ts'
import { differenceOf, findKnownForUpdate } from './known-stock.ts'
import type { BadLine, StockRow } from './read-stock.ts'

/** Where the rows go: into stock, or straight into an account. */
export type Destination = { at: Date; by: string; account_id: string | null; active: boolean }
export type Outcome = { loaded: number; unchanged: number; errors: BadLine[] }

/** Loads some rows in one transaction. A row the database refuses is found by halves, so that it costs no other row. */
export async function loadChunk(app: App, rows: readonly StockRow[], to: Destination): Promise<Outcome> {
  try {
    return await app.db.transaction().execute((tx) => loadRows(tx, rows, to))
  } catch (error) {
    // A number that is in use outside of the stock.
    if ((error as { code?: unknown }).code !== '23505') throw error
    if (rows.length === 1)
      return { loaded: 0, unchanged: 0, errors: [{ line: rows[0]!.line, words: 'A number of this line is in use already' }] }
    const half = Math.ceil(rows.length / 2)
    const first = await loadChunk(app, rows.slice(0, half), to)
    const second = await loadChunk(app, rows.slice(half), to)
    return {
      loaded: first.loaded + second.loaded,
      unchanged: first.unchanged + second.unchanged,
      errors: [...first.errors, ...second.errors],
    }
  }
}

async function loadRows(tx: Tx, rows: readonly StockRow[], to: Destination): Promise<Outcome> {
  if (to.account_id) await lockPools(tx, { account_id: to.account_id })
  // Two loads at once come chunk by chunk: each sees what the other has written.
  await sql`select pg_advisory_xact_lock(hashtext('masthead.inventory'))`.execute(tx)
  // Thousands of rows go through indexes, whatever the planner believes of tables that grow as they load:
  // plans that this connection kept for its triggers and foreign keys may be of the time when they were empty.
  await sql`discard plans`.execute(tx)
  await sql`set local enable_seqscan = off`.execute(tx)
  const known = await findKnownForUpdate(tx, rows)
  const fresh: StockRow[] = []
  const waiting: StockRow[] = []
  const errors: BadLine[] = []
  for (const row of rows) {
    const there = known.withSerial(row.serial)
    const words = there ? differenceOf(row, there) : known.conflictOf(row)
    if (words) errors.push({ line: row.line, words })
    else if (!there) fresh.push(row)
    else if (to.account_id && there.account_id === null) waiting.push({ ...row, serial: there.serial })
    else if (to.account_id && there.account_id !== to.account_id)
      errors.push({ line: row.line, words: `Serial number ${there.serial} belongs to another account` })
    if (!words) known.add({ ...row, serial: there?.serial ?? row.serial, account_id: there?.account_id ?? to.account_id })
  }
  const made = fresh.map((row) => ({ ...row, asset: toAsset(row, to) }))
  await insertStock(tx, made, to)
  if (to.account_id) {
    const claimed = waiting.map((row) => toAsset(row, to))
    const { account_id, at, by, active } = to
    await insertAssets(tx, account_id, [...made.map(({ asset }) => asset), ...claimed], { state: active ? 'active' : 'ready', at, by })
    await claimStock(tx, account_id, claimed, at)
  }
  const loaded = fresh.length + waiting.length
  return { loaded, unchanged: rows.length - loaded - errors.length, errors }
}

const toAsset = ({ type, serial, iccid, imsis, msisdn, eid, imei }: StockRow, { at }: Destination): NewAsset => ({
  id: newId('asset', at.getTime()),
  type,
  serial,
  name: friendlyName(type, serial),
  sim: iccid === null ? null : { id: newId('sim', at.getTime()), iccid, imsis, msisdn, eid, imei },
})

async function insertStock(tx: Tx, rows: readonly (StockRow & { asset: NewAsset })[], { account_id, at }: Destination) {
  if (rows.length === 0) return
  const json = JSON.stringify(rows.map(({ asset, ...row }) => ({ ...row, asset_id: asset.id })))
  await sql`insert into inventory (serial, type, iccid, imsis, msisdn, eid, imei, loaded_at, released_at, account_id, asset_id, registered_at)
    select serial, type, iccid, imsis, msisdn, eid, imei, ${at}, ${at}, ${account_id}, ${account_id === null ? sql`null` : sql`asset_id`},
      ${account_id === null ? null : at}
    from jsonb_to_recordset(${json}::jsonb) as given
      (serial text, type text, iccid text, imsis text[], msisdn text, eid text, imei text, asset_id text)`.execute(tx)
}
