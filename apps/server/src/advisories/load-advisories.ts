import type { loadAdvisories as loadOp } from '@masthead/contract/backoffice/advisories/advisory-operations'
import { advisoriesUnreadable } from '@masthead/contract/backoffice/problems'
import { advisoriesLoaded } from '@masthead/contract/backoffice/staff-actions'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Reply } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import { recordStaff } from '../backoffice/index.ts'
import type { Actor, App, Tx } from '../kernel/app.ts'
import { readAdvisory, type Advisory } from './read-advisory.ts'
import { getLoad } from './advisory-queries.ts'
import { splitDocuments, unpacked } from './split-documents.ts'

const loadId = idKind('adv')
const atOnce = 500
/** Characters of the documents that are in memory until they are written. */
const mostText = 8 * 1024 * 1024
const mostErrors = 100
const mostAdvisories = 2_000_000

type Report = Reply<typeof loadOp>

/** Reads a file of advisories, and compares images with it once all of it is there. Throws advisories_unreadable. */
export async function loadAdvisories(app: App, actor: Actor, file_name: string, bytes: AsyncIterable<Uint8Array>): Promise<Report> {
  const id = newId(loadId, actor.at.getTime())
  await app.db
    .transaction()
    .execute((tx) => tx.insertInto('advisory_load').values({ id, file_name, loaded_at: actor.at, loaded_by: actor.email }).execute())
  try {
    return await readAll(app, actor, id, bytes)
  } catch (error) {
    await dropLoad(app, id)
    throw error
  }
}

async function readAll(app: App, actor: Actor, id: string, bytes: AsyncIterable<Uint8Array>): Promise<Report> {
  const errors: Report['errors'] = []
  let [place, advisories, refused] = [0, 0, 0]
  let waiting: Advisory[] = []
  let size = 0
  const flush = async () => {
    const chunk = waiting
    waiting = []
    size = 0
    advisories += await app.db.transaction().execute((tx) => insertAdvisories(tx, id, chunk))
  }
  const refuse = (words: string) => {
    refused++
    if (errors.length < mostErrors) errors.push({ place, words })
  }
  try {
    for await (const text of splitDocuments(unpacked(bytes))) {
      place++
      if (text === null) refuse('It is larger than 4 MiB')
      else
        try {
          const advisory = readAdvisory(text)
          if (advisory) waiting.push(advisory)
          size += text.length
        } catch (error) {
          refuse((error as Error).message)
        }
      if (waiting.length === atOnce || size > mostText) await flush()
      if (advisories > mostAdvisories) throw new Problem(advisoriesUnreadable, 'A file has at most two million advisories')
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_'))
      throw new Problem(advisoriesUnreadable, 'The file is packed with gzip, and broken')
    throw error
  }
  await flush()
  if (advisories === 0) throw new Problem(advisoriesUnreadable, errors[0] ? `The first document: ${errors[0].words}` : undefined)
  await app.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('advisory_load'))`.execute(tx)
    await tx.updateTable('advisory_load').set({ current: false }).where('current', '=', true).execute()
    await tx.updateTable('advisory_load').set({ current: true, advisories, refused }).where('id', '=', id).execute()
    const { file_name } = (await getLoad(tx))!
    await recordStaff(tx, actor, advisoriesLoaded, { file_name, advisories }, { target: file_name })
  })
  const load = (await getLoad(app.db))!
  await dropLoads(app)
  return { load, errors }
}

/** The same id a second time is the same advisory. */
async function insertAdvisories(tx: Tx, load_id: string, given: readonly Advisory[]): Promise<number> {
  const advisories = [...new Map(given.map((each) => [each.id, each])).values()]
  if (advisories.length === 0) return 0
  const inserted = await tx
    .insertInto('advisory')
    .values(advisories.map(({ id, aliases, summary, severity }) => ({ load_id, id, aliases, summary, severity })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  const fresh = new Set(inserted.map(({ id }) => id))
  const rows = advisories
    .filter(({ id }) => fresh.has(id))
    .flatMap(({ id, affected }) => affected.map((each, n) => ({ load_id, id, n, ...each, ranges: JSON.stringify(each.ranges) })))
  for (let from = 0; from < rows.length; from += 2000)
    await tx
      .insertInto('advisory_affected')
      .values(rows.slice(from, from + 2000))
      .execute()
  return fresh.size
}

const staleAfter = 86_400_000 // ms

/** Loads that nothing is compared with, but those that may still be read. */
export async function dropLoads(app: Pick<App, 'db' | 'clock'>): Promise<void> {
  const before = new Date(app.clock.now().getTime() - staleAfter)
  const loads = await app.db
    .selectFrom('advisory_load')
    .select('id')
    .where('current', '=', false)
    .where((is) => is.or([is('loaded_at', '<', before), is('advisories', '>', 0)]))
    .execute()
  for (const { id } of loads) await dropLoad(app, id)
}

async function dropLoad(app: Pick<App, 'db'>, id: string): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await app.db
      .transaction()
      .execute((tx) =>
        sql`delete from advisory where load_id = ${id} and id in (select id from advisory where load_id = ${id} limit 5000)`.execute(tx)
      )
    if (!numAffectedRows) break
  }
  await app.db.transaction().execute((tx) => tx.deleteFrom('advisory_load').where('id', '=', id).where('current', '=', false).execute())
}
