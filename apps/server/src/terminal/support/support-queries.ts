import { sql } from 'kysely'
import type { StaffSupport, listStaffSupport as listStaffOp } from '@masthead/contract/backoffice/support-operations'
import type { Parsed } from '@masthead/contract/kernel/operation'
import type { Page } from '@masthead/contract/kernel/page'
import { notFound, Problem } from '@masthead/contract/kernel/problem'
import type { SupportAccess } from '@masthead/contract/terminal/support'
import type { listSupport as listOp } from '@masthead/contract/terminal/support-operations'
import { visibleTo } from '../../assets/index.ts'
import type { Actor, Db, Tx } from '../../kernel/app.ts'
import { pageByKey } from '../../kernel/http/page-by-key.ts'
import '../tables.ts'

const columns = [
  'support_access.id',
  'support_access.asset_id',
  'support_access.asset_name',
  'support_access.reason',
  'support_access.state',
  'support_access.minutes',
  'support_access.standing',
  'support_access.asked_at',
  'support_access.allowed_at',
  'support_access.allowed_by',
  'support_access.until',
  'support_access.ended_at',
  'support_access.ended_by',
  'support_access.end_reason',
  'support_access.words',
  'support_access.staff_email as staff',
] as const

const times = sql<string>`'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`
const terminals = sql<SupportAccess['terminals']>`(select coalesce(json_agg(json_build_object('id', t.id, 'state', t.state,
    'opened_at', to_char(t.opened_at at time zone 'UTC', ${times}), 'ended_at', to_char(t.ended_at at time zone 'UTC', ${times}),
    'recording', t.recording) order by t.id desc), '[]')
  from terminal_session t where t.account_id = support_access.account_id and t.support_id = support_access.id)`.as('terminals')

/** Who is limited to tags sees those of assets that they see. */
function supportSeen(db: Db | Tx, viewer: Pick<Actor, 'account_id' | 'tags'>) {
  const all = db.selectFrom('support_access').where('support_access.account_id', '=', viewer.account_id)
  return viewer.tags.length === 0
    ? all
    : all.where(
        sql<boolean>`exists (select from asset where asset.account_id = support_access.account_id
          and asset.id = support_access.asset_id and ${visibleTo(viewer)})`
      )
}
const inFull = (seen: ReturnType<typeof supportSeen>) => seen.select(columns).select(terminals)
type Row = Awaited<ReturnType<ReturnType<typeof inFull>['execute']>>[number]

const toTime = (at: Date | null) => at?.toISOString() ?? null
const shown = (row: Row): SupportAccess => ({
  ...row,
  asked_at: row.asked_at.toISOString(),
  allowed_at: toTime(row.allowed_at),
  until: row.until.toISOString(),
  ended_at: toTime(row.ended_at),
})

export const listSupport = (
  db: Db,
  viewer: Actor,
  { state = [], ...query }: Parsed<typeof listOp>['query']
): Promise<Page<SupportAccess>> =>
  pageByKey(db, query, {
    name: 'support',
    all: supportSeen(db, viewer).$if(state.length > 0, (some) => some.where('support_access.state', 'in', state)),
    keys: [{ of: sql.ref('support_access.id'), is: 'text' }],
    order: 'desc',
    rows: inFull,
    items: (rows) => rows.map(shown),
  })

export async function getSupport(db: Db | Tx, viewer: Pick<Actor, 'account_id' | 'tags'>, id: string): Promise<SupportAccess> {
  const row = await inFull(supportSeen(db, viewer)).where('support_access.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return shown(row)
}

// What staff see: of every account.

const colleaguesAt = (at: Date) =>
  sql<
    StaffSupport['colleagues']
  >`(select coalesce(json_agg(json_build_object('terminal_id', t.id, 'staff', t.opened_by) order by t.id), '[]')
  from terminal_session t where t.account_id = support_access.account_id and t.asset_id = support_access.asset_id and t.state <> 'ended'
    and t.support_id <> support_access.id and support_access.state = 'allowed' and support_access.until > ${at})`.as('colleagues')

const ofAll = (db: Db | Tx) =>
  db
    .selectFrom('support_access')
    .innerJoin('account', 'account.id', 'support_access.account_id')
    .innerJoin('person as owner', 'owner.account_id', 'support_access.account_id')
const staffRows = (all: ReturnType<typeof ofAll>, { at }: Actor) =>
  all
    .select(columns)
    .select([terminals, colleaguesAt(at)])
    .select(['owner.email', 'account.team_name', 'support_access.staff_person_id'])
type StaffRow = Awaited<ReturnType<ReturnType<typeof staffRows>['execute']>>[number]

const staffShown =
  ({ person_id }: Actor) =>
  ({ email, team_name, staff_person_id, colleagues: others, ...row }: StaffRow): StaffSupport => ({
    ...shown(row),
    colleagues: others,
    account: { email, team_name },
    mine: staff_person_id === person_id,
  })

export const listStaffSupport = (
  db: Db,
  actor: Actor,
  { state = [], account, ...query }: Parsed<typeof listStaffOp>['query']
): Promise<Page<StaffSupport>> =>
  pageByKey(db, query, {
    name: 'staff_support',
    all: ofAll(db)
      .$if(state.length > 0, (some) => some.where('support_access.state', 'in', state))
      .$if(account !== undefined, (some) => some.where('owner.email', '=', account!.trim().toLowerCase())),
    keys: [{ of: sql.ref('support_access.id'), is: 'text' }],
    order: 'desc',
    rows: (all) => staffRows(all, actor),
    items: (rows) => rows.map(staffShown(actor)),
  })

/** The newest of all accounts, at most so many. */
export const latestStaffSupport = async (db: Db, actor: Actor, most: number): Promise<StaffSupport[]> =>
  (await staffRows(ofAll(db), actor).orderBy('support_access.id', 'desc').limit(most).execute()).map(staffShown(actor))

export async function getStaffSupport(db: Db | Tx, actor: Actor, id: string): Promise<StaffSupport> {
  const row = await staffRows(ofAll(db), actor).where('support_access.id', '=', id).executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return staffShown(actor)(row)
}

/** Of whatever account, locked. */
export async function getSupportForUpdate(tx: Tx, id: string) {
  const row = await tx.selectFrom('support_access').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Problem(notFound)
  return row
}
export type SupportRow = Awaited<ReturnType<typeof getSupportForUpdate>>
