import { inventoryLoaded } from '@masthead/contract/backoffice/events'
import type { loadInventory as loadInventoryOp } from '@masthead/contract/backoffice/operations'
import type { Reply } from '@masthead/contract/kernel/operation'
import { forbidden, invalidRequest, Problem } from '@masthead/contract/kernel/problem'
import { sql } from 'kysely'
import { systemActor, type Actor, type App } from '../../kernel/app.ts'
import { recordStaff } from '../staff/staff-log.ts'
import { needRightsOnThings } from '../staff/staff.ts'
import { loadChunk, type Destination } from './load-chunk.ts'
import { readStock, type StockRow } from './read-stock.ts'

const rowsAtOnce = 5000
const mostErrors = 1000
/** Loads of fewer are no trouble for the planner. */
const countedFrom = 500

type Report = Reply<typeof loadInventoryOp>
/** Who loads: staff over the API, or whoever runs the command on the server. */
export type Loader = Actor | 'command'
type Options = { account?: string | undefined; active?: boolean | undefined }

/**
 * Loads stock from a CSV, in chunks that are each written whole or not at all; with the e-mail of an account, registers it there.
 * Safe to run again: a row that is there already, the same, is left alone. Throws staff_own_account, staff_may_more for staff, not for the command.
 */
export async function loadInventory(
  app: App,
  loader: Loader,
  file: AsyncIterable<Uint8Array | string>,
  { account, active = false }: Options = {}
): Promise<Report> {
  if (active && !account) throw wrong('active', 'SIMs can only be active in an account: name one')
  const owner = account ? await findOwner(app, account) : null
  const actor: Actor = loader === 'command' ? systemActor(owner?.account_id ?? '', app.clock.now()) : { ...loader, kind: 'staff' }
  const to: Destination = { at: actor.at, by: actor.email, account_id: owner?.account_id ?? null, active }
  const report: Report = { rows: 0, loaded: 0, unchanged: 0, failed: 0, errors: [] }
  const fail = (line: number, words: string) => {
    report.failed++
    if (report.errors.length < mostErrors) report.errors.push({ line, words })
  }
  const mayLoad = async () => {
    if (owner && loader !== 'command')
      await app.db.transaction().execute((tx) => needRightsOnThings(tx, actor, { id: owner.account_id, email: owner.email }))
  }
  const flush = async (rows: StockRow[]) => {
    await mayLoad()
    const { loaded, unchanged, errors } = await loadChunk(app, rows, to)
    report.loaded += loaded
    report.unchanged += unchanged
    for (const { line, words } of errors) fail(line, words)
  }
  await mayLoad()
  // One chunk is written while the next is read: its failure is thrown when the next would be written.
  let writing = Promise.resolve()
  try {
    let waiting: StockRow[] = []
    for await (const row of readStock(file)) {
      report.rows++
      if ('words' in row) fail(row.line, row.words)
      else waiting.push(row)
      if (waiting.length === rowsAtOnce) {
        await writing
        writing = flush(waiting)
        writing.catch(() => {})
        waiting = []
      }
    }
    await writing
    if (waiting.length > 0) await flush(waiting)
  } finally {
    await writing.catch(() => {})
    // Said also when the file broke off: what was loaded until then is there.
    await recordLoaded(app, actor, report, owner)
    if (owner && report.loaded >= countedFrom) await countAssets(app)
  }
  // Chunks find their errors later than the lines around them.
  report.errors.sort((a, b) => a.line - b.line)
  return report
}

/**
 * The planner knows of the account's assets from then on: until the database counts by itself, once the tables have changed by half, it believes that there are none, and a question
 * may read all of them for each of them. Where somebody else counts or cleans up just now, nobody waits.
 */
const countAssets = ({ db }: Pick<App, 'db'>) => sql`analyze (skip_locked) asset, sim`.execute(db)

/** A file that is sent for minutes is taken for as long as whoever sends it may do so. Throws forbidden. */
export async function* asLongAs<Piece>(allowed: () => Promise<boolean>, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (!(await allowed())) throw new Problem(forbidden, 'You may no longer do this. What was read of the file before is loaded')
    yield piece
  }
}

/** One event however many rows; on the account that got the assets, else on the loader's own. */
async function recordLoaded(app: App, actor: Actor, { loaded, failed }: Report, owner: { account_id: string; email: string } | null) {
  const account = owner?.email ?? null
  app.log.info({ loaded, failed, account, by: actor.email }, 'loaded inventory')
  if (loaded === 0) return
  const own = actor.account_id ? { id: actor.account_id, email: actor.email } : null
  const about = { account: owner ? { id: owner.account_id, email: owner.email } : own, target: account ?? 'Stock' }
  await app.db.transaction().execute((tx) => recordStaff(tx, actor, inventoryLoaded, { loaded, failed, account }, about))
}

async function findOwner({ db }: App, account: string) {
  const email = account.trim().toLowerCase()
  const owner = await db.selectFrom('person').select(['account_id', 'email']).where('email', '=', email).executeTakeFirst()
  if (!owner) throw wrong('account', `Nobody has the e-mail address ${account}`)
  return owner
}

const wrong = (field: string, words: string) => new Problem(invalidRequest, words, { fields: { [field]: words } })
