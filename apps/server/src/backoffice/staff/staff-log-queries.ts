import { sql } from 'kysely'
import { staffActions } from '@masthead/contract/backoffice/staff-actions'
import type { listStaffLog as promise, StaffLogEntry, StaffLogFilter } from '@masthead/contract/backoffice/staff-log-operations'
import { sentenceOf } from '@masthead/contract/kernel/event'
import { firstIdAt } from '@masthead/contract/kernel/id'
import type { Parsed, Reply } from '@masthead/contract/kernel/operation'
import type * as z from 'zod/mini'
import { staffLogExported } from '@masthead/contract/backoffice/staff-actions'
import type { Actor, AppDb, Db } from '../../kernel/app.ts'
import { csvLine } from '../../kernel/http/csv.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import { recordStaff } from './staff-log.ts'

type Filter = z.output<typeof StaffLogFilter>

/** The staff log, newest first. */
export async function listStaffLog(db: Db, query: Parsed<typeof promise>['query']): Promise<Reply<typeof promise>> {
  return pageByKey(db, query, {
    name: 'staff_log',
    all: matching(db, query),
    keys: [{ of: sql.ref('id'), is: 'text' }],
    order: 'desc',
    rows: (page) => page.selectAll(),
    items: (rows) => rows.map(asEntry),
  })
}

/** The newest few, uncounted. */
export async function latestStaffLog(db: Db, filter: Filter, most: number): Promise<StaffLogEntry[]> {
  return (await matching(db, filter).selectAll().orderBy('id', 'desc').limit(most).execute()).map(asEntry)
}

const columns = [
  'at',
  'staff',
  'action',
  'sentence',
  'account',
  'asset_id',
  'target',
  'reason',
  'result',
  'failure',
  'ip',
  'request_id',
] as const
const rowsAtOnce = 1000

/** The staff log as CSV. That it was taken out is kept in it, too. */
export async function* exportStaffLog(db: AppDb, actor: Actor, filter: Filter): AsyncGenerator<string> {
  await db.transaction().execute((tx) => recordStaff(tx, actor, staffLogExported, {}))
  yield csvLine([...columns, 'before', 'after'])
  for (let last: string | null = null; ;) {
    const from: string | null = last
    const rows = await matching(db, filter)
      .$if(from !== null, (each) => each.where('id', '<', from!))
      .selectAll()
      .orderBy('id', 'desc')
      .limit(rowsAtOnce)
      .execute()
    if (rows.length === 0) return
    yield rows
      .map(asEntry)
      .map((entry) => csvLine([...columns.map((name) => entry[name]), words(entry.before), words(entry.after)]))
      .join('')
    last = rows.at(-1)!.id
  }
}
const words = (value: unknown) => (value === null ? '' : JSON.stringify(value))

function matching(db: Db, { staff, account, action, result, asset_id, start, end }: Filter) {
  let lines = db.selectFrom('staff_log')
  if (staff) lines = lines.where('staff_email', '=', staff.trim().toLowerCase())
  // By the account and not by its e-mail at the time, which may have changed since.
  if (account)
    lines = lines.where('account_id', '=', sql<string>`(select account_id from person where email = ${account.trim().toLowerCase()})`)
  if (action?.length) lines = lines.where('action', 'in', action)
  if (result) lines = lines.where('result', '=', result)
  if (asset_id) lines = lines.where('asset_id', '=', asset_id)
  if (start) lines = lines.where('id', '>=', firstIdAt('staff_log', Date.parse(start)))
  if (end) lines = lines.where('id', '<', firstIdAt('staff_log', Date.parse(end)))
  return lines
}

type Row = Awaited<ReturnType<ReturnType<ReturnType<typeof matching>['selectAll']>['execute']>>[number]

const asEntry = ({ at, staff_email, account_email, person_id: _, stay_id: __, account_id: ___, ...row }: Row): StaffLogEntry => ({
  ...row,
  at: at.toISOString(),
  staff: staff_email,
  account: account_email,
  // The reason has a place of its own here.
  sentence: withoutReason(sentenceOf(staffActions.get(row.action), row.action, row.detail), row.reason),
})

const withoutReason = (sentence: string, reason: string | null) =>
  reason !== null && sentence.endsWith(`: ${reason}`) ? sentence.slice(0, -reason.length - 2) : sentence
