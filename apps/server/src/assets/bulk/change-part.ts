import { sql, type Selectable } from 'kysely'
import { exportBulkResults } from '@masthead/contract/assets/bulk/bulk-operations'
import { assetsChanged } from '@masthead/contract/assets/bulk/events'
import { bulkProgressed } from '@masthead/contract/signals'
import type { Actor, Tx } from '../../kernel/app.ts'
import type { Database } from '../../kernel/database/database.ts'
import { addJob } from '../../kernel/jobs/jobs.ts'
import { publish } from '../../kernel/live/publish.ts'
import { record } from '../../kernel/record.ts'
import { grantWishes, type Granted } from './grant-wishes.ts'
import { previewOf, type Outcomes } from './outcome.ts'
import { stillAllowed } from './still-allowed.ts'
import { wishOf } from './wish.ts'

/** Which part of which change. */
export type Part = { account_id: string; bulk_id: string; part: number }

/** The tries of a part come to more than an hour. */
export const triesOfPart = { maxAttempts: 8 }

/** Does one part of a change, and sees to the next. A part that was done already is left alone, so it may be asked for twice. */
export async function changePart(tx: Tx, at: Date, { account_id, bulk_id, part }: Part): Promise<void> {
  const change = await lockNext(tx, { account_id, bulk_id, part })
  if (!change) return
  const { asset_ids = [], wishes = null } =
    (await tx
      .selectFrom('bulk_change_part')
      .select(['asset_ids', 'wishes'])
      .where('account_id', '=', account_id)
      .where('bulk_id', '=', bulk_id)
      .where('part', '=', part)
      .executeTakeFirst()) ?? {}
  const actor = actorOf(change, at)
  if (!(await stillAllowed(tx, change, at))) return leaveRest(tx, actor, change)
  const alike = wishes === null ? wishOf(change) : null
  const granted = await grantWishes(
    tx,
    change.total > 1 ? { ...actor, bulk_id } : actor,
    asset_ids.map((asset_id, at) => ({ asset_id, wish: alike ?? wishes![at]! }))
  )
  await tx
    .updateTable('bulk_change_part')
    .set({ outcomes: granted.map(({ outcome }) => outcome), before: JSON.stringify(granted.map(({ before }) => before)) })
    .where('account_id', '=', account_id)
    .where('bulk_id', '=', bulk_id)
    .where('part', '=', part)
    .execute()
  await goOn(tx, actor, change, added(change.outcomes, granted))
}

type Change = Selectable<Database['bulk_change']>

/** The change, if this is the part that comes next. */
async function lockNext(tx: Tx, { account_id, bulk_id, part }: Part): Promise<Change | null> {
  const change = await tx
    .selectFrom('bulk_change')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', bulk_id)
    .forUpdate()
    .executeTakeFirst()
  return change && !change.finished_at && change.parts_done === part ? change : null
}

/** Who asked is not there any more; what they may see is as it was when they were. */
const actorOf = ({ actor, account_id }: Change, at: Date): Actor => ({ ...actor, account_id, permissions: [], staff: [], at })

/** After the last try of a part: its assets stay as they are, and the parts after it have their turn. */
export async function giveUpPart(tx: Tx, at: Date, { account_id, bulk_id, part }: Part): Promise<void> {
  const change = await lockNext(tx, { account_id, bulk_id, part })
  if (!change) return
  const left = await tx
    .updateTable('bulk_change_part')
    .set({ outcomes: sql`array_fill('failed'::text, array[cardinality(asset_ids)])` })
    .where('account_id', '=', account_id)
    .where('bulk_id', '=', bulk_id)
    .where('part', '=', part)
    .returning(sql<number>`cardinality(asset_ids)`.as('count'))
    .executeTakeFirstOrThrow()
  await goOn(tx, actorOf(change, at), change, { ...change.outcomes, failed: (change.outcomes.failed ?? 0) + left.count })
}

/** Ends a change that may not go on: the assets it has not come to stay as they are. */
async function leaveRest(tx: Tx, actor: Actor, change: Change): Promise<void> {
  await tx
    .updateTable('bulk_change_part')
    .set({ outcomes: sql`array_fill('not_allowed'::text, array[cardinality(asset_ids)])` })
    .where('account_id', '=', change.account_id)
    .where('bulk_id', '=', change.id)
    .where('part', '>=', change.parts_done)
    .execute()
  await goOn(tx, actor, change, { ...change.outcomes, not_allowed: change.total - previewOf(change.outcomes).total })
}

/** Keeps what has become of the assets so far, publishes it, and sees to the next part or the end. */
async function goOn(tx: Tx, actor: Actor, { account_id, id: bulk_id, ...change }: Change, outcomes: Outcomes): Promise<void> {
  const { total, changed } = previewOf(outcomes)
  const ended = total >= change.total
  const part = change.parts_done + 1
  await tx
    .updateTable('bulk_change')
    .set({ parts_done: part, outcomes: JSON.stringify(outcomes), finished_at: ended ? actor.at : null })
    .where('account_id', '=', account_id)
    .where('id', '=', bulk_id)
    .execute()
  await publish(tx, account_id, bulkProgressed)
  if (!ended) return addJob(tx, 'change_assets', { account_id, bulk_id, part }, triesOfPart)
  const stopped = outcomes.not_allowed !== undefined
  // Of one asset its own event says all.
  if ((changed > 0 && total > 1) || stopped) {
    const tags = change.tags.map((tag) => tag.tag_name).join(', ')
    const group = change.params.network_group && { network_group_name: change.params.network_group.name }
    const to = change.params.to ? { to: change.params.to } : {}
    const results = `/v1${exportBulkResults.path.replace('{bulk_id}', bulk_id)}`
    const done = { bulk_id, action: change.action, tags, ...group, ...to, total, changed, left: total - changed, results }
    await record(tx, actor, assetsChanged, { ...done, ...(stopped && { stopped }) })
  }
}

function added(outcomes: Outcomes, granted: readonly Granted[]): Outcomes {
  const sum = { ...outcomes }
  for (const { outcome } of granted) sum[outcome] = (sum[outcome] ?? 0) + 1
  return sum
}
