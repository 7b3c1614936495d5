import { sql } from 'kysely'
import { updateAsset } from '@masthead/contract/assets/operations'
import { viewDeleted, viewSaved, viewShared, viewUpdated } from '@masthead/contract/assets/views/events'
import { tooManyViews, viewIsShared, viewIsWatched, viewNameTaken } from '@masthead/contract/assets/problems'
import {
  mostViews,
  type AssetView,
  type createView as createViewOp,
  type updateView as updateViewOp,
} from '@masthead/contract/assets/views/view-operations'
import { idKind, newId } from '@masthead/contract/kernel/id'
import type { Parsed } from '@masthead/contract/kernel/operation'
import { Problem } from '@masthead/contract/kernel/problem'
import { updateRule } from '@masthead/contract/notifications/rule-operations'
import { actorMay, type Actor, type Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { getView, getViewForUpdate } from './view-queries.ts'

const viewId = idKind('viw')

/** Saves a line of the assets list with its order and columns. Throws view_is_shared, view_name_taken, too_many_views. */
export async function createView(tx: Tx, actor: Actor, body: Parsed<typeof createViewOp>['body']): Promise<AssetView> {
  if (body.shared) needEdit(actor)
  await lockViews(tx, actor)
  await refuseTooMany(tx, actor)
  await needFreeName(tx, actor, body)
  const { account_id, person_id, email, at } = actor
  const id = newId(viewId, at.getTime())
  await tx
    .insertInto('asset_view')
    .values({ account_id, id, ...body, person_id, made_by: email, updated_at: at })
    .execute()
  await record(tx, actor, viewSaved, { view_id: id, view_name: body.name, shared: body.shared })
  return getView(tx, actor, id)
}

/** Whatever of it is given. What watches the view follows it. Throws not_found, view_is_shared, view_is_watched, view_name_taken. */
export async function updateView(tx: Tx, actor: Actor, id: string, body: Parsed<typeof updateViewOp>['body']): Promise<AssetView> {
  await lockViews(tx, actor)
  const row = await getViewForUpdate(tx, actor, id)
  if (row.shared || body.shared) needEdit(actor)
  if (row.shared && body.shared === false) await needUnwatched(tx, row)
  if (body.q !== undefined && body.q !== row.q) await needWatcher(tx, actor, row)
  const next = { ...row, ...body }
  if (body.name !== undefined || body.shared !== undefined) await needFreeName(tx, actor, next, id)
  await tx
    .updateTable('asset_view')
    .set({ ...body, updated_at: actor.at })
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .execute()
  const { name: view_name, shared } = next
  const about = { view_id: id, view_name, shared }
  const { shared: _, ...rest } = body
  if (Object.keys(rest).length > 0) await record(tx, actor, viewUpdated, about)
  if (shared !== row.shared) await record(tx, actor, viewShared, about)
  return getView(tx, actor, id)
}

/** The rule that watches it ends with it. Throws not_found, view_is_shared, view_is_watched. */
export async function deleteView(tx: Tx, actor: Actor, id: string): Promise<void> {
  const row = await getViewForUpdate(tx, actor, id)
  if (row.shared) needEdit(actor)
  await needWatcher(tx, actor, row)
  // Rules that watch it go with it: as deleted ones do, once what they did for a while is taken back.
  await tx
    .updateTable('alert_rule')
    .set({ deleted_at: actor.at, enabled_at: null, view_id: null })
    .where('account_id', '=', actor.account_id)
    .where('view_id', '=', id)
    .execute()
  await tx.deleteFrom('asset_view').where('account_id', '=', actor.account_id).where('id', '=', id).execute()
  await record(tx, actor, viewDeleted, { view_id: id, view_name: row.name, shared: row.shared })
}

function needEdit(actor: Actor): void {
  if (!actorMay(actor, updateAsset.access)) throw new Problem(viewIsShared)
}

type Row = { account_id: string; id: string }

async function isWatched(tx: Tx, { account_id, id }: Row): Promise<boolean> {
  const rule = await tx
    .selectFrom('alert_rule')
    .select('id')
    .where('account_id', '=', account_id)
    .where('view_id', '=', id)
    .executeTakeFirst()
  return rule !== undefined
}

async function needUnwatched(tx: Tx, row: Row): Promise<void> {
  if (await isWatched(tx, row)) throw new Problem(viewIsWatched)
}

/** What a rule counts among all assets is changed by whoever may change the rule: the alert would show others assets that they do not see. */
async function needWatcher(tx: Tx, actor: Actor, row: Row): Promise<void> {
  if (actor.tags.length === 0 && actorMay(actor, updateRule.access)) return
  if (await isWatched(tx, row))
    throw new Problem(viewIsWatched, 'A rule watches this view: whoever may change rules, and sees all assets, changes and deletes it')
}

/** One after the other, so that two at once take neither the last place nor a name twice. */
const lockViews = (tx: Tx, { account_id }: Actor) =>
  tx.selectFrom('account').select('id').where('id', '=', account_id).forNoKeyUpdate().execute()

async function refuseTooMany(tx: Tx, { account_id }: Actor): Promise<void> {
  const count = async () => {
    const { views } = await tx
      .selectFrom('asset_view')
      .select((eb) => eb.fn.countAll<number>().as('views'))
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    return Number(views)
  }
  if ((await count()) < mostViews) return
  // What nobody sees any more: views of their own of those who left the team.
  await sql`delete from asset_view v where v.account_id = ${account_id} and not v.shared
    and not exists (select from person p where p.id = v.person_id and p.account_id = v.account_id)
    and not exists (select from membership m where m.person_id = v.person_id and m.account_id = v.account_id)`.execute(tx)
  if ((await count()) >= mostViews) throw new Problem(tooManyViews)
}

/** Among the views that are seen with it: the team's, and for one's own also the others of one's own. */
async function needFreeName(tx: Tx, { account_id, person_id }: Actor, { name }: { name: string }, but = ''): Promise<void> {
  const taken = await tx
    .selectFrom('asset_view')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '!=', but)
    .where(({ eb, or }) => or([eb('shared', '=', true), eb('person_id', '=', person_id)]))
    .where(sql<string>`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
  if (taken) throw new Problem(viewNameTaken, undefined, { fields: { name: viewNameTaken.title } })
}
