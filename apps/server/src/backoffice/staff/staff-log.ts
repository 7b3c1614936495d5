import { sql, type Expression, type SqlBool } from 'kysely'
import type { EventKind } from '@masthead/contract/kernel/event'
import { newId } from '@masthead/contract/kernel/id'
import { isWrite } from '@masthead/contract/kernel/operation'
import { Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import { accountViewed, assetViewed } from '@masthead/contract/backoffice/events'
import { notStaff } from '@masthead/contract/backoffice/problems'
import { listViewed, searched, staffRefused } from '@masthead/contract/backoffice/staff-actions'
import { staffActed } from '@masthead/contract/signals'
import type * as z from 'zod/mini'
import type { Actor, AppDb, Db, Tx } from '../../kernel/app.ts'
import { publish } from '../../kernel/live/publish.ts'
import { record } from '../../kernel/record.ts'
import type { Route } from '../../kernel/http/routes.ts'

/** What a line of the staff log says beside who, what and when. */
type Said = {
  /** The customer it concerns: they are notified by an event of their own. */
  account?: { id: string; email: string } | null
  /** They are notified otherwise already. */
  notified?: boolean
  asset_id?: string | null
  /** What it was done to, in words. */
  target?: string | null
  /** Why; what was said on entering the backoffice where nothing else was. */
  reason?: string | undefined
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

/** Keeps what staff did, in the transaction that does it; on an account also as an event there, which its people see. */
export async function recordStaff<Detail extends z.ZodMiniType>(
  tx: Tx,
  actor: Actor,
  kind: EventKind<Detail>,
  detail: z.output<Detail>,
  line: Said = {}
): Promise<void> {
  // What staff do on their own account concerns no customer.
  const account = line.account?.id === actor.account_id ? null : line.account
  await insertLine(tx, actor, kind.name, {
    ...line,
    account: account ?? null,
    detail: kind.detail.parse(detail) as Record<string, unknown>,
  })
  if (line.account && !line.notified)
    await record(tx, { ...actor, kind: actor.kind === 'system' ? 'system' : 'staff', account_id: line.account.id }, kind, detail)
}

type Line = Said & { detail: Record<string, unknown>; refused?: string }

async function insertLine(tx: Tx, actor: Actor, action: string, { account, detail, before, after, refused, ...line }: Line): Promise<void> {
  const stay = await stayOf(tx, actor)
  await tx
    .insertInto('staff_log')
    .values({
      id: newId('staff_log', actor.at.getTime()),
      at: actor.at,
      staff_email: actor.email,
      person_id: actor.person_id || null,
      stay_id: stay?.id ?? null,
      action,
      account_id: account?.id ?? null,
      account_email: account?.email ?? null,
      asset_id: line.asset_id ?? null,
      target: line.target ?? account?.email ?? null,
      reason: line.reason ?? stay?.reason ?? null,
      result: refused === undefined ? 'ok' : 'refused',
      failure: refused ?? null,
      detail: JSON.stringify(detail),
      before: before ? JSON.stringify(before) : null,
      after: after ? JSON.stringify(after) : null,
      ip: actor.ip,
      request_id: actor.request_id,
    })
    .execute()
  await notifyStaff(tx)
}

/** Has every console of staff look again: there are few of them. By their person, since members of their own accounts are no staff. */
export async function notifyStaff(db: Db): Promise<void> {
  const staff = await db
    .selectFrom('person')
    .select('id')
    .where('permissions', '<>', sql<string[]>`'{}'`)
    .execute()
  await publish(
    db,
    staff.map(({ id }) => id),
    staffActed
  )
}

/** The stay one is in, with what was said on entering it. */
export async function stayOf(
  db: Db,
  { person_id, session_id, at }: Actor
): Promise<{ id: string; reason: string; expires_at: Date } | null> {
  if (!person_id || !session_id) return null
  const stay = await db
    .selectFrom('backoffice_stay')
    .select(['id', 'reason', 'expires_at'])
    .where('person_id', '=', person_id)
    .where('session_id', '=', session_id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return stay ?? null
}

/** The stay in which a line is to be written, once: `where` is what the line says. None where the stay has that line already. */
async function stayWithout(db: AppDb, actor: Actor, { name }: { name: string }, where: Expression<SqlBool>) {
  const stay = await stayOf(db, actor)
  const known = await db
    .selectFrom('staff_log')
    .select('id')
    .where('stay_id', '=', stay?.id ?? '')
    .where('action', '=', name)
    .where(where)
    .limit(1)
    .executeTakeFirst()
  return known ? null : { reason: stay?.reason ?? '' }
}

/** Keeps that a customer's data was looked at, and notifies the customer: once in a stay, however often the screen asks. */
export async function recordView(
  db: AppDb,
  actor: Actor,
  account: { id: string; email: string },
  asset?: { asset_id: string; asset_name: string }
): Promise<void> {
  const ofAsset = asset ? sql`and asset_id = ${asset.asset_id}` : sql``
  const stay = await stayWithout(db, actor, asset ? assetViewed : accountViewed, sql`account_id = ${account.id} ${ofAsset}`)
  if (!stay) return
  const { reason } = stay
  await db.transaction().execute(async (tx) => {
    if (asset)
      await recordStaff(tx, actor, assetViewed, { ...asset, reason }, { account, asset_id: asset.asset_id, target: asset.asset_name })
    else await recordStaff(tx, actor, accountViewed, { reason }, { account })
  })
}

/** Keeps what was searched for: once in a stay, since every line here makes open consoles ask again. */
export async function recordSearch(db: AppDb, actor: Actor, query: string): Promise<void> {
  if (!(await stayWithout(db, actor, searched, sql`detail->>'query' = ${query}`))) return
  await db.transaction().execute((tx) => recordStaff(tx, actor, searched, { query }, { target: query }))
}

/** Keeps that a list over all customers was looked at, with what was looked for: once in a stay, as above. */
export async function recordList(db: AppDb, actor: Actor, list: string, search: string | null = null): Promise<void> {
  const detail = { list, search }
  if (!(await stayWithout(db, actor, listViewed, sql`detail = ${JSON.stringify(detail)}::jsonb`))) return
  await db.transaction().execute((tx) => recordStaff(tx, actor, listViewed, detail, { target: search ?? list }))
}

/** Keeps what staff tried and were refused, too. What failed was undone, so this is written beside it. */
export const logged = (route: Route): Route => ({
  op: route.op,
  answer: async (outside, call: { actor: Actor; params: Record<string, string> }) => {
    try {
      return await route.answer(outside, call as never)
    } catch (error) {
      // What customers try here is not logged, because they could fill the log.
      if (isWrite(route.op) && error instanceof Problem && error.kind !== notStaff && error.kind !== tooManyRequests) {
        const { app } = outside
        const target = Object.values(call.params ?? {}).join(' ') || null
        const line = { target, detail: { call: route.op.summary.split(/[:;]/)[0]! }, refused: error.detail }
        await app.db.transaction().execute((tx) => insertLine(tx, call.actor, staffRefused.name, line))
      }
      throw error
    }
  },
})
