import { sql } from 'kysely'
import { type BulkChange, mostBulkAssets } from '@masthead/contract/assets/bulk/bulk'
import { confirmWord } from '@masthead/contract/assets/bulk/bulk-action'
import { iccidForms, parseIccid } from '@masthead/contract/assets/iccid'
import { bulkTooMany } from '@masthead/contract/assets/problems'
import { invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import type { Actor, Tx } from '../../kernel/app.ts'
import { inPieces } from '../../kernel/http/read-csv.ts'
import { getGroupsByWord } from '../../network-groups/index.ts'
import { getTagsNamed } from '../../tags/index.ts'
import { visibleTo } from '../index.ts'
import { getBulkChange } from './bulk-queries.ts'
import { needRight } from './chosen-assets.ts'
import { readChanges, type CsvRow } from './csv-rows.ts'
import { begin, insertChange, partSize } from './start-bulk-change.ts'

const mostCharacters = 32_000_000

/** The whole of a file of at most so many characters, since a request that is sent again is known by it. Throws invalid_request. */
export async function readFile(file: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of file) {
    text += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    if (text.length > mostCharacters) throw new Problem(invalidRequest, 'The file is larger than 32 MB. Send it in parts')
  }
  return text + decoder.decode()
}

/**
 * Writes down what each row of a file wants, and begins. `confirm`: the word of whoever is sure that its SIMs are to be terminated. Throws invalid_request,
 * forbidden, bulk_too_many.
 */
export async function startCsvChange(
  tx: Tx,
  actor: Actor,
  text: string,
  { confirm }: { confirm?: string | undefined }
): Promise<BulkChange> {
  const id = await insertChange(tx, actor, { action: 'csv', tags: [], params: {} })
  const seen = new Set<string>()
  let [parts, total]: [number, number] = [0, 0]
  let configures = false
  const flush = async (rows: readonly CsvRow[]) => {
    total += rows.length
    if (total > mostBulkAssets) throw new Problem(bulkTooMany, `One file changes up to ${mostBulkAssets.toLocaleString('en')} assets`)
    if (rows.some(({ wish }) => wish.old_sim === 'terminate')) needConfirmed(confirm)
    if (!configures && rows.some(({ wish }) => wish.configure_core)) {
      needRight(actor, 'configure_core')
      configures = true
    }
    await insertPart(tx, actor, { id, part: parts++ }, rows, seen)
  }
  let rows: CsvRow[] = []
  for await (const row of readChanges(inPieces(text))) {
    rows.push(row)
    if (rows.length < partSize) continue
    await flush(rows)
    rows = []
  }
  if (rows.length > 0) await flush(rows)
  if (total === 0) throw new Problem(invalidRequest, 'The file has a header and no rows')
  if (configures) await noteConfigures(tx, actor, id)
  await begin(tx, actor, { id, total, parts })
  return getBulkChange(tx, actor, id)
}

function needConfirmed(confirm: string | undefined) {
  const word = confirmWord.terminate_sim!
  if (confirm === word) return
  const words = `The file terminates SIMs. Confirm it by the word "${word}": this cannot be taken back`
  throw new Problem(invalidRequest, words, { fields: { confirm: words } })
}

/** What the change asks for besides is asked again for each of its parts. */
async function noteConfigures(tx: Tx, { account_id }: Actor, id: string) {
  await tx
    .updateTable('bulk_change')
    .set({ params: JSON.stringify({ configures_core: true }) })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

async function insertPart(tx: Tx, actor: Actor, { id, part }: { id: string; part: number }, rows: readonly CsvRow[], seen: Set<string>) {
  const ids = await idsOf(
    tx,
    actor,
    rows.map(({ key }) => key)
  )
  await nameTags(tx, actor, rows)
  await nameGroups(tx, actor, rows)
  const asset_ids = rows.map(({ key }) => ids.get(key) ?? key)
  rows.forEach(({ wish }, at) => {
    const asset_id = asset_ids[at]!
    if (seen.has(asset_id)) wish.twice = true
    seen.add(asset_id)
  })
  await tx
    .insertInto('bulk_change_part')
    .values({
      account_id: actor.account_id,
      bulk_id: id,
      part,
      asset_ids,
      outcomes: null,
      wishes: JSON.stringify(rows.map(({ wish }) => wish)),
      before: null,
    })
    .execute()
}

/** The assets that are meant by ids, serial numbers or ICCIDs, as far as the actor sees them. */
async function idsOf(tx: Tx, actor: Actor, keys: readonly string[]): Promise<Map<string, string>> {
  const { account_id } = actor
  const named = keys.map((key) => {
    const iccid = parseIccid(key)
    return { key, iccids: iccid ? iccidForms(iccid) : [] }
  })
  const { rows } = await sql<{ key: string; id: string }>`select named.key, found.id
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as named (key text, iccids text[])
    cross join lateral (select asset.id from asset where ${visibleTo(actor)} and asset.id = any(array(
      select named.key
      union all select id from asset where account_id = ${account_id} and lower(serial) = lower(named.key)
      union all select asset_id from sim where account_id = ${account_id} and iccid = any(named.iccids))) limit 1) found`.execute(tx)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** Puts ids in the place of the names of tags; a row with a name that no tag has cannot be done. */
async function nameTags(tx: Tx, actor: Actor, rows: readonly CsvRow[]) {
  const names = [...new Set(rows.flatMap(({ wish }) => [...(wish.add_tags ?? []), ...(wish.remove_tags ?? [])]))]
  if (names.length === 0) return
  const ids = await getTagsNamed(tx, actor, names)
  for (const row of rows) {
    const { add_tags, remove_tags, line } = row.wish
    const unknown = [...(add_tags ?? []), ...(remove_tags ?? [])].find((name) => !ids.has(name))
    if (unknown !== undefined) {
      row.wish = { line: line!, wrong: `There is no tag "${unknown}"` }
      continue
    }
    if (add_tags) row.wish.add_tags = add_tags.map((name) => ids.get(name)!)
    if (remove_tags) row.wish.remove_tags = remove_tags.map((name) => ids.get(name)!)
  }
}

/** Puts the ids of groups in the place of their names; a row with a name that no group has cannot be done. */
async function nameGroups(tx: Tx, actor: Actor, rows: readonly CsvRow[]) {
  const words = [...new Set(rows.flatMap(({ wish }) => wish.network_group ?? []))]
  if (words.length === 0) return
  const ids = await getGroupsByWord(tx, actor, words)
  for (const row of rows) {
    const { network_group: word, line } = row.wish
    if (word === undefined) continue
    const id = ids.get(word)
    if (id === undefined) row.wish = { line: line!, wrong: `There is no network group "${word}"` }
    else row.wish.network_group = id
  }
}
